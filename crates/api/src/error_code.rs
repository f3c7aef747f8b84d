//! Defines the integers in `errors[].code`, because the specification shows none. Codes that are marked as observed are
//! those that clients of the real API receive. The others are our own (assumption error-codes).

/// 401, token check only: the token is unknown (observed).
pub const INVALID_TOKEN: u32 = 1000;
/// 400: the request about a log push job is invalid (observed with a wrong ownership challenge).
pub const INVALID_JOB: u32 = 1002;
/// 404: the previous managed rules have no such package, group, rule or override, or the zone has no such page rule
/// (observed).
pub const LEGACY_NOT_FOUND: u32 = 1002;
/// 400: zones do not have this setting (observed).
pub const UNKNOWN_SETTING: u32 = 1003;
/// 400: a log push job exceeds the limit of jobs, or its filter is rejected (observed).
pub const JOB_NOT_ALLOWED: u32 = 1004;
/// 400: the page rule is rejected (observed).
pub const INVALID_PAGE_RULE: u32 = 1004;
/// 400: the zone setting does not accept this value (observed).
pub const INVALID_SETTING_VALUE: u32 = 1007;
/// 400: the setting of this zone is not editable (observed).
pub const SETTING_NOT_EDITABLE: u32 = 1015;
/// 400: only anomaly packages have attributes that can be changed (observed).
pub const NOT_ANOMALY_PACKAGE: u32 = 1027;
/// 400: a header is malformed; `error_chain` has the reason (observed).
pub const INVALID_HEADERS: u32 = 6003;
/// In `error_chain`: the email address is malformed.
pub const MALFORMED_EMAIL: u32 = 6102;
/// In `error_chain`: the key is not 37 hexadecimal digits (observed).
pub const MALFORMED_KEY: u32 = 6103;
/// In `error_chain`: the header is not `Bearer` and a token of 40 letters, digits, `_` or `-` (observed).
pub const MALFORMED_AUTHORIZATION: u32 = 6111;
/// 404: no such path; always together with [`INVALID_ROUTE`] (observed).
pub const ROUTE_NOT_FOUND: u32 = 7000;
/// 404: no such path, zone or account (observed).
pub const INVALID_ROUTE: u32 = 7003;
/// 403: the email address does not belong to the key, or neither is known.
pub const UNKNOWN_API_KEY: u32 = 9103;
/// 400: no credentials, or only one of email address and key (observed).
pub const MISSING_CREDENTIALS: u32 = 9106;
/// 403: the client lacks a permission for page rules, zones, accounts or settings, or requests the user with a token
/// (observed; assumption permissions).
pub const UNAUTHORIZED: u32 = 9109;
/// 403: the token is unknown or expired, or lacks a permission for all other objects (observed; assumption
/// permissions). In `messages` of the token check: the token is valid (observed).
pub const AUTHENTICATION_FAILED: u32 = 10000;
/// 404, or 400 if a request refers to it: no such object, for example a rule, a filter or a job.
pub const NOT_FOUND: u32 = 10001;
/// 404: the zone has no entry point in this phase (observed).
pub const NO_ENTRY_POINT: u32 = 10003;
/// 400: the shape of the request is wrong: a type, an unknown member or a missing member (assumption validation-codes).
pub const WRONG_SHAPE: u32 = 10014;
/// 400: the shape is correct, but the value is not allowed; also for query parameters.
pub const INVALID_VALUE: u32 = 10015;
/// 400: the expression is rejected; the message has the position and the reason.
pub const INVALID_EXPRESSION: u32 = 10016;
/// 400: the body is not JSON.
pub const INVALID_JSON: u32 = 10019;
/// 400: the zone already has a filter with this expression; `meta.id` has its identifier (observed).
pub const DUPLICATE_FILTER: u32 = 10102;
/// 400: the zone would have more active firewall rules, or more filters, than its plan allows.
pub const QUOTA_EXCEEDED: u32 = 10103;
/// 400: the filter cannot be deleted because rules use it.
pub const FILTER_IN_USE: u32 = 10104;
/// 400: like [`DUPLICATE_FILTER`], for a filter that is created with its rule (observed).
pub const DUPLICATE_FILTER_OF_RULE: u32 = 10202;
/// 400: the zone cannot migrate; each error points to a blocking setting. The `messages` of the check use the same
/// code.
pub const MIGRATION_NOT_ELIGIBLE: u32 = 10301;
/// 400: the migration needs the provider's support; each error points to a setting. The `messages` of the check use
/// the same code.
pub const NEEDS_SUPPORT: u32 = 10302;
/// 400: this step is not possible in the current migration state.
pub const INVALID_MIGRATION_STEP: u32 = 10303;
/// 400: before its migration, a zone with this plan can save new rules only disabled.
pub const MIGRATION_REQUIRED: u32 = 10304;
/// 401: the relay stores the credentials, and the client has no session.
pub const NOT_LOGGED_IN: u32 = 10401;
/// 403: the relay rejects the request: wrong origin, missing CSRF token, wrong content type or wrong passphrase.
pub const RELAY_FORBIDDEN: u32 = 10403;
/// 405: the path does not support this method (observed).
pub const METHOD_NOT_ALLOWED: u32 = 10405;
/// 408: the body did not arrive in time.
pub const REQUEST_TIMEOUT: u32 = 10408;
/// 409: the migration state changed during the request.
pub const MIGRATION_CONFLICT: u32 = 10409;
/// 410: the previous managed rules of the zone were removed by its migration (assumption legacy-gone).
pub const LEGACY_WAF_GONE: u32 = 10410;
/// 412: the current version differs from the one in `If-Match`.
pub const PRECONDITION_FAILED: u32 = 10412;
/// 413: the body is too large, or has too many values.
pub const BODY_TOO_LARGE: u32 = 10413;
/// 415: the encoding of the body is not supported.
pub const UNSUPPORTED_ENCODING: u32 = 10415;
/// 421: the `Host` header or the URL names another host. 400: the host is ambiguous.
pub const MISDIRECTED_REQUEST: u32 = 10421;
/// 429: too many log lines await delivery, or too many bodies of lines are being read.
pub const SPOOL_FULL: u32 = 10429;
/// 429: too many wrong passphrases were sent to the relay.
pub const TOO_MANY_ATTEMPTS: u32 = 10430;
/// 429: the client sent too many requests. The real API sends 971 (observed), which is below the documented minimum.
pub const TOO_MANY_REQUESTS: u32 = 10971;
/// 400, and 403 for transformers: the feature is documented, but this service does not have it. In `messages` of a job:
/// the setting is stored without effect. The status is not 501, because clients retry after a 501.
pub const NOT_SUPPORTED: u32 = 10501;
/// 503: the database is unreachable, busy or not writable, the disk is not writable, the service has no lease on its
/// spools yet, or too many large bodies are being read. Nothing was changed, and a retry is safe. Only an ingest may
/// have accepted the first lines, whose number is in the message.
pub const UNAVAILABLE: u32 = 10503;
/// 500: the connection to the database was lost during a commit, so the outcome is unknown. The client must check the
/// state before it retries.
pub const COMMIT_OUTCOME_UNKNOWN: u32 = 10504;
/// 500: the service failed through no fault of the client.
pub const INTERNAL_ERROR: u32 = 10500;
/// 502: the relay could not reach the upstream, or cannot forward its response.
pub const UPSTREAM_FAILED: u32 = 10502;
/// 503: the relay has too many open requests to the upstream.
pub const RELAY_BUSY: u32 = 10505;
/// 504: the upstream of the relay did not respond in time.
pub const UPSTREAM_TIMEOUT: u32 = 10506;
/// 400: a rule that is not a skip rule has logging options (observed).
pub const LOGGING_NOT_ALLOWED: u32 = 20018;
/// 400: the action of a rule needs parameters (observed).
pub const MISSING_PARAMETERS: u32 = 20113;
/// 400: a value in a ruleset is not allowed (observed; assumption ruleset-codes).
pub const INVALID_RULE: u32 = 20120;
/// 400: the expression of a rule in a ruleset is rejected (observed; assumption ruleset-codes).
pub const INVALID_RULE_EXPRESSION: u32 = 20127;
/// 400: there would be too many rulesets of this kind in this phase, or too many rules in a ruleset (observed).
pub const TOO_MANY_RULES: u32 = 20217;
