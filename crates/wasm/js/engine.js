// The functions of the package over one wasm module. This text becomes part of core.js and core.cjs,
// after `glue`, so it neither imports nor exports.

const noMeters = () => ({ length: 0, maxLength: 0, depth: 0, maxDepth: 0, regexes: 0 });
const noSchema = { fields: [], functions: [], operators: [], logical: [], phases: [], plans: [], managedLists: [], lints: [] };

// Every function with what it answers, beside `diagnostics`, when the engine breaks off.
const withoutEngine = {
  check: () => ({ ok: false, type: null }),
  analyze: () => ({ ok: false, type: null, tokens: [], meters: noMeters() }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ outcome: "error", result: null, unknown: [], notes: [] }),
  equivalent: () => ({ answer: null }),
  subsumes: () => ({ answer: null }),
  neverFires: () => ({ rules: [], notes: [] }),
  test: () => ({ ok: false, passed: 0, failed: 0, errors: 0, mistakes: 0, tests: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  signature: () => ({ signature: null }),
};
// The functions over log push, in the same form.
const withoutLogpush = {
  check: () => ({ ok: false, form: null }),
  analyze: () => ({ ok: false, form: null, tokens: [], meters: { operators: 0, maxOperators: 0, bytes: 0, maxBytes: 0 } }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
  simplify: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ result: null, unknown: [], error: null }),
  convert: () => ({ text: null, lost: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  job: () => ({ ok: false, refusals: [] }),
  render: () => ({ text: null, kept: 0, dropped: 0, rejected: [], refusals: [] }),
};
// The functions over migrations, in the same form.
const withoutMigration = {
  plan: () => ({ compatible: false, ruleset: null, findings: [], warnings: [], refusals: [] }),
  check: () => ({ compatible: false, findings: [], warnings: [], refusals: [] }),
  report: () => ({ text: null, refusals: [] }),
  convert: () => ({ rules: [], findings: [], refusals: [] }),
  diff: () => ({ changes: [], warnings: [], refusals: [] }),
  rehearse: () => ({ requests: [], warnings: [], refusals: [] }),
};
// Problems of these say what they are about.
const about = {
  equivalent: { expression: "first" },
  subsumes: { expression: "first" },
  neverFires: { rule: null },
  migration_rehearse: { request: null },
};

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
  function callable(name, answer, of) {
    const answerWith = (error) => ({ ...answer(), diagnostics: [{ ...of, ...internalError(error) }] });
    return (...values) => call(name, values, answerWith);
  }
  for (const [name, answer] of Object.entries(withoutEngine)) {
    engine[name] = callable(name, answer, about[name] ?? {});
  }
  engine.logpush = { datasets: () => call("logpush_datasets", [], () => []) };
  for (const [name, answer] of Object.entries(withoutLogpush)) {
    engine.logpush[name] = callable(`logpush_${name}`, answer, {});
  }
  engine.migration = {};
  for (const [name, answer] of Object.entries(withoutMigration)) {
    const called = `migration_${name}`;
    engine.migration[name] = callable(called, answer, about[called] ?? {});
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
