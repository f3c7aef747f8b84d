/**
 * A value of the language. An integer is a number, or a BigInt if a number is not exact. An IP address is a string. A
 * string that is not UTF-8 is `{ base64: "…" }`.
 */
export type Value = string | number | bigint | boolean | Value[] | { [name: string]: Value };

/** A value in an argument; `null` in {@link Fields} means that the request does not have the value. */
export type InputValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly InputValue[]
  | { readonly [name: string]: InputValue };

/** Fields with their values. */
export type Fields = Readonly<Record<string, InputValue | undefined>>;

/** The known values of a request. Every member is optional. */
export interface RequestRecord {
  /** Fields with their values, which take precedence over `request`. `null` means that the request has no value. */
  fields?: Fields | null | undefined;
  /** A raw HTTP request, a curl command, a URL, HAR, or fields as JSON. */
  request?: string | null | undefined;
  /** Whether all other fields are `"unknown"` (the default) or `"absent"`. */
  missing?: "unknown" | "absent" | null | undefined;
  /** The items of named lists: IP addresses, networks, and ranges; hostnames; or AS numbers. */
  lists?: Readonly<Record<string, ReadonlyArray<string | number>>> | null | undefined;
  /** The seed of all random values. */
  seed?: number | null | undefined;
}

/** Options of {@link evaluate}. */
export interface EvaluateOptions extends Options {
  /** Whether the result has a `trace`. */
  trace?: boolean | null | undefined;
}

/**
 * The truth value of a condition. `absent` is false because a value in the condition is missing. `not-reached` means
 * that the condition was not evaluated.
 */
export type Truth = "true" | "false" | "unknown" | "absent" | "not-reached";

/** A condition with its truth value. */
export interface TraceStep {
  start: number;
  end: number;
  truth: Truth;
  /** The left operand of a comparison, if it was evaluated and is known. */
  value?: Value;
}

/** Result of {@link evaluate}. */
export interface EvaluateResult {
  /**
   * The outcome. `error` means that the expression or the call has an error, `absent` that a value expression has no
   * value for this request.
   */
  outcome: "match" | "no-match" | "unknown" | "value" | "absent" | "error";
  /** True or false, `"unknown"`, the value of a value expression, or null for `absent` and `error`. */
  result: Value | null;
  /** The fields, `$lists` and functions that would decide an unknown result. */
  unknown: string[];
  /** Sentences about what was assumed or ignored in the request. */
  notes: string[];
  /** Every condition in the order of the source, outer conditions first; only with the option `trace`. */
  trace?: TraceStep[];
  diagnostics: Diagnostic[];
}

/** A sample request as a user enters it in a form. */
export interface SampleForm {
  /** A request in any format: raw HTTP, a curl command, a HAR file, a URL, or fields as JSON. */
  request?: string | null | undefined;
  /** The index of the request in a HAR file; 0 by default. */
  entry?: number | null | undefined;
  /**
   * The texts of fields, and of lists (named with `$`, items separated by spaces or commas), that replace the values of
   * the request. Empty texts are ignored.
   */
  values?: Readonly<Record<string, string>> | null | undefined;
  /** The value of fields that have neither; `"unknown"` by default. */
  missing?: "unknown" | "absent" | null | undefined;
}

/** A field or list that an expression reads. */
export interface SampleInput {
  /** The name; a list has the prefix `$`. */
  name: string;
  /** The type of the field; null for a list. */
  type: string | null;
  /** The value in the request, without the texts of the form. */
  value?: Value;
  /** The error of the text in the form. */
  error?: string;
}

/** Result of {@link sample}, which always has a `trace` if the expression is valid. */
export interface SampleResult extends EvaluateResult {
  /** The detected format; null without a request, or if the text has no known format. */
  format: "fields" | "http" | "curl" | "har" | "url" | null;
  /** Method and URL of each request in a HAR file. */
  entries: string[];
  /** The error of the text of the request. */
  error: { message: string; help?: string } | null;
  /** The fields and then the lists that the expression reads, in the order of the source. */
  inputs: SampleInput[];
}

/** Options of {@link equivalent}, {@link subsumes}, {@link satisfiable}, and {@link neverFires}. */
export interface EquivalenceOptions extends Options {
  /** Maximum steps of the solver, for `neverFires` per rule, before the result is undecided; 10,000,000 by default. */
  steps?: number | null | undefined;
}

