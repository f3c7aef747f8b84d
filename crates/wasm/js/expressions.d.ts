/**
 * Checks, formats, explains, evaluates, and compares edge security rules written in the Rules language.
 *
 * Every function accepts and returns plain values. Invalid arguments, such as a source that is not a string or an
 * unknown option, do not throw; the `diagnostics` of the result report them.
 */

/** The kind of an expression: a filter, a computed value, or the counting expression of a rate limit. */
export type Kind = "expression" | "value" | "counting";

/** The plan of a zone. */
export type Plan = "free" | "pro" | "business" | "enterprise";

/** The type of the items of a named list. */
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

/** Options of most functions. A member that is missing, `undefined` or `null` applies no restriction. */
export interface Options {
  /** The kind of the expression; `"expression"` by default. */
  kind?: Kind | null | undefined;
  /** Phase of the rule; without it, every field and function is available. */
  phase?: Phase | null | undefined;
  /** Plan of the zone; without it, no plan restrictions apply. */
  plan?: Plan | null | undefined;
  /** The existing named lists, with or without `$`; without this option, any valid name is accepted. */
  lists?: Readonly<Record<string, ListKind>> | null | undefined;
  /** Maximum length of an expression in characters; 4096 by default. */
  maxLength?: number | null | undefined;
  /**
   * Whether lints are reported: all, or all except the codes in `allow`. By default, only `check`, `analyze`, and
   * `fix` report them.
   */
  lint?: boolean | { readonly allow?: readonly string[] | null | undefined } | null | undefined;
}

/** The severity of a diagnostic. Only an error makes an expression invalid. */
export type Severity = "error" | "warning" | "hint";

/** A replacement of `source.slice(start, end)` in the original source. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** One way to fix a problem. Its edits do not overlap and are in the order of the source. */
export interface Fix {
  /** An imperative sentence about the change. */
  title: string;
  /** Whether the fix preserves the meaning, or is the only possible reading. An unsafe fix is a suggestion. */
  safe: boolean;
  edits: Edit[];
}

/** Another range of the source that explains a diagnostic. */
export interface Related {
  message: string;
  start: number;
  end: number;
}

/** An error, a warning, or a hint about `source.slice(start, end)`. */
export interface Diagnostic {
  /**
   * A stable name such as `unknown-field`. Errors of the call are `invalid-source` (not a string, or a string with a
   * lone surrogate), `invalid-option`, `invalid-record`, `invalid-rules`, `invalid-offset`, and `internal-error`.
   */
  code: string;
  severity: Severity;
  /** The problem, on one line. */
  message: string;
  /** UTF-16 offset of the start. */
  start: number;
  /** UTF-16 offset of the end, exclusive. */
  end: number;
  /** Line of `start`, from 1. */
  line: number;
  /** Column of `start` in characters (code points), from 1. */
  column: number;
  /** A short label for the range; often empty. */
  label: string;
  /** How to solve the problem. */
  help?: string;
  /** Possible fixes, the best first. */
  fixes: Fix[];
  related: Related[];
}

/** Result of {@link check}. */
export interface CheckResult {
  /** Whether there are no errors. Warnings and hints are allowed. */
  ok: boolean;
  /** Type of the expression, such as `Boolean` or `Array<String>`; null if it has errors. */
  type: string | null;
  /** All diagnostics, in the order of the source. */
  diagnostics: Diagnostic[];
}

/** The role of a token. */
export type TokenKind = "field" | "function" | "operator" | "string" | "number" | "list";

/** A token of the source, for syntax highlighting. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
}

/** The usage of each limit. */
export interface Usage {
  /** Number of characters (code points). */
  length: number;
  maxLength: number;
  /** Maximum nesting of parentheses, `not`, and calls. */
  depth: number;
  maxDepth: number;
  /** Number of regular expressions. */
  regexes: number;
}

/** Result of {@link analyze}. */
export interface Analysis extends CheckResult {
  /** Tokens in the order of the source; they do not overlap. */
  tokens: Token[];
  usage: Usage;
}

/** The kind of a completion. */
export type CompletionKind = "field" | "function" | "operator" | "value" | "list";

