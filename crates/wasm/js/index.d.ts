/**
 * A value of the language. Integers are numbers, or BigInt where a number is not exact; addresses are
 * strings; text that is not UTF-8 is `{ base64: "…" }`.
 */
export type Value = string | number | bigint | boolean | Value[] | { [name: string]: Value };

/** A value as it is given; `null` inside of {@link Fields} says that the request has none. */
export type GivenValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly GivenValue[]
  | { readonly [name: string]: GivenValue };

/** Fields with their values. */
export type Fields = Readonly<Record<string, GivenValue | undefined>>;

/** What is known of a request. Every member may be left out. */
export interface RequestRecord {
  /** Fields with their values; they count before what `request` says. `null` means: has no such value. */
  fields?: Fields | null | undefined;
  /** An HTTP request as it goes over the wire, a curl command, a URL, HAR, or fields as JSON. */
  request?: string | null | undefined;
  /** What fields are that nothing says anything about: `"unknown"` (the default) or `"absent"`. */
  missing?: "unknown" | "absent" | null | undefined;
  /** The items of named lists: addresses, networks and ranges, or host names, or AS numbers. */
  lists?: Readonly<Record<string, ReadonlyArray<string | number>>> | null | undefined;
  /** What everything random is made from. */
  seed?: number | null | undefined;
}

/** Options of {@link evaluate}. */
export interface EvaluateOptions extends Options {
  /** Whether the answer has a `trace`. */
  trace?: boolean | null | undefined;
}

/** What one condition gave; `absent` is false because a value in it is missing. */
export type Truth = "true" | "false" | "unknown" | "absent" | "not-reached";

/** A condition with what it gave. */
export interface TraceStep {
  start: number;
  end: number;
  truth: Truth;
  /** The left value of a comparison, when it is reached and known. */
  value?: Value;
}

/** Answer of {@link evaluate}. */
export interface EvaluateResult {
  /**
   * What came out. `error` when the expression or the call has one, `absent` when a value expression has
   * no value for this request.
   */
  outcome: "match" | "no-match" | "unknown" | "value" | "absent" | "error";
  /** True or false, `"unknown"`, the value of a value expression, or null (`absent`, `error`). */
  result: Value | null;
  /** What would decide an unknown answer: fields, `$lists`, functions. */
  unknown: string[];
  /** What was assumed of the request, one sentence each. */
  notes: string[];
  /** Every condition in the order of the source, the outer one first; with the option `trace`. */
  trace?: TraceStep[];
  diagnostics: Diagnostic[];
}

/** Options of {@link equivalent}, {@link subsumes} and {@link neverFires}. */
export interface EquivalenceOptions extends Options {
  /** Most steps of work before a question (of `neverFires`: about one rule) is left undecided; 10,000,000 by default. */
  steps?: number | null | undefined;
}

/** A problem of one of two expressions. */
export interface PairDiagnostic extends Diagnostic {
  /** Which of them its offsets are of. */
  expression: "first" | "second";
}

/** A request that tells two expressions apart; what does not matter is not given. */
export interface Counterexample {
  /** Null is a field that the request lacks. */
  fields: Record<string, Value | null>;
  lists: Record<string, (string | number)[]>;
  missing: "unknown" | "absent";
}

/** Answer of {@link equivalent} and {@link subsumes}. */
export interface EquivalenceResult {
  /** Proved, refuted, or neither; null when an expression or the call has an error. */
  answer: "yes" | "no" | "undecided" | null;
  /** Of `yes`: what the proof takes for granted; often nothing. */
  assumptions?: string[];
  /** Of `no`: a request for which they differ, as `evaluate` takes it. */
  record?: Counterexample;
  /** Of `no`: what the first expression gives for it. */
  first?: boolean;
  /** Of `no`: what the second expression gives for it. */
  second?: boolean;
  /** Of `undecided`: why. */
  reason?: string;
  /** The problems of both expressions, of the first one first. */
  diagnostics: PairDiagnostic[];
}

