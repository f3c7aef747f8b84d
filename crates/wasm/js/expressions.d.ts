/**
 * Checks, formats, explains, evaluates and compares expressions of the Rules language, the way edge
 * security rules are written.
 *
 * Every function takes and gives plain values. None throws because of its arguments: a source that
 * is no string, an unknown option and the like give an answer whose `diagnostics` say so.
 */

/** What an expression is for: a condition that is true or false, or a computed value. */
export type Kind = "expression" | "value" | "counting";

/** The plan of a zone. */
export type Plan = "free" | "pro" | "business" | "enterprise";

/** What the items of a named list are. */
export type ListKind = "ip" | "hostname" | "asn";

/** The phase that a rule runs in. */
export type Phase =
  | "ddos_l4"
  | "magic_transit"
  | "magic_transit_managed"
  | "magic_transit_ratelimit"
  | "magic_transit_ids_managed"
  | "http_request_sanitize"
  | "http_request_dynamic_redirect"
  | "http_request_transform"
  | "http_config_settings"
  | "http_request_origin"
  | "ddos_l7"
  | "http_request_firewall_custom"
  | "http_ratelimit"
  | "http_request_firewall_managed"
  | "http_request_sbfm"
  | "http_request_redirect"
  | "http_request_late_transform"
  | "http_request_cache_settings"
  | "http_response_cache_settings"
  | "http_custom_errors"
  | "http_response_headers_transform"
  | "http_response_compression"
  | "http_response_firewall_managed"
  | "http_log_custom_fields";

/** What to check against. A member that is missing, `undefined` or `null` refuses nothing. */
export interface Options {
  /** Condition (the default) or value. */
  kind?: Kind | null | undefined;
  /** Phase of the rule; without it, every field and function is available. */
  phase?: Phase | null | undefined;
  /** Plan of the zone; without it, nothing is refused for the plan's sake. */
  plan?: Plan | null | undefined;
  /** The named lists that exist, with or without `$`; without the option, any well-formed name passes. */
  lists?: Readonly<Record<string, ListKind>> | null | undefined;
  /** Longest expression in characters; 4096 by default. */
  maxLength?: number | null | undefined;
  /**
   * Whether lints are reported, all or without the codes of `allow`. By default `check`, `analyze` and
   * `fix` report them, the other functions do not.
   */
  lint?: boolean | { readonly allow?: readonly string[] | null | undefined } | null | undefined;
}

/** How bad a problem is. Only an error makes an expression invalid. */
export type Severity = "error" | "warning" | "hint";

/** One replacement. Offsets are of the original source: `source.slice(start, end)` goes away. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** One way to mend a problem. Its edits do not overlap and stand in the order of the source. */
export interface Fix {
  /** What it does, as a command. */
  title: string;
  /** Whether it keeps the meaning or is the only reading; if not, it is a guess. */
  safe: boolean;
  edits: Edit[];
}

/** A second place that explains a problem. */
export interface Related {
  message: string;
  start: number;
  end: number;
}

/** One problem. `source.slice(start, end)` is the text it is about. */
export interface Diagnostic {
  /**
   * A stable name such as `unknown-field`. Of the call itself: `invalid-source` (no string, or text
   * with half a surrogate pair), `invalid-option`, `invalid-record`, `invalid-rules`, `invalid-offset` and
   * `internal-error`.
   */
  code: string;
  severity: Severity;
  /** What is wrong, in one line. */
  message: string;
  /** First UTF-16 unit. */
  start: number;
  /** After the last UTF-16 unit. */
  end: number;
  /** Line of `start`, from 1. */
  line: number;
  /** Column of `start` in characters (code points), from 1. */
  column: number;
  /** A few words for the place itself; often empty. */
  label: string;
  /** What to do. */
  help?: string;
  /** The best first. */
  fixes: Fix[];
  related: Related[];
}

/** Answer of {@link check}. */
export interface CheckResult {
  /** Whether there is no error. Warnings and hints are allowed. */
  ok: boolean;
  /** Type of the expression, such as `Boolean` or `Array<String>`; null when it has none. */
  type: string | null;
  /** Every problem, in the order of the source. */
  diagnostics: Diagnostic[];
}

/** What a piece of the source is. */
export type TokenKind = "field" | "function" | "operator" | "string" | "number" | "list";

/** A piece of the source for an editor's colours. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
}

/** How much of each limit is used. */
export interface Meters {
  /** Characters (code points). */
  length: number;
  maxLength: number;
  /** Deepest nesting of brackets, `not` and calls. */
  depth: number;
  maxDepth: number;
  /** Regular expressions. */
  regexes: number;
}