/** A completion item. */
export interface Completion {
  /** The displayed text, which is matched with the typed text. */
  label: string;
  /** The inserted text. */
  insert: string;
  /** UTF-16 offset of the cursor in `insert`, after it was inserted. */
  cursor: number;
  /** Whether to open completions again at the cursor, because an argument, a known value, or a key follows. */
  retrigger: boolean;
  kind: CompletionKind;
  /** Its type or signature. */
  detail: string;
  /** A short description. */
  note: string;
}

/** Result of {@link complete}. */
export interface Completions {
  /** Start of the range that a chosen item replaces. */
  start: number;
  end: number;
  /** Items, the most likely first. */
  items: Completion[];
  /** Errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** The description of a token of the source. */
export interface Hover {
  start: number;
  end: number;
  /** Name or signature. */
  title: string;
  /** Type or kind. */
  detail: string;
  /** Documentation by line, with code in backticks. */
  text: string[];
  /** An expression that uses it. */
  example?: string;
}

/** Result of {@link hover}. */
export interface HoverResult {
  /** Null if there is no description at the offset. */
  hover: Hover | null;
  /** Errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** A parameter; `label.slice(start, end)` is its text in the signature. */
export interface Parameter {
  start: number;
  end: number;
  name: string;
  /** Accepted types. */
  detail: string;
  /** Further constraints of the argument; often empty. */
  note: string;
}

/** A call; `source.slice(start, end)` is the name of the function. */
export interface Signature {
  start: number;
  end: number;
  /** Name and parameters, such as `substring(field, start, end?)`. */
  label: string;
  /** Type of the result. */
  returns: string;
  /** Short description of the function. */
  doc: string;
  parameters: Parameter[];
  /** Index of the parameter at the offset; null if there are too many arguments. */
  active: number | null;
}

/** Result of {@link signature}. */
export interface SignatureResult {
  /** Null if the offset is not inside a call of a known function. */
  signature: Signature | null;
  /** Errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** Options of {@link format}. */
export interface FormatOptions {
  /** `"canonical"` (the default) is the readable style; `"compact"` has no unnecessary whitespace. */
  style?: "canonical" | "compact" | null | undefined;
  /** Maximum line length in characters, where the expression can be broken; 100 by default. */
  width?: number | null | undefined;
  /** Whether operators stay as they are (the default), become words (`and`, `eq`), or become symbols (`&&`, `==`). */
  operators?: "preserve" | "english" | "symbols" | null | undefined;
  /** Maximum length in characters; a longer result is formatted in the compact style. 4096 by default. */
  maxLength?: number | null | undefined;
}

/** Result of {@link format}. */
export interface TextResult {
  /** The new text; null if the syntax or an argument is invalid. */
  text: string | null;
  /** Syntax errors, or errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** Result of {@link fix}. */
export interface FixResult {
  /** The new text; null if an argument is invalid. */
  text: string | null;
  /**
   * Whether all safe fixes were applied. It is `false` if fixes remain after 20 rounds, or fewer for a text of more
   * than about 200 KB. Then call `fix` again with the new text.
   */
  finished: boolean;
  /** The remaining diagnostics. Their offsets refer to the new text. */
  diagnostics: Diagnostic[];
}

/** A sentence or a list item that explains `source.slice(start, end)`. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  /** Nesting: 0 for the first sentence, 1 for the items of its list, and so on. */
  depth: number;
}

/**
 * The kind of a part of an expression: a condition, a value, or a connective. A connective is true if `all` or `any`
 * of its children are true, if an odd number of them is true (`xor`), or if its child is false (`not`).
 */
export type OutlineKind = "all" | "any" | "xor" | "not" | "condition" | "value";

/** A part of an expression with its subexpressions. */
export interface Outline {
  kind: OutlineKind;
  /** A short explanation. */
  text: string;
  start: number;
  end: number;
  children: Outline[];
}

/** Result of {@link explain}. */
export interface ExplainResult {
  /** All sentences as a nested Markdown list; empty if the syntax is invalid. */
  text: string;
  /** The same sentences with their ranges. */
  sentences: Sentence[];
  /** The same explanation as a tree with shorter texts; null if the syntax is invalid. */
  tree: Outline | null;
  diagnostics: Diagnostic[];
}