/** A rule of a list. Members that are not named here are passed over. */
export interface ListedRule {
  /** The condition of a rule of a ruleset, or of any rule. */
  expression?: string | undefined;
  /** The filter of a firewall rule, with its condition. */
  filter?: { readonly expression: string; readonly paused?: boolean | null | undefined } | undefined;
  /** What it does; without an action it ends the list. */
  action?: string | undefined;
  /** Place of a firewall rule in the evaluation, small first, none last. */
  priority?: number | null | undefined;
  paused?: boolean | null | undefined;
  /** Of a rule of a ruleset. */
  enabled?: boolean | null | undefined;
  description?: string | null | undefined;
  readonly [member: string]: unknown;
}

/** A list of rules, or what has one. */
export type RuleList =
  | ReadonlyArray<string | ListedRule>
  | { readonly rules: ReadonlyArray<ListedRule>; readonly [member: string]: unknown }
  | { readonly result: unknown; readonly [member: string]: unknown };

/** What is said of a rule of a list. */
export interface JudgedRule {
  /** Its place in what was passed, from 0. */
  index: number;
  /** Its description, reference or identifier. */
  name?: string;
  /** `inactive` is paused or disabled; `error` has a wrong expression. */
  fires: "yes" | "never" | "undecided" | "inactive" | "error";
  /** Of `never`: whether it is never true, or earlier rules are true and end the list whenever it is. */
  why?: "contradiction" | "covered";
  /** Of `covered`: the places of these rules. */
  by?: number[];
  /** Of `never`: what the proof takes for granted; often nothing. */
  assumptions?: string[];
  /** Of `undecided`: why. */
  reason?: string;
}

/** A problem of a rule of a list, or of the call. */
export interface RuleDiagnostic extends Diagnostic {
  /** The place of the rule whose expression its offsets are of; null when it is about the call. */
  rule: number | null;
}

/** Answer of {@link neverFires}. */
export interface NeverFiresResult {
  /** In the order in which they are asked. */
  rules: JudgedRule[];
  /** What a reader of the answer should know, one sentence each. */
  notes: string[];
  diagnostics: RuleDiagnostic[];
}

/** Options of {@link test}. */
export interface TestOptions {
  /** Texts of the files that tests name by `file`, by their names. */
  files?: Readonly<Record<string, string>> | null | undefined;
  /** Whether the answer has a report in the XML of JUnit. */
  junit?: boolean | null | undefined;
  /** What the file is called in that report. */
  name?: string | null | undefined;
}

/** A condition that decided; `expression.slice(start, end)` is its text. */
export interface TestReason {
  start: number;
  end: number;
  truth: Truth;
  /** The value on its left, if it is known. */
  value?: Value;
  /** All of this in one line. */
  text: string;
}

/** What became of a case. */
export interface TestCase {
  /** Its name, or one made for it. */
  name: string;
  /** The line it begins on, from 1. */
  line: number;
  /** Its place in the file. */
  start: number;
  end: number;
  /** `error` when it could not be run. */
  result: "passed" | "failed" | "error";
  /** Of `failed`: what it must give, in words. */
  expected?: string;
  /** Of `failed`: what it gave, in words. */
  found?: string;
  /** Of `failed`: the conditions that decided. */
  reasons: TestReason[];
  /** Of `error`: why, at its place in the file. */
  problem?: Diagnostic;
  /** What was assumed of the request, one sentence each. */
  notes: string[];
}

/** What became of a test. */
export interface TestReport {
  name: string;
  /** Its place in the file. */
  start: number;
  end: number;
  /** Its expression; empty when it could not be had. */
  expression: string;
  /** Where the expression stands in the file as it is; null when it does not. */
  expressionStart: number | null;
  /** The file that the expression stands in; null when it is this one. */
  file: string | null;
  cases: TestCase[];
  /** The problems of the expression, at their places in it. */
  diagnostics: Diagnostic[];
}

/** Answer of {@link test}. */
export interface TestResult {
  /** Whether every case gave what it must, and nothing is wrong with the file. */
  ok: boolean;
  passed: number;
  failed: number;
  /** Cases that could not be run. */
  errors: number;
  /** Mistakes of the file itself, which are no cases; `diagnostics` says what they are. */
  mistakes: number;
  /** The tests, in the order of the file. */
  tests: TestReport[];
  /** The report for build servers; with the option `junit`. */
  junit?: string;
  /** What is wrong with the file itself. */
  diagnostics: Diagnostic[];
}

