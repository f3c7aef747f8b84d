// Creates the functions of the package from the files of wasm. The build appends this text to `createBindings` and
// `partFiles` in core.js and core.cjs, so it has no imports and exports.

const emptyUsage = () => ({ length: 0, maxLength: 0, depth: 0, maxDepth: 0, regexes: 0 });
const emptySchema = { fields: [], functions: [], operators: [], logical: [], phases: [], plans: [], managedLists: [], lints: [] };

// The verbs of each part, with their results after a trap. `diagnostics` is added to an object.
const languageVerbs = {
  check: () => ({ ok: false, type: null }),
  analyze: () => ({ ok: false, type: null, tokens: [], usage: emptyUsage() }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
};
const helpVerbs = {
  explain: () => ({ text: "", sentences: [], tree: null }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  signature: () => ({ signature: null }),
};
const evaluateVerbs = {
  evaluate: () => ({ outcome: "error", result: null, unknown: [], notes: [] }),
  sample: () => ({ outcome: "error", result: null, unknown: [], notes: [], format: null, entries: [], error: null, inputs: [] }),
};
const testVerbs = {
  test: () => ({ ok: false, passed: 0, failed: 0, errors: 0, fileErrors: 0, tests: [] }),
};
const proveVerbs = {
  equivalent: () => ({ answer: null }),
  subsumes: () => ({ answer: null }),
  satisfiable: () => ({ answer: null }),
  runsManagedRules: () => ({ runs: null, errors: [] }),
  neverFires: () => ({ rules: [], notes: [] }),
};
const logpushVerbs = {
  check: () => ({ ok: false, encoding: null }),
  analyze: () => ({ ok: false, encoding: null, tokens: [], usage: { operators: 0, maxOperators: 0, bytes: 0, maxBytes: 0 } }),
  fix: () => ({ text: null, finished: false }),
  format: () => ({ text: null }),
  simplify: () => ({ text: null }),
  explain: () => ({ text: "", sentences: [], tree: null }),
  evaluate: () => ({ result: null, unknown: [], error: null }),
  count: () => ({
    lines: 0,
    kept: 0,
    keptBytes: 0,
    dropped: 0,
    droppedBytes: 0,
    rejected: 0,
    rejectedBytes: 0,
    operator: null,
    conditions: [],
    samples: [],
  }),
  convert: () => ({ text: null, losses: [] }),
  complete: () => ({ start: 0, end: 0, items: [] }),
  hover: () => ({ hover: null }),
  job: () => ({ ok: false, errors: [] }),
  render: () => ({ text: null, kept: 0, dropped: 0, rejected: [], errors: [] }),
};
const migrationVerbs = {
  plan: () => ({ compatible: false, ruleset: null, findings: [], warnings: [], errors: [] }),
  check: () => ({ compatible: false, findings: [], warnings: [], errors: [] }),
  report: () => ({ text: null, errors: [] }),
  convert: () => ({ rules: null, findings: [], errors: [] }),
  diff: () => ({ changes: null, warnings: [], errors: [] }),
  checkRuleset: () => ({ ruleset: null, warnings: [], errors: [] }),
  simulate: () => ({ requests: null, omitted: 0, warnings: [], errors: [] }),
};
const traceVerbs = {
  traceZone: () => ({ reachesOrigin: null, terminatingRules: [], phases: [], notes: [], errors: [] }),
};
// The members that diagnostics of these verbs have in addition.
const diagnosticContexts = {
  "prove.equivalent": { expression: "first" },
  "prove.subsumes": { expression: "first" },
  "prove.neverFires": { rule: null },
  "migration.simulate": { request: null },
};

/**
 * @param createBindings returns new bindings without an instance
 * @param compiledModules returns the compiled modules of a file for a verb of a part, or throws if it is not loaded
 */
function createEngine(createBindings, compiledModules) {
  // The bindings, the exports of the main module, and the files that were added to it.
  let instance;

  function createInstance(part, verb) {
    const bindings = createBindings();
    const [module] = compiledModules("zonewright_bg.wasm", part, verb);
    return { bindings, exports: bindings.initSync({ module }), files: new Set() };
  }

  /** Returns the function that calls the verbs of a part, after adding the files of the part to the instance. */
  function prepare(part, verb) {
    instance ??= createInstance(part, verb);
    for (const file of partFiles[part]) {
      if (instance.files.has(file)) continue;
      for (const module of compiledModules(file, part, verb)) {
        // The instance adds its functions to the table of the main module, and its data to the memory.
        new WebAssembly.Instance(module, { __wasm_split: instance.exports });
      }
      instance.files.add(file);
    }
    return instance.bindings[part];
  }

  function call(part, verb, values, onError) {
    const run = prepare(part, verb);
    try {
      return run(verb, values);
    } catch (error) {
      // After a trap, the memory is in an unknown state, so the next call creates a new instance.
      instance = undefined;
      return onError(error);
    }
  }

  function createVerbs(part, fallbackResults) {
    const verbs = {};
    for (const [verb, fallback] of Object.entries(fallbackResults)) {
      const context = diagnosticContexts[`${part}.${verb}`];
      const onError = (error) => ({ ...fallback(), diagnostics: [{ ...context, ...internalError(error) }] });
      verbs[verb] = (...values) => call(part, verb, values, onError);
    }
    return verbs;
  }
  const schema = () => call("help", "schema", [], () => ({ referenceDate: "", ...emptySchema }));
  const datasets = () => call("logpush", "datasets", [], () => []);
  return {
    ...createVerbs("language", languageVerbs),
    ...createVerbs("help", helpVerbs),
    schema,
    ...createVerbs("evaluate", evaluateVerbs),
    ...createVerbs("test", testVerbs),
    ...createVerbs("prove", proveVerbs),
    logpush: { datasets, ...createVerbs("logpush", logpushVerbs) },
    migration: createVerbs("migration", migrationVerbs),
    ...createVerbs("trace", traceVerbs),
  };
}

/** Returns the bytes of the modules that are packed in a module; none if it is not packed (`split.mjs`). */
function packedModules(module) {
  return WebAssembly.Module.customSections(module, "module");
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
