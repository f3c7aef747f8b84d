
/** Result of {@link traceZone}. */
export interface ZoneTraceResult {
  /** Whether the request reaches the origin; null if it depends on values that the request does not provide. */
  reachesOrigin: boolean | null;
  /** The rules that end the request, or may end it, in the order of execution. */
  terminatingRules: TraceTerminatingRule[];
  /** One item for each entry point, and one for the firewall rules, in the order of execution. */
  phases: TracePhase[];
  /** Remarks about what was assumed or ignored in the request and in the document. */
  notes: string[];
  /** Errors of the document. */
  errors: migration.ValidationError[];
  /** Errors of the arguments. */
  diagnostics: Diagnostic[];
}

/** A rule that ends the request, or may end it. */
export interface TraceTerminatingRule {
  /** JSON pointer to the rule. */
  pointer: string;
  /** The name of the rule; may be empty. */
  name: string;
  /** A verb phrase with the rule as its subject: `blocks the request`. */
  description: string;
  /** Whether the rule ends the request: true, or null if unknown. */
  terminates: boolean | null;
  /** The values that would decide an unknown result. */
  dependsOn: string[];
}

/** The rules of one entry point, or the firewall rules. */
export interface TracePhase {
  /** The name of the phase, such as `http_request_firewall_custom`. */
  phase: string;
  /** The name of the product, such as `WAF custom rules`. */
  title: string;
  /** JSON pointer to the ruleset, or to the firewall rules. */
  pointer: string;
  /** The name of the ruleset; empty for firewall rules. */
  name: string;
  rules: TraceRule[];
}

/** The trace of one rule. */
export interface TraceRule {
  /** JSON pointer to the rule. */
  pointer: string;
  /** The description, or else the reference or the ID; may be empty. */
  name: string;
  action: string;
  expression: string;
  /** False if the rule is disabled or paused; then it is not evaluated. */
  enabled: boolean;
  /** Whether the request reaches the rule; null if unknown. */
  reached: boolean | null;
  /**
   * Whether the condition is true, together with conditions outside of the expression, such as a rate limit; null if
   * unknown, or if the rule is disabled or not reached.
   */
  matches: boolean | null;
  /** The values that would decide an unknown result: fields, lists as `$name`, and descriptions of other facts. */
  dependsOn: string[];
  /** The first error of an expression or a parameter, or null. */
  error: string | null;
  /** The effects of the rule, if its condition is true or unknown. */
  effects: TraceEffect[];
  /** The rules of the ruleset that the rule executes. */
  rules: TraceRule[];
}

/** An effect of a rule. In a rewrite, a value is null if it is not set, and missing if it is unknown. */
export type TraceEffect =
  | { kind: "terminate"; description: string; terminates: boolean | null }
  | { kind: "rewrite"; field: string; before?: string | null; after?: string | null }
  | { kind: "other"; description: string };

/**
 * Traces a request through all rules of a zone, in the order of execution: which rules match, what rewrites change for
 * the following phases, and what ends the request.
 *
 * @param zone an object with `rulesets`, `firewall_rules`, and `lists`; an array of rulesets; or one ruleset. A ruleset,
 * and the list of firewall rules, may be a whole response of the service.
 * @param request a record for `evaluate`, or the text of a request.
 */
export function traceZone(zone: string | object, request: string | RequestRecord): ZoneTraceResult;