/** A diagnostic of one of two expressions. */
export interface PairDiagnostic extends Diagnostic {
  /** The expression that the offsets refer to. */
  expression: "first" | "second";
}

/** A request that distinguishes two expressions. It has only the relevant fields and lists. */
export interface Counterexample {
  /** `null` means that the request does not have the field. */
  fields: Record<string, Value | null>;
  lists: Record<string, (string | number)[]>;
  missing: "unknown" | "absent";
}

/** Result of {@link equivalent} and {@link subsumes}. */
export interface EquivalenceResult {
  /** Whether the relation was proved or refuted; null if an expression or the call has an error. */
  answer: "yes" | "no" | "undecided" | null;
  /** For `yes`: the assumptions of the proof; often empty. */
  assumptions?: string[];
  /** For `no`: a request for which they differ, as a record for `evaluate`. */
  record?: Counterexample;
  /** For `no`: the result of the first expression for this request. */
  first?: boolean;
  /** For `no`: the result of the second expression for this request. */
  second?: boolean;
  /** For `undecided`: the reason. */
  reason?: string;
  /** The diagnostics of the first expression, then those of the second. */
  diagnostics: PairDiagnostic[];
}

/** Result of {@link satisfiable}. */
export interface SatisfiableResult {
  /** Whether at least one request makes the expression true; null if the expression or the call has an error. */
  answer: "yes" | "no" | "undecided" | null;
  /** For `no`: the assumptions of the proof; often empty. */
  assumptions?: string[];
  /** For `yes`: a request for which it is true, as a record for `evaluate`. */
  record?: Counterexample;
  /** For `undecided`: the reason. */
  reason?: string;
  diagnostics: Diagnostic[];
}

