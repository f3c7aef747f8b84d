
/** Log push jobs and their filters. The build appends this file to the other declarations. */
export namespace logpush {
  /** Options of most functions. */
  interface Options {
    /** The dataset whose fields the filter may use; `http_requests` by default. */
    dataset?: string | null | undefined;
    /** Maximum number of conditions; 30 by default. */
    maxOperators?: number | null | undefined;
    /** Maximum size of a filter in bytes of UTF-8, without the escapes of an escaped filter; 1000 by default. */
    maxBytes?: number | null | undefined;
    /**
     * Whether lints are reported: all, or all except the codes in `allow`. By default, only `check`, `analyze`, and
     * `fix` report them.
     */
    lint?: boolean | { readonly allow?: readonly string[] | null | undefined } | null | undefined;
  }

  /** Options of {@link format}. */
  interface FormatOptions {
    /** Several lines (`"pretty"`, the default), the fewest bytes (`"compact"`), or the escaped string of a job. */
    style?: "pretty" | "compact" | "escaped" | null | undefined;
    /** Maximum line length in characters, where the filter can be broken; 100 by default. */
    width?: number | null | undefined;
  }

  /** Options of {@link evaluate}. */
  interface EvaluateOptions extends Options {
    /** Whether a field that is not in the line has its zero value (`"absent"`, the default) or is unknown. */
    missing?: "absent" | "unknown" | null | undefined;
    /** Whether the result has a `trace`. */
    trace?: boolean | null | undefined;
  }

  /** Options of {@link count}. */
  interface CountOptions extends Options {
    /** Maximum number of sample lines of each outcome; 0 by default. */
    samples?: number | null | undefined;
  }

  /** Options of {@link render}: the owner of a job, and additional permissions. */
  interface JobOptions {
    /** The kind of owner of the job; `"zone"` by default. */
    scope?: "zone" | "account" | null | undefined;
    /** Whether `file://` destinations are allowed. */
    files?: boolean | null | undefined;
    /** Whether `http://` destinations are allowed. */
    plainHttp?: boolean | null | undefined;
  }

  /** Options of {@link job}. */
  interface JobUpdateOptions extends JobOptions {
    /**
     * The existing job, as the service returns it, if the job is an update. Only the members of the update change, and
     * only they are validated.
     */
    current?: string | object | null | undefined;
  }

  /** Result of {@link check}. */
  interface CheckResult {
    /** Whether there are no errors. */
    ok: boolean;
    /** Whether the filter is an object or an escaped string; null if an argument is invalid. */
    encoding: "object" | "escaped" | null;
    diagnostics: Diagnostic[];
  }

  /** Result of {@link analyze}. */
  interface Analysis extends CheckResult {
    tokens: { kind: "member" | "key" | "operator" | "string" | "number" | "literal"; start: number; end: number }[];
    usage: { operators: number; maxOperators: number; bytes: number; maxBytes: number };
  }

  /** The truth value of one condition or group for a line. */
  interface Step {
    start: number;
    end: number;
    truth: Truth;
    /** The value of the condition's field in the line, if there is one. */
    value?: unknown;
    /** Whether this is a condition whose field the line lacks or has as `null`. */
    missing: boolean;
  }

  /** Result of {@link evaluate}. */
  interface EvaluateResult {
    /** Whether the filter selects the line; null if there is an error. */
    result: boolean | "unknown" | null;
    /** The fields that would decide an unknown result. */
    unknown: string[];
    /** The error in the line. `offset` is a UTF-16 offset in its text. */
    error: { message: string; offset: number } | null;
    /** Every condition and group in the order of the source; only with the option `trace`. */
    trace?: Step[];
    diagnostics: Diagnostic[];
  }

  /** Result of {@link count}. Sizes are in bytes of UTF-8, without surrounding whitespace. */
  interface CountResult {
    /** Number of lines, including blank ones. */
    lines: number;
    /** Number of lines that the filter selects. */
    kept: number;
    keptBytes: number;
    /** Number of lines that the filter does not select. */
    dropped: number;
    droppedBytes: number;
    /** Number of lines that are not JSON objects, or in which a field of the filter has the wrong type. */
    rejected: number;
    rejectedBytes: number;
    /** The operator of the outermost group, or `"and"` for a single condition; null if there is an error. */
    operator: "and" | "or" | null;
    /** The conditions of the outermost group, in source order. */
    conditions: ConditionCount[];
    /** The first lines of each outcome. */
    samples: LineSample[];
    diagnostics: Diagnostic[];
  }

