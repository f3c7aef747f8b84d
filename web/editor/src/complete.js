// Completion: the engine knows what may stand at the cursor, this only shows it.
import { pickedCompletion, startCompletion } from "@codemirror/autocomplete";

/** Puts a chosen item into the text, and the cursor where the engine says. */
function choose({ insert, cursor, again }) {
  return (view, completion, from, to) => {
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + cursor },
      annotations: pickedCompletion.of(completion),
      userEvent: "input.complete",
      scrollIntoView: true,
    });
    if (again) startCompletion(view);
  };
}

/** A CodeMirror source from `complete(text, offset) -> {from, to, items}`. */
export function completionSource(complete) {
  return (context) => {
    // Only a begun word, or a begun key such as `headers["`, opens the list by itself: after a space,
    // Enter must stay a new line.
    if (!context.explicit && !context.matchBefore(/[\w.$]+|[\w)\]]\["[^"\n]*/)) return null;
    // The list is asked for a moment after the key: the focus may have moved on by then.
    if (!context.view?.hasFocus) return null;
    const { from, to, items } = complete(context.state.doc.toString(), context.pos);
    if (items.length === 0) return null;
    // A word that is written already needs no list that would take the next Enter for itself.
    const [only, ...others] = items;
    if (!context.explicit && others.length === 0 && only.insert === context.state.sliceDoc(from, to)) return null;
    return {
      from,
      to,
      // The engine has filtered and sorted already.
      filter: false,
      options: items.map((item) => ({
        label: item.label,
        apply: choose(item),
        type: item.kind,
        ...words(item),
      })),
    };
  };
}

/** A value's words are short and tell the rows apart; those of names stand beside the list. */
function words({ label, kind, detail, note }) {
  if (kind === "value") return { detail: note || detail };
  return { detail: detail === label ? undefined : detail, info: note || undefined };
}

/** Where the words on the chosen row stand: beside the list, and where the window is too narrow beneath it or above. */
export function besideList(_view, list, option, info, space) {
  const width = info.right - info.left;
  const height = info.bottom - info.top;
  const side = [
    ["right", list.right + width <= space.right],
    ["left", list.left - width >= space.left],
  ].find(([, fits]) => fits);
  if (side) {
    const top = Math.max(space.top, Math.min(option.top, space.bottom - height));
    return { style: `top: ${top - list.top}px`, class: `cm-completionInfo-${side[0]}` };
  }
  const edge = list.bottom + height <= space.bottom ? "top" : "bottom";
  return { style: `${edge}: ${list.bottom - list.top}px; left: 0`, class: "zw-info-beneath" };
}