/** Result of {@link runsManagedRules}. */
export interface ManagedRulesResult {
  /** Null if the ruleset or the call has an error. */
  runs: boolean | null;
  /** Errors of the ruleset. */
  errors: migration.ValidationError[];
  /** Errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** A rule of a list. Other members are ignored. */
export interface ListedRule {
  /** The expression of a rule. */
  expression?: string | undefined;
  /** The filter of a firewall rule. */
  filter?: { readonly expression: string; readonly paused?: boolean | null | undefined } | undefined;
  /** The action; a rule without one terminates the evaluation. */
  action?: string | undefined;
  /** Order of a firewall rule: lower priorities run first, rules without a priority run last. */
  priority?: number | null | undefined;
  paused?: boolean | null | undefined;
  /** Whether a rule of a ruleset is active. */
  enabled?: boolean | null | undefined;
  description?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** A list of rules, or an object that contains one. */
export type RuleList =
  | ReadonlyArray<string | ListedRule>
  | { readonly rules: ReadonlyArray<ListedRule>; readonly [member: string]: unknown }
  | { readonly result: unknown; readonly [member: string]: unknown };

/** Whether a rule of a list can fire. */
export interface RuleVerdict {
  /** Index in the list that was passed. */
  index: number;
  /** Description, reference, or identifier of the rule. */
  name?: string;
  /** The expression of the rule. */
  expression: string;
  /** `inactive` means paused or disabled; `error` means that the expression has errors. */
  fires: "yes" | "never" | "undecided" | "inactive" | "error";
  /**
   * For `never`: the expression is never true (`contradiction`), or earlier terminating rules match all its requests
   * (`shadowed`).
   */
  why?: "contradiction" | "shadowed";
  /** For `shadowed`: the indexes of these rules. */
  by?: number[];
  /** For `never`: the assumptions of the proof; often empty. */
  assumptions?: string[];
  /** For `undecided`: the reason. */
  reason?: string;
}

/** A diagnostic of a rule of a list, or of the call. */
export interface RuleDiagnostic extends Diagnostic {
  /** Index of the rule whose expression the offsets refer to; null for an error of the call. */
  rule: number | null;
}

/** Result of {@link neverFires}. */
export interface NeverFiresResult {
  /** The rules in the order of their evaluation. */
  rules: RuleVerdict[];
  /** Sentences that qualify the result. */
  notes: string[];
  diagnostics: RuleDiagnostic[];
}

/** Options of {@link test}. */
export interface TestOptions {
  /** Texts of the files that tests refer to with `file`, by name. */
  files?: Readonly<Record<string, string>> | null | undefined;
  /** Whether the result has a JUnit report. */
  junit?: boolean | null | undefined;
  /** Name of the test file in that report. */
  name?: string | null | undefined;
}

/** A condition that decided the result; `expression.slice(start, end)` is its text. */
export interface TestReason {
  start: number;
  end: number;
  truth: Truth;
  /** The value of its left operand, if it is known. */
  value?: Value;
  /** A description of the condition, its truth value and its left operand. */
  text: string;
}

/** The result of a case. */
export interface TestCase {
  /** Name of the case, such as `match 1` if it has none. */
  name: string;
  /** The line on which it begins, from 1. */
  line: number;
  /** Offset of its header in the file. */
  start: number;
  end: number;
  /** `error` means that the case could not be run. */
  result: "passed" | "failed" | "error";
  /** For `failed`: the expected result, such as `a match`. */
  expected?: string;
  /** For `failed`: the actual result. */
  found?: string;
  /** For `failed`: the conditions that decided the result. */
  reasons: TestReason[];
  /** For `error`: the reason. Its offsets refer to the file. */
  problem?: Diagnostic;
  /** Sentences about what was assumed or ignored in the request. */
  notes: string[];
}

/** The results of a test. */
export interface TestReport {
  name: string;
  /** Offset of its header in the file. */
  start: number;
  end: number;
  /** The expression; empty if it is unknown. */
  expression: string;
  /** Offset of the expression in the file; null if it is in another file or written with escapes. */
  expressionStart: number | null;
  /** Name of the file with the expression; null if it is in the test file. */
  file: string | null;
  cases: TestCase[];
  /** Diagnostics of the expression. Their offsets refer to it. */
  diagnostics: Diagnostic[];
}

/** Result of {@link test}. */
export interface TestResult {
  /** Whether every case passed and the file has no errors. */
  ok: boolean;
  passed: number;
  failed: number;
  /** Cases that could not be run. */
  errors: number;
  /** Number of errors in the file itself, which are not cases; `diagnostics` lists them. */
  fileErrors: number;
  /** The tests, in the order of the file. */
  tests: TestReport[];
  /** The JUnit report for CI servers; only with the option `junit`. */
  junit?: string;
  /** Errors in the file itself, or errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** A field of requests, responses, or packets. */
export interface SchemaField {
  name: string;
  /** Its type, such as `Map<Array<String>>`. */
  type: string;
  doc: string;
  /** The kind of traffic that has it. */
  available: "request" | "response" | "packet" | "request-and-packet";
  /** The only phases that accept it; null if `available` is the only restriction. */
  phases: Phase[] | null;
  /** The plan or add-on that it requires; null if every zone may use it. */
  needs: Plan | "add-on" | null;
  /** Whether its name is deprecated. */
  deprecated: boolean;
  /** The name to use instead. */
  replacement: string | null;
  /** Whether the public documentation does not confirm it. */
  unconfirmed: boolean;
}

/** A function; `signature.slice(start, end)` is the text of a parameter in the signature. */
export interface SchemaFunction {
  name: string;
  signature: string;
  returns: string;
  doc: string;
  parameters: Parameter[];
  phases: Phase[] | null;
  needs: Plan | "add-on" | null;
  unconfirmed: boolean;
}

/** An operator. */
export interface SchemaOperator {
  name: string;
  /** The alternative spelling. */
  symbol: string | null;
  /** Its meaning, as a phrase that follows a value. */
  doc: string;
  /** Further remarks. */
  notes: string[];
}

/** A phase or a plan with its display name. */
export interface SchemaName<Name extends string = string> {
  name: Name;
  title: string;
}

/** Result of {@link schema}. */
export interface Schema {
  /** The month of the documentation that it describes, such as `2026-11`. */
  referenceDate: string;
  /** Fields, sorted by name. */
  fields: SchemaField[];
  /** Functions, sorted by name. */
  functions: SchemaFunction[];
  /** Comparison operators. */
  operators: SchemaOperator[];
  /** Logical operators. */
  logical: SchemaOperator[];
  phases: SchemaName<Phase>[];
  /** Plans, from the smallest to the largest. */
  plans: SchemaName<Plan>[];
  /** Names of the managed lists, without `$`. */
  managedLists: string[];
  /** The codes of all lints. */
  lints: string[];
}

/** Checks an expression and infers its type. */
export function check(source: string, options?: Options | null): CheckResult;

/** Returns diagnostics, tokens, and usage of the limits for an editor, in one call. */
export function analyze(source: string, options?: Options | null): Analysis;

/** Applies all safe fixes to an expression. The result has the remaining diagnostics. */
export function fix(source: string, options?: Options | null): FixResult;

/** Formats an expression without changing its meaning. */
export function format(source: string, options?: FormatOptions | null): TextResult;

/** Explains an expression in plain English. */
export function explain(source: string, options?: Options | null): ExplainResult;

/** Evaluates an expression for a request. The result is unknown if it depends on values that are not in the record. */
export function evaluate(source: string, record: RequestRecord, options?: EvaluateOptions | null): EvaluateResult;

/** Evaluates an expression for a sample request that a user enters in a form. */
export function sample(source: string, form: SampleForm, options?: Options | null): SampleResult;

/** Proves that both expressions are true for the same requests, or finds a request for which they differ. */
export function equivalent(first: string, second: string, options?: EquivalenceOptions | null): EquivalenceResult;

/** Proves that the general expression is true whenever the special one is, or finds a counterexample. */
export function subsumes(general: string, special: string, options?: EquivalenceOptions | null): EquivalenceResult;

/** Finds a request that makes the expression true, or proves that there is none. */
export function satisfiable(source: string, options?: EquivalenceOptions | null): SatisfiableResult;

/**
 * Decides whether an entry point of managed rules executes a managed ruleset for at least one request. `runs` is false
 * only if it is proved that no enabled rule does so, or that earlier rules skip each of them. Otherwise it is true.
 */
export function runsManagedRules(ruleset: object | string): ManagedRulesResult;

/**
 * Finds the rules of an ordered list that can never fire.
 *
 * The list is an array of expressions or firewall rules, a ruleset or its rules, a response of the service with one of
 * these, or a text with an expression on each line.
 */
export function neverFires(rules: RuleList | string, options?: EquivalenceOptions | null): NeverFiresResult;

/** Runs a TOML file of test cases. */
export function test(source: string, options?: TestOptions | null): TestResult;

/** Returns the fields, functions, operators, phases, and plans of the language as data. */
export function schema(): Schema;

/** Returns completions at a UTF-16 offset of an expression. An offset outside of it is clamped. */
export function complete(source: string, offset: number, options?: Options | null): Completions;

/** Returns the description of the token at a UTF-16 offset of an expression, or right before it. */
export function hover(source: string, offset: number, options?: Options | null): HoverResult;

/** Returns the innermost call around a UTF-16 offset of an expression. */
export function signature(source: string, offset: number): SignatureResult;

/** A part of the engine. {@link init} loads `language`, and {@link load} loads the others. */
export type Part = "language" | "help" | "evaluate" | "test" | "prove" | "logpush" | "migration" | "trace";

/**
 * Loads the language part: `check`, `analyze`, `fix`, and `format`. In a browser, await it once before any other call,
 * which throws otherwise. Further calls return the same promise. In Node.js it does nothing.
 *
 * @param source where `zonewright_bg.wasm` is: a URL, a `Response`, bytes, a `WebAssembly.Module`, or a promise of one
 * of them. {@link load} looks for the other files in the directory of a URL. For anything else, pass an object with a
 * source for each file that you need. By default, the files next to the module are loaded.
 */
export function init(source?: unknown | Readonly<Record<string, unknown>>): Promise<void>;

/**
 * Loads parts of the engine, and the language part. In a browser, await it before you call a function of the part, which
 * throws otherwise. Each file is loaded once. In Node.js it does nothing.
 *
 * - `help` has `explain`, `schema`, `complete`, `hover`, and `signature`.
 * - `evaluate` has `evaluate` and `sample`.
 * - `test` has `test`.
 * - `prove` has `equivalent`, `subsumes`, `satisfiable`, `neverFires`, and `runsManagedRules`.
 * - `logpush` and `migration` have the functions of these members.
 * - `trace` has `traceZone`.
 */
export function load(...parts: Part[]): Promise<void>;

/** The version of the package. */
export const version: string;
