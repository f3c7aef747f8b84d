// Completion: the engine knows what may stand at the cursor, this only shows it.

/** A CodeMirror source from `complete(text, offset) -> {from, to, items}`. */
export function completionSource(complete) {
  return (context) => {
    // Only a begun word opens the list by itself: after a space, Enter must stay a new line.
    if (!context.explicit && !context.matchBefore(/[\w.$]+/)) return null;
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
      options: items.map(({ label, insert, kind, detail, note }) => ({
        label,
        apply: insert,
        type: kind,
        detail: detail === label ? undefined : detail,
        info: note || undefined,
      })),
    };
  };
}