/** A field of requests, responses or packets. */
export interface SchemaField {
  name: string;
  /** Its type, such as `Map<Array<String>>`. */
  type: string;
  doc: string;
  /** What kind of traffic has it. */
  available: "request" | "response" | "packet" | "request-and-packet";
  /** The only phases that accept it; null when `available` says it all. */
  phases: Phase[] | null;
  /** The plan it needs, or a product bought besides; null when every zone may use it. */
  needs: Plan | "add-on" | null;
  /** Whether its name is out of use. */
  deprecated: boolean;
  /** The name to use instead. */
  replacement: string | null;
  /** Whether it is known only second-hand. */
  doubtful: boolean;
}

/** A function; `form.slice(start, end)` is how the form of the call shows a parameter. */
export interface SchemaFunction {
  name: string;
  form: string;
  returns: string;
  doc: string;
  parameters: Parameter[];
  phases: Phase[] | null;
  needs: Plan | "add-on" | null;
  doubtful: boolean;
}

/** An operator. */
export interface SchemaOperator {
  name: string;
  /** The other way to write it. */
  symbol: string | null;
  /** What it says, to be read behind a value. */
  doc: string;
  /** What else there is to know. */
  notes: string[];
}

/** A phase or a plan with its name for people. */
export interface SchemaName<Name extends string = string> {
  name: Name;
  title: string;
}

/** Answer of {@link schema}. */
export interface Schema {
  /** The month that it describes, such as `2026-11`. */
  referenceDate: string;
  /** In the order of their names, as are the functions. */
  fields: SchemaField[];
  functions: SchemaFunction[];
  /** Operators that compare. */
  operators: SchemaOperator[];
  /** Operators that join and negate. */
  logical: SchemaOperator[];
  phases: SchemaName<Phase>[];
  /** From the smallest up. */
  plans: SchemaName<Plan>[];
  /** Lists that exist without being made, without `$`. */
  managedLists: string[];
  /** The codes of all lints. */
  lints: string[];
}

/** Every problem of an expression, and its type. */
export function check(source: string, options?: Options | null): CheckResult;

/** All that an editor shows of an expression, in one call. */
export function analyze(source: string, options?: Options | null): Analysis;

/** The expression after all safe fixes, and what remains to be done by hand. */
export function fix(source: string, options?: Options | null): FixResult;

/** The expression laid out anew; it means the same. */
export function format(source: string, options?: FormatOptions | null): TextResult;

/** The expression in plain English. */
export function explain(source: string, options?: Options | null): ExplainResult;

/** What an expression gives for a request; unknown where it depends on what the record does not give. */
export function evaluate(source: string, record: RequestRecord, options?: EvaluateOptions | null): EvaluateResult;

/** Whether both expressions are true for the same requests: a proof, or a request that tells them apart. */
export function equivalent(first: string, second: string, options?: EquivalenceOptions | null): EquivalenceResult;

/** Whether the general expression is true whenever the special one is; the general one is the first. */
export function subsumes(general: string, special: string, options?: EquivalenceOptions | null): EquivalenceResult;

/**
 * Which rules of an ordered list can never fire: an array of expressions, firewall rules as the service
 * lists them, rules of a ruleset or a whole one, an answer of the service with one of these, or text with
 * an expression on each line.
 */
export function neverFires(rules: RuleList | string, options?: EquivalenceOptions | null): NeverFiresResult;

/** What becomes of the text of a file of test cases (TOML). */
export function test(source: string, options?: TestOptions | null): TestResult;

/** Fields, functions, operators, phases and plans as data. */
export function schema(): Schema;

/** What may stand at a UTF-16 offset of an expression; an offset outside counts as the nearer end. */
export function complete(source: string, offset: number, options?: Options | null): Completions;

/** What stands at a UTF-16 offset of an expression, or right before it. */
export function hover(source: string, offset: number, options?: Options | null): HoverResult;

/** The innermost call around a UTF-16 offset of an expression. */
export function signature(source: string, offset: number): SignatureResult;

/**
 * Loads the engine. In a browser, wait for it once before the first call (which throws otherwise);
 * further calls give the same promise. In Node.js it does nothing.
 *
 * @param wasm where the wasm file is, or the file itself; by default it is looked for beside the
 * module. An address, a `Response`, bytes, a `WebAssembly.Module`, or a promise of one of them.
 */
export function init(wasm?: unknown): Promise<void>;

/** Version of the package. */
export const version: string;
