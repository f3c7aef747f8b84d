
/**
 * Migrations from the previous managed rules to ruleset-based ones. Put behind the other types when the
 * package is built.
 */
export namespace migration {
  /** The plan of the zone. */
  interface Options {
    /** Counts before the one in the configuration. */
    plan?: Plan | null | undefined;
  }

  /** Options of {@link check}. */
  interface CheckOptions extends Options {
    /** Whether the first phase is asked for, in which fewer zones can migrate. */
    phaseOne?: boolean | null | undefined;
  }

  /** Options of {@link report}. */
  interface ReportOptions extends Options {
    /** `"markdown"` by default. */
    format?: "markdown" | "html" | null | undefined;
  }

  /** Options of {@link convert}. */
  interface ConvertOptions {
    /** The plan of the zone; `"enterprise"` by default. */
    plan?: Plan | null | undefined;
  }

  /** Options of {@link rehearse}. */
  interface RehearseOptions extends Options {
    /** The new configuration; the planned one by default. An object, or its JSON. */
    ruleset?: string | object | null | undefined;
  }

  /**
   * Everything about a zone that a migration looks at: what the service answers, as arrays or as whole
   * envelopes. What is not given is taken to be as delivered, or empty, and the findings say so.
   */
  interface Config {
    /** The zone as the service answers it, or its name. */
    zone?: string | object | undefined;
    /** The zone's plan; needed unless `zone` or the options say it. */
    plan?: Plan | undefined;
    /** The switch for all previous managed rules: `{ waf: "on" }`, or the setting `waf` as it is answered. */
    settings?: object | undefined;
    packages?: object | undefined;
    groups?: object | undefined;
    rules?: object | undefined;
    overrides?: object | undefined;
    firewall_rules?: object | undefined;
    page_rules?: object | undefined;
    /** The present entry point of the managed rules, when there is one. */
    entry_point?: object | undefined;
  }

  /** What becomes of one setting. */
  interface Finding {
    /** `lost` has to be made anew, `blocked` to be removed first; `unaffected` is no part of the migration. */
    fate: "carried" | "changed" | "lost" | "blocked" | "needs-support" | "unaffected";
    /** A stable name such as `override-blocks`. */
    code: string;
    /** JSON pointer to the setting in the configuration. */
    setting: string;
    /** The setting's name for people. */
    name: string;
    message: string;
    /** What to do. */
    help?: string;
    /** JSON pointers to what it became, in the ruleset. */
    became?: string[];
    /**
     * A request that mends it, to be looked at before it is sent. With the method `ADD` it is none: then `body` can be added
     * to the ruleset at the JSON pointer `path`, as `add` of RFC 6902 does it; what is missing on the way is made.
     */
    draft?: { method: string; path: string; body?: unknown };
  }

  /** What a rule does. Planned and converted rules have the first seven; present ones that stay may have others. */
  type RulesetAction =
    | "block"
    | "challenge"
    | "js_challenge"
    | "managed_challenge"
    | "log"
    | "execute"
    | "skip"
    | "score"
    | "rewrite"
    | "redirect"
    | "route"
    | "set_config"
    | "set_cache_settings"
    | "set_cache_control"
    | "set_cache_tags"
    | "compress_response"
    | "serve_error"
    | "log_custom_field"
    | "ddos_dynamic"
    | "force_connection_close";

  /** How often a rule may match before it acts. */
  interface RateLimit {
    /** Values that tell requests apart, such as `ip.src`: each combination has a counter of its own. */
    characteristics: string[];
    /** Length of the counting period in seconds. */
    period: number;
    requests_per_period?: number;
    /** Instead of a number of requests. */
    score_per_period?: number;
    /** Name of the response header that holds the score. */
    score_response_header_name?: string;
    /** Seconds for which the rule acts after that. */
    mitigation_timeout?: number;
    /** Expression that selects the requests to count; by default, the rule counts the requests that it matches. */
    counting_expression?: string;
    /** Whether the rule counts only requests that reach the origin. */
    requests_to_origin?: boolean;
  }

  /** Whether requests that a rule matches are recorded; `skip` only. */
  interface Logging {
    enabled: boolean;
  }

  /** Where the credentials of a request are that are held against leaked ones. */
  interface ExposedCredentialCheck {
    username_expression: string;
    password_expression: string;
  }

  /** A rule as it is sent. */
  interface Rule {
    id: string;
    version: string;
    action: RulesetAction;
    expression: string;
    description: string;
    ref: string;
    enabled: boolean;
    action_parameters?: { [member: string]: unknown };
    ratelimit?: RateLimit;
    logging?: Logging;
    exposed_credential_check?: ExposedCredentialCheck;
    last_updated?: string;
  }

