//! The phases in which rules run.

macro_rules! phases {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $title:literal, $traffic:ident;)*) => {
        /// A phase of the request, response or packet pipeline, in the order of execution.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Phase { $($(#[$doc])* $variant,)* }

        impl Phase {
            /// All phases, in the order of execution.
            pub const ALL: &[Phase] = &[$(Phase::$variant),*];

            /// Returns the name in the API: `http_request_firewall_custom`.
            pub fn name(self) -> &'static str {
                match self { $(Phase::$variant => $name,)* }
            }

            /// Returns the product name: `WAF custom rules`.
            pub fn title(self) -> &'static str {
                match self { $(Phase::$variant => $title,)* }
            }

            /// Returns the kind of traffic that rules of this phase receive.
            pub fn traffic(self) -> Traffic {
                match self { $(Phase::$variant => Traffic::$traffic,)* }
            }
        }
    };
}

/// The kind of traffic that rules of a phase receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// Packets.
    Packet,
    /// HTTP requests.
    Request,
    /// HTTP requests and, in counting expressions (`Kind::Counting`), their responses.
    RequestAndResponse,
    /// HTTP responses with their requests.
    Response,
}

phases! {
    /// Network-layer DDoS protection.
    DdosL4 = "ddos_l4", "Network-layer DDoS protection", Packet;
    /// Network firewall.
    MagicTransit = "magic_transit", "Network firewall", Packet;
    /// Managed network firewall rules.
    MagicTransitManaged = "magic_transit_managed", "Network firewall managed rules", Packet;
    /// Network firewall rate limits.
    MagicTransitRatelimit = "magic_transit_ratelimit", "Network firewall rate limits", Packet;
    /// Intrusion detection.
    MagicTransitIdsManaged = "magic_transit_ids_managed", "Network intrusion detection", Packet;
    /// URL normalization.
    HttpRequestSanitize = "http_request_sanitize", "URL normalization", Request;
    /// Single redirects.
    HttpRequestDynamicRedirect = "http_request_dynamic_redirect", "Single redirects", Request;
    /// URL rewrites.
    HttpRequestTransform = "http_request_transform", "URL rewrites", Request;
    /// Configuration rules.
    HttpConfigSettings = "http_config_settings", "Configuration rules", Request;
    /// Origin rules.
    HttpRequestOrigin = "http_request_origin", "Origin rules", Request;
    /// HTTP DDoS protection.
    DdosL7 = "ddos_l7", "HTTP DDoS protection", Request;
    /// WAF custom rules.
    HttpRequestFirewallCustom = "http_request_firewall_custom", "WAF custom rules", Request;
    /// Rate limiting rules.
    HttpRatelimit = "http_ratelimit", "Rate limiting rules", RequestAndResponse;
    /// WAF managed rules.
    HttpRequestFirewallManaged = "http_request_firewall_managed", "WAF managed rules", Request;
    /// Super bot fight mode.
    HttpRequestSbfm = "http_request_sbfm", "Super bot fight mode", Request;
    /// Bulk redirects.
    HttpRequestRedirect = "http_request_redirect", "Bulk redirects", Request;
    /// Request header transforms.
    HttpRequestLateTransform = "http_request_late_transform", "Request header transforms", Request;
    /// Cache rules.
    HttpRequestCacheSettings = "http_request_cache_settings", "Cache rules", Request;
    /// Cache response rules.
    HttpResponseCacheSettings = "http_response_cache_settings", "Cache response rules", Response;
    /// Custom error rules.
    HttpCustomErrors = "http_custom_errors", "Custom error rules", Response;
    /// Response header transforms.
    HttpResponseHeadersTransform = "http_response_headers_transform", "Response header transforms", Response;
    /// Compression rules.
    HttpResponseCompression = "http_response_compression", "Compression rules", Response;
    /// Sensitive data detection.
    HttpResponseFirewallManaged = "http_response_firewall_managed", "Sensitive data detection", Response;
    /// Custom log fields.
    HttpLogCustomFields = "http_log_custom_fields", "Custom log fields", Response;
}

impl Phase {
    /// Returns the phase with this [`name`](Phase::name).
    pub fn from_name(name: &str) -> Option<Phase> {
        Phase::ALL.iter().copied().find(|phase| phase.name() == name)
    }
}
