
/** Log push: filters of jobs, and jobs. Put behind the other types when the package is built. */
export namespace logpush {
  /** What to check a filter against. */
  interface Options {
    /** The dataset whose fields it may name; `http_requests` by default. */
    dataset?: string | null | undefined;
    /** Most conditions; 30 by default. */
    maxOperators?: number | null | undefined;
    /** Longest filter in bytes of UTF-8, without the escapes of an escaped one; 1000 by default. */
    maxBytes?: number | null | undefined;
    /**
     * Whether lints are reported, all or without the codes of `allow`. By default `check`, `analyze` and
     * `fix` report them, the other functions do not.
     */
    lint?: boolean | { readonly allow?: readonly string[] | null | undefined } | null | undefined;
  }

  /** How to format: over lines, in the fewest bytes, or as the string that a job holds. */
  interface FormatOptions {
    style?: "pretty" | "compact" | "escaped" | null | undefined;
    /** Longest line in characters, where the filter can be broken; 100 by default. */
    width?: number | null | undefined;
  }

  /** Options of {@link evaluate}. */
  interface EvaluateOptions extends Options {
    /**
     * What a field is that the line lacks: the zero value of its type (`"absent"`, the default), or
     * unknown.
     */
    missing?: "absent" | "unknown" | null | undefined;
    /** Whether to tell what each condition gave. */
    trace?: boolean | null | undefined;
  }

  /** What is allowed of a job besides what is documented. */
  interface JobOptions {
    /** Whose job it is; a zone's by default. */
    scope?: "zone" | "account" | null | undefined;
    /** Whether `file://` destinations are allowed. */
    files?: boolean | null | undefined;
    /** Whether `http://` destinations are allowed. */
    plainHttp?: boolean | null | undefined;
  }

  /** Answer of {@link check}. */
  interface CheckResult {
    /** Whether there is no error. */
    ok: boolean;
    /** Whether the filter came as an object or as an escaped string; null when the call was wrong. */
    form: "object" | "escaped" | null;
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link analyze}. */
  interface Analysis extends CheckResult {
    tokens: { kind: "member" | "key" | "operator" | "string" | "number" | "literal"; start: number; end: number }[];
    meters: { operators: number; maxOperators: number; bytes: number; maxBytes: number };
  }

  /** What one condition or group gave for a line, in the order of the source. */
  interface Step {
    start: number;
    end: number;
    truth: Truth;
    /** The line's value of the condition's field, when it has one. */
    value?: unknown;
    /** Whether the line lacks the condition's field. */
    missing: boolean;
  }

  /** Answer of {@link evaluate}. */
  interface EvaluateResult {
    /** Whether the line is kept; null when there is no answer. */
    result: boolean | "unknown" | null;
    /** The fields that would decide an unknown answer. */
    unknown: string[];
    /** What is wrong with the line. `offset` counts UTF-16 units of its text. */
    error: { message: string; offset: number } | null;
    trace?: Step[];
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link convert}. */
  interface ConvertResult {
    /** The other text; null when it would not mean the same. */
    text: string | null;
    /** What cannot be carried over. */
    lost: { message: string; start: number; end: number }[];
    diagnostics: Diagnostic[];
  }

  /** One reason to refuse a job. */
  interface JobRefusal {
    /** As in `errors[].code` of the service. */
    code: number;
    /** JSON pointer to the place. */
    pointer: string;
    message: string;
  }

  /** Answer of {@link job}. */
  interface JobResult {
    ok: boolean;
    refusals: JobRefusal[];
    /** What is wrong with the call itself. */
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link render}. */
  interface RenderResult {
    /** What a batch of the kept lines holds; null when the job is refused. */
    text: string | null;
    kept: number;
    dropped: number;
    /** Lines, from 1, that are none of the dataset. */
    rejected: { line: number; message: string }[];
    refusals: JobRefusal[];
    diagnostics: Diagnostic[];
  }

  /** A dataset with its fields. */
  interface Dataset {
    name: string;
    /** Whether zones have it. */
    zone: boolean;
    /** Whether accounts have it. */
    account: boolean;
    fields: { name: string; type: string; filterable: boolean; deprecated: boolean }[];
  }

  /** Every problem of a filter: its JSON object, or the escaped string that a job holds. */
  function check(source: string, options?: Options | null): CheckResult;
  /** All that an editor shows of a filter, in one call. */
  function analyze(source: string, options?: Options | null): Analysis;
  /** The filter after all safe fixes. */
  function fix(source: string, options?: Options | null): FixResult;
  /** The filter laid out anew; null when its syntax is wrong. */
  function format(source: string, options?: FormatOptions | null): TextResult;
  /** A filter of the same meaning with the fewest conditions and bytes; null when it has errors. */
  function simplify(source: string, options?: Options | null): TextResult;
  /** The filter in plain English. */
  function explain(source: string, options?: Options | null): ExplainResult;
  /** Whether a filter keeps a log line: its text, or an object. */
  function evaluate(source: string, line: string | object, options?: EvaluateOptions | null): EvaluateResult;
  /** A filter as an expression of the Rules language, or an expression as a filter of the dataset. */
  function convert(source: string, options?: Options | null): ConvertResult;
  /** What may stand at a UTF-16 offset of a filter. */
  function complete(source: string, offset: number, options?: Options | null): Completions;
  /** What stands at a UTF-16 offset of a filter. */
  function hover(source: string, offset: number, options?: Options | null): HoverResult;
  /** Every reason to refuse a job: its settings as an object, or as JSON. */
  function job(job: string | object, options?: JobOptions | null): JobResult;
  /** What a job would write of log lines (NDJSON) in one batch, without sampling. */
  function render(job: string | object, lines: string, options?: JobOptions | null): RenderResult;
  /** The datasets with their fields, as data. */
  function datasets(): Dataset[];
}
