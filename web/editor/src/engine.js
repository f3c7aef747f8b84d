// The calls of an editor to the engine, which runs in a Web Worker (`web/engine.js`).

let count = 0;

/**
 * Returns the calls of one editor. `language` is `{namespace, options}`: the prefix of the verbs, such as `logpush.`, and
 * their options. The owner of the editor may replace its members. A call without a result, because the engine failed or a
 * newer call superseded it, returns undefined: the page reports failures of the engine.
 */
export function createEngineCalls(language) {
  const number = (count += 1);
  const call = async (purpose, verb, ...values) => {
    const channel = `editor-${number}-${purpose}`;
    try {
      return await window.zonewrightEngine.call("editor", channel, `${language.namespace}${verb}`, values);
    } catch {
      return undefined;
    }
  };
  return {
    /** Returns `{tokens, diagnostics, …}`. */
    analyze: (text) => call("analyze", "analyze", text, language.options),
    /** Returns `{start, end, items}`. */
    complete: (text, offset) => call("complete", "complete", text, offset, language.options),
    /** Returns `{start, end, title, …}`, or null. Calls for the pointer and for the keyboard do not supersede each other. */
    hover: async (text, offset, purpose) => (await call(purpose, "hover", text, offset, language.options))?.hover,
    /** Returns `{start, label, parameters, …}`, or null. Log push filters have no calls. */
    async signature(text, offset) {
      if (language.namespace) return null;
      return (await call("signature", "signature", text, offset))?.signature;
    },
  };
}
