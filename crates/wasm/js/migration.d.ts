
/**
 * Migrations from the previous managed rules to ruleset-based ones. The build appends this file to the other
 * declarations.
 */
export namespace migration {
  /** Options of most functions. */
  interface Options {
    /** The plan of the zone, which takes precedence over the plan in the configuration. */
    plan?: Plan | null | undefined;
  }

  /** Options of {@link check}. */
  interface CheckOptions extends Options {
    /** Whether to check the eligibility for the first phase, in which fewer zones can migrate. */
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

  /** Options of {@link checkRuleset}. */
  interface CheckRulesetOptions {
    /** The plan of the zone; `"enterprise"` by default. */
    plan?: Plan | null | undefined;
  }

  /** Options of {@link simulate}. */
  interface SimulateOptions extends Options {
    /** The new entry point, as an object or as JSON text; the planned one by default. */
    ruleset?: string | object | null | undefined;
    /** The maximum number of requests, of which the first are simulated; unlimited by default. */
    limit?: number | null | undefined;
  }

  /**
   * The configuration of a zone: responses of the service, as arrays or as whole envelopes. Missing parts are assumed
   * to be empty or to have default values; findings report them.
   */
  interface Config {
    /** The zone as the service returns it, or its name. */
    zone?: string | object | undefined;
    /** The plan of the zone; required unless `zone` or the options have it. */
    plan?: Plan | undefined;
    /** The switch for all previous managed rules: `{ waf: "on" }`, or the setting `waf` as the service returns it. */
    settings?: object | undefined;
    packages?: object | undefined;
    groups?: object | undefined;
    rules?: object | undefined;
    overrides?: object | undefined;
    firewall_rules?: object | undefined;
    page_rules?: object | undefined;
    /** The current entry point of the managed rules, if there is one. */
    entry_point?: object | undefined;
  }

  /** The effect of the migration on one setting. */
  interface Finding {
    /**
     * The outcome. A `lost` setting must be recreated, and a `blocked` setting must be removed first. An `unaffected`
     * setting is not part of the migration.
     */
    outcome: "carried" | "changed" | "lost" | "blocked" | "needs-support" | "unaffected";
    /** A stable name such as `override-blocks`. */
    code: string;
    /** JSON pointer to the setting in the configuration. */
    setting: string;
    /** The display name of the setting. */
    name: string;
    message: string;
    /** The remedy of the finding; missing if no action is needed. */
    help?: string;
    /** JSON pointers to the parts of the ruleset that replace the setting. */
    targets?: string[];
    /**
     * A suggested request that resolves the finding; review it before you send it. The method `ADD` is not an HTTP
     * method: it adds `body` to the ruleset at the JSON pointer `path`, as `add` of RFC 6902 does, and creates missing
     * parents.
     */
    draft?: { method: string; path: string; body?: unknown };
  }

  /** The action of a rule. Planned and converted rules use the first seven; existing rules may use others. */
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
    /** Values by which requests are counted separately, such as `ip.src`. */
    characteristics: string[];
    /** Length of the counting period in seconds. */
    period: number;
    requests_per_period?: number;
    /** Maximum score per period, instead of a number of requests. */
    score_per_period?: number;
    /** Name of the response header with the score. */
    score_response_header_name?: string;
    /** Seconds for which the rule acts after the limit is reached. */
    mitigation_timeout?: number;
    /** Expression that selects the requests to count; by default, the rule counts the requests that it matches. */
    counting_expression?: string;
    /** Whether the rule counts only requests that reach the origin. */
    requests_to_origin?: boolean;
  }

  /** Whether requests that a rule matches are logged; `skip` only. */
  interface Logging {
    enabled: boolean;
  }

  /** Expressions that read the credentials of a request, which are compared with leaked credentials. */
  interface ExposedCredentialCheck {
    username_expression: string;
    password_expression: string;
  }

  /** A rule, as the service accepts it. */
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

  /** The new entry point, as the body of its update. */
  interface Ruleset {
    name: string;
    description?: string;
    rules: Rule[];
  }

  /** An error in a document. */
  interface ValidationError {
    /** The code in `errors[].code` of the service. */
    code: number;
    /** JSON pointer into the configuration. Pointers into rulesets begin with `/ruleset` or `/current`. */
    pointer: string;
    message: string;
  }

  /** A part of a document that is accepted although it could not be checked. */
  interface Warning {
    /** JSON pointer into the configuration. Pointers into rulesets begin with `/ruleset` or `/current`. */
    pointer: string;
    message: string;
  }

  /** Result of {@link plan}. */
  interface PlanResult {
    /** Whether nothing blocks the migration. Some findings may still need support. */
    compatible: boolean;
    /** The new entry point; null if there are errors. */
    ruleset: Ruleset | null;
    /** One finding for each setting. */
    findings: Finding[];
    /** Managed rules and categories of the current entry point that the catalog does not list. */
    warnings: Warning[];
    /** The errors in the configuration. */
    errors: ValidationError[];
    /** Errors of the arguments. */
    diagnostics: Diagnostic[];
  }

