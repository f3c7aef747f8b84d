// Creates the functions of the package from one wasm module. The build appends this text to `createBindings` in
// core.js and core.cjs, so it has no imports and exports.

const emptyUsage = () => ({ length: 0, maxLength: 0, depth: 0, maxDepth: 0, regexes: 0 });
const emptySchema = { fields: [], functions: [], operators: [], logical: [], phases: [], plans: [], managedLists: [], lints: [] };

// The result of each function after a trap, without `diagnostics`.
const fallbackResults = {
  check: () => ({ ok: false, type: null }),
  analyze: () => ({ ok: false, type: null, tokens: [], usage: emptyUsage() }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ outcome: "error", result: null, unknown: [], notes: [] }),
  equivalent: () => ({ answer: null }),
  subsumes: () => ({ answer: null }),
  neverFires: () => ({ rules: [], notes: [] }),
  test: () => ({ ok: false, passed: 0, failed: 0, errors: 0, fileErrors: 0, tests: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  signature: () => ({ signature: null }),
};
const logpushFallbackResults = {
  check: () => ({ ok: false, encoding: null }),
  analyze: () => ({ ok: false, encoding: null, tokens: [], usage: { operators: 0, maxOperators: 0, bytes: 0, maxBytes: 0 } }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
  simplify: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ result: null, unknown: [], error: null }),
  convert: () => ({ text: null, losses: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  job: () => ({ ok: false, errors: [] }),
  render: () => ({ text: null, kept: 0, dropped: 0, rejected: [], errors: [] }),
};
const migrationFallbackResults = {
  plan: () => ({ compatible: false, ruleset: null, findings: [], warnings: [], errors: [] }),
  check: () => ({ compatible: false, findings: [], warnings: [], errors: [] }),
  report: () => ({ text: null, errors: [] }),
  convert: () => ({ rules: null, findings: [], errors: [] }),
  diff: () => ({ changes: null, warnings: [], errors: [] }),
  simulate: () => ({ requests: null, warnings: [], errors: [] }),
};
// Additional members of the diagnostics of these functions.
const diagnosticContexts = {
  equivalent: { expression: "first" },
  subsumes: { expression: "first" },
  neverFires: { rule: null },
  migration_simulate: { request: null },
};

/**
 * @param createBindings returns new bindings without an instance
 * @param load returns the compiled module, or throws if it is not loaded yet
 */
function createEngine(createBindings, load) {
  let bindings;

  function call(name, values, onError) {
    if (bindings === undefined) {
      const newBindings = createBindings();
      newBindings.initSync({ module: load() });
      bindings = newBindings;
    }
    try {
      return bindings[name](...values);
    } catch (error) {
      // After a trap, the memory is in an unknown state, so the next call creates a new instance.
      bindings = undefined;
      return onError(error);
    }
  }

  const engine = { schema: () => call("schema", [], () => ({ referenceDate: "", ...emptySchema })) };
  function wrap(name, fallback) {
    const context = diagnosticContexts[name];
    const onError = (error) => ({ ...fallback(), diagnostics: [{ ...context, ...internalError(error) }] });
    return (...values) => call(name, values, onError);
  }
  for (const [name, fallback] of Object.entries(fallbackResults)) {
    engine[name] = wrap(name, fallback);
  }
  engine.logpush = { datasets: () => call("logpush_datasets", [], () => []) };
  for (const [name, fallback] of Object.entries(logpushFallbackResults)) {
    engine.logpush[name] = wrap(`logpush_${name}`, fallback);
  }
  engine.migration = {};
  for (const [name, fallback] of Object.entries(migrationFallbackResults)) {
    engine.migration[name] = wrap(`migration_${name}`, fallback);
  }
  return engine;
}

function internalError(error) {
  let reason = "unknown reason";
  try {
    reason = String(error?.message ?? error).replace(/\s+/g, " ");
  } catch {
    // The error cannot be converted to a string.
  }
  return {
    code: "internal-error",
    severity: "error",
    message: `internal error: ${reason}`,
    start: 0,
    end: 0,
    line: 1,
    column: 1,
    label: "",
    fixes: [],
    related: [],
  };
}