  /** A condition of the outermost group with a count. */
  interface ConditionCount {
    start: number;
    end: number;
    /** Number of lines that match all conditions so far; with the operator `"or"`, at least one of them. */
    kept: number;
  }

  /** A line with the reason for its outcome. */
  interface LineSample {
    /** The line number, from 1; blank lines count. */
    line: number;
    /** The line; after 400 characters, it is cut and ends with `…`. */
    text: string;
    outcome: "kept" | "dropped" | "rejected";
    /** The reason in English, or the error of a rejected line. */
    reason: string;
    /** The range of the condition that decided alone, or of the smallest such group; null for a rejected line. */
    start: number | null;
    end: number | null;
  }

  /** Result of {@link convert}. */
  interface ConvertResult {
    /** The converted text; null if the conversion would change the meaning, or if there are errors. */
    text: string | null;
    /** The parts that cannot be converted. */
    losses: { message: string; start: number; end: number }[];
    diagnostics: Diagnostic[];
  }

  /** An error in a job. */
  interface JobError {
    /** The code in `errors[].code` of the service. */
    code: number;
    /** JSON pointer to the part with the error. */
    pointer: string;
    message: string;
    /** The errors in the filter, with offsets in it; empty for every other part of the job. */
    diagnostics: Diagnostic[];
  }

  /** Result of {@link job}. */
  interface JobResult {
    ok: boolean;
    /** The errors in the job. */
    errors: JobError[];
    /** Errors of the arguments. */
    diagnostics: Diagnostic[];
  }

  /** Result of {@link render}. */
  interface RenderResult {
    /** The batch of all selected lines; empty if no line is selected, null if the job or an argument has errors. */
    text: string | null;
    /** Number of lines that the filter selects. */
    kept: number;
    /** Number of lines that the filter does not select. */
    dropped: number;
    /** Lines that are not JSON objects, or in which a field of the filter has the wrong type; numbered from 1. */
    rejected: { line: number; message: string }[];
    errors: JobError[];
    diagnostics: Diagnostic[];
  }

  /** A dataset with its fields. */
  interface Dataset {
    name: string;
    /** Whether jobs of zones may deliver it. */
    zone: boolean;
    /** Whether jobs of accounts may deliver it. */
    account: boolean;
    fields: { name: string; type: string; filterable: boolean; deprecated: boolean }[];
  }

  /** Checks a filter: its JSON object, or the escaped string of a job. */
  function check(source: string, options?: Options | null): CheckResult;
  /** Returns diagnostics, tokens, and usage of the limits for an editor, in one call. */
  function analyze(source: string, options?: Options | null): Analysis;
  /** Applies all safe fixes to a filter. */
  function fix(source: string, options?: Options | null): FixResult;
  /** Formats a filter; the text is null if the syntax is invalid. */
  function format(source: string, options?: FormatOptions | null): TextResult;
  /** Shortens a filter where possible and keeps its meaning; the text is null if the filter has errors. */
  function simplify(source: string, options?: Options | null): TextResult;
  /** Explains a filter in plain English. */
  function explain(source: string, options?: Options | null): ExplainResult;
  /** Evaluates a filter for a log line: its JSON text, or an object. */
  function evaluate(source: string, line: string | object, options?: EvaluateOptions | null): EvaluateResult;
  /**
   * Counts the log lines (NDJSON, as text or as bytes) that a filter selects. Lines of several calls can be added: call it
   * with successive parts of a long file that end after a line break.
   */
  function count(source: string, lines: string | Uint8Array, options?: CountOptions | null): CountResult;
  /** Converts a filter to an expression of the Rules language, or an expression to a filter of the dataset. */
  function convert(source: string, options?: Options | null): ConvertResult;
  /** Returns completions at a UTF-16 offset of a filter. */
  function complete(source: string, offset: number, options?: Options | null): Completions;
  /** Returns the description of the token at a UTF-16 offset of a filter. */
  function hover(source: string, offset: number, options?: Options | null): HoverResult;
  /** Validates a new job or an update of a job: its settings as an object, or as JSON text. */
  function job(job: string | object, options?: JobUpdateOptions | null): JobResult;
  /** Renders log lines (NDJSON) as one batch of a job, without sampling. */
  function render(job: string | object, lines: string, options?: JobOptions | null): RenderResult;
  /** Returns the datasets with their fields. */
  function datasets(): Dataset[];
}
