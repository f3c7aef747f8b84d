// Completion. The engine computes, filters and sorts the items; this module shows and inserts them.
import { pickedCompletion, startCompletion } from "@codemirror/autocomplete";

/** Inserts the selected item and moves the cursor to the position that the engine returned. */
function applyItem({ insert, cursor, retrigger }) {
  return (view, completion, from, to) => {
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + cursor },
      annotations: pickedCompletion.of(completion),
      userEvent: "input.complete",
      scrollIntoView: true,
    });
    if (retrigger) startCompletion(view);
  };
}

/** The CodeMirror completion source. `engine` calls the engine (engine.js). */
export function completionSource(engine) {
  return async (context) => {
    // Only a partial word, or a partial key such as `headers["`, opens the list automatically: after a space, Enter
    // must insert a line break.
    if (!context.explicit && !context.matchBefore(/[\w.$]+|[\w)\]]\["[^"\n]*/)) return null;
    // CodeMirror calls the source with a delay, and the editor may have lost the focus since.
    if (!context.view?.hasFocus) return null;
    const completions = await engine.complete(context.state.doc.toString(), context.pos);
    if (!completions || completions.items.length === 0) return null;
    const { start: from, end: to, items } = completions;
    // A completed word needs no list, and an open list would capture the next Enter.
    const [only, ...others] = items;
    if (!context.explicit && others.length === 0 && only.insert === context.state.sliceDoc(from, to)) return null;
    return {
      from,
      to,
      filter: false,
      options: items.map((item) => ({
        label: item.label,
        apply: applyItem(item),
        type: item.kind,
        ...describeItem(item),
      })),
    };
  };
}

/** The description of an item. Values show theirs in the row; names show it in the info box next to the list. */
function describeItem({ label, kind, detail, note }) {
  if (kind === "value") return { detail: note || detail };
  return { detail: detail === label ? undefined : detail, info: note || undefined };
}

/** Positions the info box of the selected item: next to the list, or below or above it in a narrow window. */
export function positionInfo(_view, list, option, info, space) {
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
