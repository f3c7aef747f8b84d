//! Matches the path of a request against the documented paths.

use super::route_table::{BodyKind, OwnerScope, ROUTES, Route, SegmentPattern};
use axum::http::Method;
use zonewright_expression::schema::Phase;
use zonewright_logpush::JobScope;

/// Prefix of every relayed path.
const API_PREFIX: &str = "/client/v4/";
/// Maximum number of path segments that are compared: more than any documented path has.
const MAX_SEGMENTS: usize = 16;

/// A documented path with the validation of its body.
#[derive(Clone, Debug)]
pub(super) struct RouteMatch {
    /// Segments after `/client/v4`. None of them needs percent-encoding.
    pub(super) segments: Vec<String>,
    /// ID of the zone in the path.
    pub(super) zone: Option<String>,
    /// Scope of the log push jobs.
    pub(super) scope: JobScope,
    /// Pattern of the route in the table, for the log.
    pub(super) route: &'static str,
    /// Validation of the body.
    pub(super) body_kind: BodyKind,
}

impl RouteMatch {
    /// Returns the phase in the path.
    pub(super) fn phase(&self) -> Option<Phase> {
        self.segments.iter().find_map(|segment| Phase::from_name(segment))
    }

    /// Returns whether the path belongs to rulesets.
    pub(super) fn is_ruleset_route(&self) -> bool {
        self.route.starts_with("rulesets")
    }
}

/// The reason why a path is not relayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRouteMatch {
    /// No such path.
    UnknownPath,
    /// The path does not have this method.
    MethodNotAllowed,
}

/// Finds the documented path of a request. `path` is the path as it was sent, with percent-encoding.
pub(super) fn match_route(path: &str, method: &Method) -> Result<RouteMatch, NoRouteMatch> {
    let rest = path.strip_prefix(API_PREFIX).ok_or(NoRouteMatch::UnknownPath)?;
    let segments: Vec<&str> = rest.split('/').take(MAX_SEGMENTS).collect();
    let (route, owner) = ROUTES
        .iter()
        .find_map(|route| Some((route, match_segments(route, &segments)?)))
        .ok_or(NoRouteMatch::UnknownPath)?;
    // HEAD has the result of GET.
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let body_kind =
        route.methods.iter().find(|(name, _)| *name == method.as_str()).ok_or(NoRouteMatch::MethodNotAllowed)?.1;
    Ok(RouteMatch {
        zone: owner.filter(|(kind, _)| *kind == "zones").map(|(_, id)| id.to_owned()),
        scope: if owner.is_some_and(|(kind, _)| kind == "accounts") { JobScope::Account } else { JobScope::Zone },
        segments: segments.into_iter().map(str::to_owned).collect(),
        route: route.pattern,
        body_kind,
    })
}

