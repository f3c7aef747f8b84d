//! The integers in `errors[].code`. The specification shows none; "observed" marks those that
//! clients of such services were seen to receive, the others are ours (assumption error-codes).

/// 401, at the token check only: the token is not known (observed).
pub const INVALID_TOKEN: u32 = 1000;
/// 400: what was sent for log push is wrong (observed with a wrong ownership challenge).
pub const WRONG_JOB: u32 = 1002;
/// 404: the previous managed rules have no such package, group, rule or override, or the zone no such page
/// rule (observed).
pub const NOT_THERE: u32 = 1002;
/// 400: zones have no such setting (observed).
pub const NO_SETTING: u32 = 1003;
/// 400: a log push job is not allowed, as one more than there may be, or its filter is refused (observed).
pub const JOB_NOT_ALLOWED: u32 = 1004;
/// 400: the page rule is refused (observed).
pub const WRONG_PAGE_RULE: u32 = 1004;
/// 400: the setting of a zone cannot have this value (observed).
pub const WRONG_SETTING: u32 = 1007;
/// 400: the setting of this zone cannot be changed (observed).
pub const SETTING_NOT_ALLOWED: u32 = 1015;
/// 400: only anomaly packages have attributes that can be changed (observed).
pub const NOT_ANOMALY: u32 = 1027;
/// 400: a header is malformed; `error_chain` says which (observed).
pub const INVALID_HEADERS: u32 = 6003;
/// In a chain: the e-mail address is malformed.
pub const MALFORMED_EMAIL: u32 = 6102;
/// In a chain: the key is not 37 hexadecimal digits (observed).
pub const MALFORMED_KEY: u32 = 6103;
/// In a chain: not `Bearer` and a token of 40 letters, digits, `_` or `-` (observed).
pub const MALFORMED_AUTHORIZATION: u32 = 6111;
/// 404: no such address; always follows [`BAD_ROUTE`] (observed).
pub const NO_ROUTE: u32 = 7000;
/// 404: no such address, or no such zone (observed).
pub const BAD_ROUTE: u32 = 7003;
/// 403: e-mail and key do not belong together, or neither is known.
pub const UNKNOWN_KEY: u32 = 9103;
/// 400: no credentials at all, or an e-mail without a key or the reverse (observed).
pub const MISSING_CREDENTIALS: u32 = 9106;
/// 403: the caller is known but has no right to this (observed).
pub const UNAUTHORIZED: u32 = 9109;
/// 403: the token is not known (observed). In `messages` of the token check: it is valid (observed).
pub const AUTHENTICATION: u32 = 10000;
/// 404, or 400 when a request refers to it: there is no such rule or filter.
pub const NOT_EXISTS: u32 = 10001;
/// 404: the zone has no entry point in this phase (observed).
pub const NO_ENTRY_POINT: u32 = 10003;
/// 400: the shape of the request is wrong: a type, an unknown or a missing member (assumption
/// validation-codes).
pub const WRONG_SHAPE: u32 = 10014;
/// 400: the shape is right but the value is not allowed; also for query parameters.
pub const WRONG_VALUE: u32 = 10015;
/// 400: the expression is refused; the message shows where and why.
pub const WRONG_EXPRESSION: u32 = 10016;
/// 400: the body is not JSON.
pub const BAD_JSON: u32 = 10019;
/// 400: the zone has a filter with the same expression; `meta.id` names it (observed).
pub const DUPLICATE_FILTER: u32 = 10102;
/// 400: the zone would have more active firewall rules, or filters, than its plan allows.
pub const QUOTA_EXCEEDED: u32 = 10103;
/// 400: the filter cannot be deleted because rules use it.
pub const FILTER_IN_USE: u32 = 10104;
/// 400: as [`DUPLICATE_FILTER`], when the filter comes with its rule (observed).
pub const DUPLICATE_FILTER_OF_RULE: u32 = 10202;
/// 400: the zone cannot migrate; each error points at the setting that stands in the way. In `messages` of the
/// check: the same.
pub const NOT_ELIGIBLE: u32 = 10301;
/// 400: the migration needs the provider's support; each error points at the setting. In `messages` of the
/// check: the same.
pub const NEEDS_SUPPORT: u32 = 10302;
/// 400: the migration of this zone cannot take this step.
pub const WRONG_STEP: u32 = 10303;
/// 400: before its migration, a zone of this plan can save new rules only disabled.
pub const NOT_MIGRATED: u32 = 10304;
/// 401: the relay keeps the credentials and nobody is logged in.
pub const NO_SESSION: u32 = 10401;
/// 403: the relay does not take this: a page of another site sent it, the secret of the session is missing, or the
/// passphrase is wrong.
pub const RELAY_REFUSED: u32 = 10403;
/// 405: the address exists but not with this method (observed).
pub const METHOD_NOT_ALLOWED: u32 = 10405;
/// 408: the body did not arrive in time.
pub const BODY_TOO_SLOW: u32 = 10408;
/// 409: the migration of the zone has moved on while the request was looked at.
pub const MIGRATION_MOVED: u32 = 10409;
/// 410: the previous managed rules of the zone were switched off for good by its migration (assumption
/// legacy-gone).
pub const GONE: u32 = 10410;
/// 412: what `If-Match` names is not what is there any more.
pub const STALE: u32 = 10412;
/// 413: the body is too large, or has too many values.
pub const BODY_TOO_LARGE: u32 = 10413;
/// 415: the body has an encoding that is not read.
pub const UNREADABLE: u32 = 10415;
/// 421: the `Host` header, or the address, names another host; 400: it is not clear which.
pub const WRONG_HOST: u32 = 10421;
/// 429: too many log lines wait for their delivery, or too many bodies of lines are being read.
pub const SPOOL_FULL: u32 = 10429;
/// 429: too many wrong passphrases were sent to the relay.
pub const TOO_MANY_ATTEMPTS: u32 = 10430;
/// 429: the caller has sent too many requests. Others of such services were seen with 971, which is less than the
/// documented least.
pub const TOO_MANY_REQUESTS: u32 = 10971;
/// 400, and 403 for transformers: what is asked for exists elsewhere, but not in this service. In `messages`
/// of a job: what it asks for is kept without an effect. Not 501, since clients repeat what was
/// answered so.
pub const NOT_AVAILABLE: u32 = 10501;
/// 503: the database is away, busy or cannot be written, or too many large bodies are being read. Nothing was changed,
/// and the same may be sent again.
pub const UNAVAILABLE: u32 = 10503;
/// 500: the database was lost while a change was committed, and it is not known whether it was: whoever sent it
/// looks before sending it again.
pub const OUTCOME_UNKNOWN: u32 = 10504;
/// 500: the service failed; not the caller's fault.
pub const INTERNAL: u32 = 10500;
/// 502: the upstream of the relay was not reached, or answered with what cannot be passed on.
pub const UPSTREAM_FAILED: u32 = 10502;
/// 503: too many requests are on their way to the upstream of the relay.
pub const RELAY_BUSY: u32 = 10505;
/// 504: the upstream of the relay did not answer in time.
pub const UPSTREAM_SLOW: u32 = 10506;
/// 400: a rule has logging options, and does not skip (observed).
pub const LOGGING_NOT_ALLOWED: u32 = 20018;
/// 400: the action of a rule needs parameters (observed).
pub const PARAMETERS_MISSING: u32 = 20113;
/// 400: a value in a ruleset is not allowed (observed; assumption ruleset-codes).
pub const WRONG_RULE: u32 = 20120;
/// 400: the expression of a rule in a ruleset is refused (observed; assumption ruleset-codes).
pub const WRONG_RULE_EXPRESSION: u32 = 20127;
/// 400: there would be more rulesets of this kind in this phase, or more rules in one, than there may be
/// (observed).
pub const TOO_MANY: u32 = 20217;
