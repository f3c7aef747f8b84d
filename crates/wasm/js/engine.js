// The functions of the package over one wasm module. This text becomes part of core.js and core.cjs,
// after `glue`, so it neither imports nor exports.

/**
 * @param makeBindings gives new bindings, not yet connected to an instance
 * @param load gives the compiled module, or throws when there is none yet
 */
function createEngine(makeBindings, load) {
  let bindings;

  function call(name, values, answerWith) {
    if (bindings === undefined) {
      const started = makeBindings();
      started.initSync({ module: load() });
      bindings = started;
    }
    try {
      return bindings[name](...values);
    } catch (error) {
      // After a trap the memory is in an unknown state. The next call gets a new instance.
      bindings = undefined;
      return answerWith([internalError(error)]);
    }
  }

  return {
    check(source, options) {
      return call("check", [source, options], (diagnostics) => ({ ok: false, type: null, diagnostics }));
    },
    analyze(source, options) {
      const meters = { length: 0, maxLength: 0, depth: 0, maxDepth: 0, regexes: 0 };
      const answerWith = (diagnostics) => ({ ok: false, type: null, diagnostics, tokens: [], meters });
      return call("analyze", [source, options], answerWith);
    },
    complete(source, offset, options) {
      const answerWith = (diagnostics) => ({ start: 0, end: 0, items: [], diagnostics });
      return call("complete", [source, offset, options], answerWith);
    },
    hover(source, offset, options) {
      return call("hover", [source, offset, options], (diagnostics) => ({ hover: null, diagnostics }));
    },
    signature(source, offset) {
      return call("signature", [source, offset], (diagnostics) => ({ signature: null, diagnostics }));
    },
  };
}

function internalError(error) {
  let reason = "unknown reason";
  try {
    reason = String(error?.message ?? error).replace(/\s+/g, " ");
  } catch {
    // An error that cannot be shown is still an error.
  }
  return {
    code: "internal-error",
    severity: "error",
    message: `the call could not be finished: ${reason}`,
    start: 0,
    end: 0,
    line: 1,
    column: 1,
    label: "",
    fixes: [],
    related: [],
  };
}