  /** The new configuration, as the update of the entry point takes it. */
  interface Ruleset {
    name: string;
    description?: string;
    rules: Rule[];
  }

  /** A mistake in a document. */
  interface Refusal {
    /** As in `errors[].code` of the service. */
    code: number;
    /** JSON pointer to the place. Of a ruleset or of the present one it begins with `/ruleset` or `/current`. */
    pointer: string;
    message: string;
  }

  /** A part of a document that is accepted although it could not be checked. */
  interface Warning {
    /** JSON pointer to the part: into the configuration, or one that begins with `/ruleset` or `/current`. */
    pointer: string;
    message: string;
  }

  /** Answer of {@link plan}. */
  interface PlanResult {
    /** Whether nothing is in the way. A finding that needs support can stand beside it. */
    compatible: boolean;
    /** Null when the configuration has mistakes. */
    ruleset: Ruleset | null;
    /** One for every setting. */
    findings: Finding[];
    /** Managed rules and categories that the present entry point names and the catalogue does not list. */
    warnings: Warning[];
    /** The mistakes of the configuration. */
    refusals: Refusal[];
    /** What is wrong with the call itself. */
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link check}. */
  interface CheckResult {
    compatible: boolean;
    /** What is in the way or needs support. */
    findings: Finding[];
    /** As those of {@link plan}. */
    warnings: Warning[];
    refusals: Refusal[];
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link report}. */
  interface ReportResult {
    /** Null when the configuration has mistakes. */
    text: string | null;
    refusals: Refusal[];
    diagnostics: Diagnostic[];
  }

  /** Answer of {@link convert}. */
  interface ConvertResult {
    /** For the phase `http_request_firewall_custom`, in the order they run; null when something is refused. */
    rules: Rule[] | null;
    /** One for each firewall rule; `setting` points into their list. */
    findings: Finding[];
    refusals: Refusal[];
    diagnostics: Diagnostic[];
  }

  /** A change of one rule. */
  interface Change {
    kind: "added" | "removed" | "changed" | "moved";
    /** Its place in the present rules, from 0; null of one that is added. */
    from: number | null;
    /** Its place in the new rules; null of one that is removed. */
    to: number | null;
    /** The members that differ, of one that is changed. */
    members: string[];
  }

  /** Answer of {@link diff}. */
  interface DiffResult {
    /** Empty when saving would change nothing; null when something is refused, as nothing was compared. */
    changes: Change[] | null;
    /** Managed rules and categories that either ruleset names and the catalogue does not list. */
    warnings: Warning[];
    refusals: Refusal[];
    diagnostics: Diagnostic[];
  }

  /** Which managed rules look at a request. */
  interface Side {
    /** Those that the provider writes. */
    managed: boolean | "unknown";
    /** The core rule set. */
    core: boolean | "unknown";
    /** JSON pointers to what keeps rules from running, or may: into the configuration, or into the ruleset. */
    decided: string[];
  }

  /** A request before and after. */
  interface Rehearsed {
    differs: boolean | "unknown";
    /** By the previous managed rules. */
    before: Side;
    /** By the new configuration. */
    after: Side;
    /** What was assumed of the request, one sentence each. */
    notes: string[];
  }

  /** A problem of a request, or of the call. */
  interface RequestDiagnostic extends Diagnostic {
    /** The place of the request that it is about; null when it is about the call. */
    request: number | null;
  }

  /** Answer of {@link rehearse}. */
  interface RehearseResult {
    /** In the order in which they were passed; null when something is refused. */
    requests: Rehearsed[] | null;
    /** As those of {@link plan}, and of the option `ruleset`. */
    warnings: Warning[];
    refusals: Refusal[];
    diagnostics: RequestDiagnostic[];
  }

  /** What becomes of every setting of a zone, and the new configuration. The configuration, or its JSON. */
  function plan(config: string | Config, options?: Options | null): PlanResult;
  /** Whether a zone can migrate, and what is in the way. */
  function check(config: string | Config, options?: CheckOptions | null): CheckResult;
  /** The plan as a paper to read, print or keep. */
  function report(config: string | Config, options?: ReportOptions | null): ReportResult;
  /** Firewall rules, as the service lists them, as custom rules of a ruleset. */
  function convert(rules: string | object, options?: ConvertOptions | null): ConvertResult;
  /** What saving a new configuration over the present entry point (null: there is none) would change. */
  function diff(current: string | object | null | undefined, ruleset: string | object): DiffResult;
  /**
   * Which managed rules look at sample requests, before and after, as far as settings decide it: records as
   * `evaluate` takes them, or only the text of a request.
   */
  function rehearse(
    config: string | Config,
    requests: ReadonlyArray<string | RequestRecord>,
    options?: RehearseOptions | null,
  ): RehearseResult;
}