/// Returns the owner in the segments if they match the route.
fn match_segments<'a>(route: &Route, segments: &[&'a str]) -> Option<Option<(&'a str, &'a str)>> {
    let (owner, rest) = match (route.owners, segments) {
        (OwnerScope::Global, rest) => (None, rest),
        (OwnerScope::Zone | OwnerScope::Either, [kind @ "zones", id, rest @ ..])
        | (OwnerScope::Account | OwnerScope::Either, [kind @ "accounts", id, rest @ ..])
            if SegmentPattern::Id.matches(id) =>
        {
            (Some((*kind, *id)), rest)
        }
        _ => return None,
    };
    let mut patterns = route.segments();
    let all_match = rest.iter().all(|segment| patterns.next().is_some_and(|pattern| pattern.matches(segment)));
    (all_match && patterns.next().is_none()).then_some(owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    fn matched_route(method: &str, rest: &str) -> Result<&'static str, NoRouteMatch> {
        let path = format!("/client/v4{}", rest.replace("ID", ID));
        match_route(&path, &Method::from_bytes(method.as_bytes()).unwrap()).map(|route_match| route_match.route)
    }

    #[test]
    fn documented_paths_match_their_routes() {
        for (method, path, route) in [
            ("GET", "/user/tokens/verify", "user/tokens/verify"),
            ("GET", "/user", "user"),
            ("GET", "/accounts/ID", ""),
            ("GET", "/zones", "zones"),
            ("GET", "/zones/ID", ""),
            ("HEAD", "/zones/ID", ""),
            ("GET", "/filters/validate-expr", "filters/validate-expr"),
            ("DELETE", "/zones/ID/filters", "filters"),
            ("PATCH", "/zones/ID/firewall/rules/ID", "firewall/rules/{id}"),
            ("PATCH", "/zones/ID/firewall/waf/packages/ID/rules/100135A", "firewall/waf/packages/{id}/rules/{name}"),
            ("PUT", "/zones/ID/rulesets/phases/http_ratelimit/entrypoint", "rulesets/phases/{phase}/entrypoint"),
            ("PUT", "/accounts/ID/rulesets/ID", "rulesets/{id}"),
            ("DELETE", "/accounts/ID/logpush/jobs/7", "logpush/jobs/{number}"),
            ("POST", "/accounts/ID/logpush/transformers/preview", "logpush/transformers/preview"),
            ("GET", "/zones/ID/logpush/datasets/http_requests/fields", "logpush/datasets/{dataset}/fields"),
        ] {
            assert_eq!(matched_route(method, path), Ok(route), "{method} {path}");
        }
    }

    #[test]
    fn undocumented_paths_do_not_match() {
        for path in [
            "/",
            "//zones",
            "/zones/",
            "/zones/ID/",
            "/zones/ID//filters",
            "/zones//filters",
            "/zones/id/filters",
            "/zones/0123456789ABCDEF0123456789ABCDEF/filters",
            "/zones/ID/filters/..",
            "/zones/ID/filters/../../../user",
            "/zones/ID/filters/%2e%2e",
            "/zones/ID/filters%2fID",
            "/zones/ID/filters/ID%00",
            "/zones/ID/filters;x",
            "/zones/ID/filters/ID@evil.example",
            "/zones/ID/dns_records",
            "/zones/ID/settings/ssl",
            "/zones/ID/purge_cache",
            "/zones/ID/logpush/ingest/http_requests",
            "/zones/ID/logpush/jobs/07",
            "/zones/ID/logpush/jobs/+7",
            "/zones/ID/logpush/jobs/18446744073709551616",
            "/zones/ID/logpush/datasets/nope/fields",
            "/zones/ID/logpush/transformers",
            "/zones/ID/rulesets/phases/nope/entrypoint",
            "/zones/ID/rulesets/ID/versions/1/by_tag/wordpress",
            "/accounts/ID/filters",
            "/accounts/ID/waf_migration/check",
            "/user/tokens",
            "/accounts/ID/tokens",
            "/zones/ID/tokens/verify",
            "/https://evil.example/zones",
        ] {
            assert_eq!(matched_route("GET", path), Err(NoRouteMatch::UnknownPath), "{path}");
        }
        for (method, path) in [
            ("DELETE", "/zones/ID"),
            ("PATCH", "/zones/ID/filters"),
            ("OPTIONS", "/zones"),
            ("get", "/zones"),
            ("CONNECT", "/zones"),
            ("POST", "/zones/ID/waf_migration/check"),
            ("PUT", "/user/tokens/verify"),
        ] {
            assert_eq!(matched_route(method, path), Err(NoRouteMatch::MethodNotAllowed), "{method} {path}");
        }
        assert_eq!(match_route("/client/v5/zones", &Method::GET).err(), Some(NoRouteMatch::UnknownPath));
        assert_eq!(
            match_route(&format!("/client/v4/zones{}", "/x".repeat(1_000)), &Method::GET).err(),
            Some(NoRouteMatch::UnknownPath)
        );
    }

    #[test]
    fn longest_documented_path_is_within_the_segment_limit() {
        let longest = ROUTES.iter().map(|route| route.segments().count() + 2).max();
        assert!(longest.is_some_and(|longest| longest < MAX_SEGMENTS), "{longest:?}");
    }
}