  /** Result of {@link check}. */
  interface CheckResult {
    compatible: boolean;
    /** The settings that block the migration or need support. */
    findings: Finding[];
    /** The same warnings as those of {@link plan}. */
    warnings: Warning[];
    errors: ValidationError[];
    diagnostics: Diagnostic[];
  }

  /** Result of {@link report}. */
  interface ReportResult {
    /** The report; null if there are errors. */
    text: string | null;
    errors: ValidationError[];
    diagnostics: Diagnostic[];
  }

  /** Result of {@link convert}. */
  interface ConvertResult {
    /** Rules for the phase `http_request_firewall_custom`, in evaluation order; null if there are errors. */
    rules: Rule[] | null;
    /** One finding for each firewall rule; `setting` is a JSON pointer into their list. */
    findings: Finding[];
    errors: ValidationError[];
    diagnostics: Diagnostic[];
  }

  /** A change of one rule. */
  interface Change {
    kind: "added" | "removed" | "changed" | "moved";
    /** Index in the current rules; null for an added rule. */
    from: number | null;
    /** Index in the new rules; null for a removed rule. */
    to: number | null;
    /** The members that differ, for a changed rule. */
    members: string[];
  }

  /** Result of {@link diff}. */
  interface DiffResult {
    /** Empty if the rules are equal; null if there are errors. */
    changes: Change[] | null;
    /** Managed rules and categories of either ruleset that the catalog does not list. */
    warnings: Warning[];
    errors: ValidationError[];
    diagnostics: Diagnostic[];
  }

  /** Which managed rules run for a request. */
  interface ManagedRulesStatus {
    /** Whether the rules of the provider run. */
    managed: boolean | "unknown";
    /** Whether the core rule set runs. */
    core: boolean | "unknown";
    /**
     * JSON pointers to the settings that keep managed rules from running, or may do so. They lead into the
     * configuration for `before`, and into the ruleset for `after`.
     */
    decidedBy: string[];
  }

  /** A request before and after the migration. */
  interface RequestComparison {
    /** The first line of the request, or the method and the URL of a HAR entry; empty for a record. */
    name: string;
    differs: boolean | "unknown";
    /** With the previous managed rules. */
    before: ManagedRulesStatus;
    /** With the new entry point. */
    after: ManagedRulesStatus;
    /** Sentences about what was assumed or ignored in the request. */
    notes: string[];
  }

  /** A diagnostic of a request, or of the call. */
  interface RequestDiagnostic extends Diagnostic {
    /** Index of the request in the array; null for an error of the call, and for a request in a text. */
    request: number | null;
  }

  /** Result of {@link checkRuleset}. */
  interface CheckRulesetResult {
    /** The entry point as the service would save it; null if there are errors. */
    ruleset: Ruleset | null;
    /** Managed rules and categories that the catalog does not list. */
    warnings: Warning[];
    /** Every reason for which the service would reject the update. */
    errors: ValidationError[];
    diagnostics: Diagnostic[];
  }

  /** Result of {@link simulate}. */
  interface SimulateResult {
    /**
     * The requests in the order of the argument; null if there are errors. Requests of a text that cannot be read are
     * left out, and `diagnostics` has their positions in the text.
     */
    requests: RequestComparison[] | null;
    /** The number of requests beyond the option `limit`. */
    omitted: number;
    /** The same warnings as those of {@link plan}, and those of the option `ruleset`. */
    warnings: Warning[];
    errors: ValidationError[];
    diagnostics: RequestDiagnostic[];
  }

  /** Plans the migration of a zone: one finding for each setting, and the new entry point. */
  function plan(config: string | Config, options?: Options | null): PlanResult;
  /** Checks whether a zone can migrate, and returns the settings that block it or need support. */
  function check(config: string | Config, options?: CheckOptions | null): CheckResult;
  /** Returns the plan as a printable report. */
  function report(config: string | Config, options?: ReportOptions | null): ReportResult;
  /** Converts firewall rules, as the service lists them, to custom rules of a ruleset. */
  function convert(rules: string | object, options?: ConvertOptions | null): ConvertResult;
  /** Compares a new entry point with the current one (null if there is none). */
  function diff(current: string | object | null | undefined, ruleset: string | object): DiffResult;
  /**
   * Validates a new entry point: the body of its update, without an envelope. The service rejects the same bodies with
   * the same messages.
   */
  function checkRuleset(ruleset: string | object, options?: CheckRulesetOptions | null): CheckRulesetResult;
  /**
   * Simulates which managed rules run on sample requests before and after the migration, as far as settings decide it.
   * A request is a record for `evaluate`, or only the text of a request. A text instead of an array has one URL per line,
   * HAR files with all their entries, or requests in other formats, with a line of `###` between requests.
   */
  function simulate(
    config: string | Config,
    requests: string | ReadonlyArray<string | RequestRecord>,
    options?: SimulateOptions | null,
  ): SimulateResult;
}
