// The functions of the package over one wasm module. This text becomes part of core.js and core.cjs,
// after `glue`, so it neither imports nor exports.

const noMeters = () => ({ length: 0, maxLength: 0, depth: 0, maxDepth: 0, regexes: 0 });
const noSchema = { fields: [], functions: [], operators: [], logical: [], phases: [], plans: [], managedLists: [], lints: [] };

// Every function with what it answers, beside `diagnostics`, when the engine breaks off.
const withoutEngine = {
  check: () => ({ ok: false, type: null }),
  analyze: () => ({ ok: false, type: null, tokens: [], meters: noMeters() }),
  fix: () => ({ text: null }),
  format: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ outcome: "error", result: null, unknown: [], notes: [] }),
  equivalent: () => ({ answer: null }),
  subsumes: () => ({ answer: null }),
  test: () => ({ ok: false, passed: 0, failed: 0, errors: 0, tests: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  signature: () => ({ signature: null }),
};
// Problems of these say which expression they are about.
const ofTwo = ["equivalent", "subsumes"];

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
      return answerWith(error);
    }
  }

  const engine = { schema: () => call("schema", [], () => ({ referenceDate: "", ...noSchema })) };
  for (const [name, answer] of Object.entries(withoutEngine)) {
    const of = ofTwo.includes(name) ? { expression: "first" } : {};
    const answerWith = (error) => ({ ...answer(), diagnostics: [{ ...of, ...internalError(error) }] });
    engine[name] = (...values) => call(name, values, answerWith);
  }
  return engine;
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