/** Answer of {@link analyze}. */
export interface Analysis extends CheckResult {
  /** In the order of the source, without overlap. */
  tokens: Token[];
  meters: Meters;
}

/** What a completion is. */
export type CompletionKind = "field" | "function" | "operator" | "value" | "list";

/** One thing that may stand at a place. */
export interface Completion {
  /** What is shown and matched against what was typed. */
  label: string;
  /** What is inserted. */
  insert: string;
  /** Where the cursor goes: UTF-16 units from the start of `insert`. */
  cursor: number;
  /** Whether more is likely to be chosen there: an argument, a known value, a key. */
  again: boolean;
  kind: CompletionKind;
  /** Its type or signature. */
  detail: string;
  /** A few words on it. */
  note: string;
}

/** Answer of {@link complete}. */
export interface Completions {
  /** The range that a chosen item replaces. */
  start: number;
  end: number;
  /** The likeliest first. */
  items: Completion[];
  /** What is wrong with the arguments; empty otherwise. */
  diagnostics: Diagnostic[];
}

/** What is known of a piece of the source. */
export interface Hover {
  start: number;
  end: number;
  /** Its name or form. */
  title: string;
  /** Its type, or what it is. */
  detail: string;
  /** What there is to know, line by line, code between backticks. */
  text: string[];
  /** How it is used, as an expression of its own. */
  example?: string;
}

/** Answer of {@link hover}. */
export interface HoverResult {
  /** Null where there is nothing to say. */
  hover: Hover | null;
  /** What is wrong with the arguments; empty otherwise. */
  diagnostics: Diagnostic[];
}

/** A parameter; `form.slice(start, end)` is how the form of the call shows it. */
export interface Parameter {
  start: number;
  end: number;
  name: string;
  /** Types that it takes. */
  detail: string;
  /** What else an argument must be; often empty. */
  note: string;
}

/** A call; `source.slice(start, end)` is the function's name. */
export interface Signature {
  start: number;
  end: number;
  /** Name and parameters, such as `substring(field, start, end?)`. */
  form: string;
  /** Type of the result. */
  returns: string;
  /** A few words on the function. */
  doc: string;
  parameters: Parameter[];
  /** Index of the parameter at the offset; null when there are too many arguments. */
  active: number | null;
}

/** Answer of {@link signature}. */
export interface SignatureResult {
  /** Null outside of calls of known functions. */
  signature: Signature | null;
  /** What is wrong with the arguments; empty otherwise. */
  diagnostics: Diagnostic[];
}

/** How {@link format} lays out. */
export interface FormatOptions {
  /** For reading (the default), or the shortest text that means the same. */
  style?: "canonical" | "compact" | null | undefined;
  /** Longest line in characters, where the expression can be broken; 100 by default. */
  width?: number | null | undefined;
  /** Operators as they are (the default), as words (`and`, `eq`) or as signs (`&&`, `==`). */
  operators?: "kept" | "english" | "symbols" | null | undefined;
  /** Longest text in characters; where it would be longer, the compact form is given. 4096 by default. */
  maxLength?: number | null | undefined;
}

/** Answer of {@link format}. */
export interface TextResult {
  /** The new text; null when the syntax is wrong or the call is. */
  text: string | null;
  /** What is wrong with the syntax. */
  diagnostics: Diagnostic[];
}

/** Answer of {@link fix}. */
export interface FixResult {
  /** The new text; null when the call is wrong. */
  text: string | null;
  /**
   * Whether no safe fix is left. `false` after 20 rounds of fixes, or fewer for a text of more than about 200 KB:
   * call `fix` again with the new text.
   */
  finished: boolean;
  /** The remaining problems, at their places in the new text. */
  diagnostics: Diagnostic[];
}

/** A sentence, or a line of a list; `source.slice(start, end)` is what it explains. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  /** 0 for the first sentence, 1 for the lines right below it, and so on. */
  depth: number;
}

/**
 * What a part of an expression is: all, any, or an odd number of its children hold, its child does not
 * hold; a condition by itself; a value.
 */
export type OutlineKind = "all" | "any" | "odd" | "not" | "condition" | "value";

/** A part of an expression with its parts. */
export interface Outline {
  kind: OutlineKind;
  /** What it says, in a few words. */
  text: string;
  start: number;
  end: number;
  children: Outline[];
}

/** Answer of {@link explain}. */
export interface ExplainResult {
  /** All sentences, nested as a list in Markdown; empty when the syntax is wrong. */
  text: string;
  /** The sentences one by one. */
  sentences: Sentence[];
  /** The same as a tree with shorter texts; null when the syntax is wrong. */
  tree: Outline | null;
  diagnostics: Diagnostic[];
}

