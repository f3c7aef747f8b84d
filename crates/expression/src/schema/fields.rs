//! The fields, one line each.

use super::{Available, Certainty, Deprecated, Field, Needs, Phase, Tier};
use crate::types::Type;

const STRING: Type = Type::STRING;
const BYTES: Type = Type::BYTES;
const INTEGER: Type = Type::INTEGER;
const IP: Type = Type::IP;
const BOOLEAN: Type = Type::BOOLEAN;
const STRINGS: Type = STRING.array();
const INTEGERS: Type = INTEGER.array();
/// A row of strings for each part of a multipart body.
const STRING_ROWS: Type = STRINGS.array();
const STRINGS_BY_NAME: Type = STRINGS.map();
const INTEGERS_BY_NAME: Type = INTEGERS.map();
const INTEGER_BY_NAME: Type = INTEGER.map();

const PRO: Needs = Needs::Tier(Tier::Pro);
const BUSINESS: Needs = Needs::Tier(Tier::Business);
const ENTERPRISE: Needs = Needs::Tier(Tier::Enterprise);
const ADD_ON: Needs = Needs::AddOn;

const TRANSFORMS: &[Phase] =
    &[Phase::HttpRequestTransform, Phase::HttpRequestLateTransform, Phase::HttpResponseHeadersTransform];
/// Phases that see why a response became an error.
const ERROR_PHASES: &[Phase] = &[Phase::HttpCustomErrors, Phase::HttpResponseHeadersTransform];
/// Phases for which the client's languages are sorted.
const LANGUAGE_PHASES: &[Phase] = &[
    Phase::HttpRequestTransform,
    Phase::HttpRequestLateTransform,
    Phase::HttpResponseCacheSettings,
    Phase::HttpResponseHeadersTransform,
];

const fn field(available: Available, name: &'static str, ty: Type, doc: &'static str) -> Field {
    let certainty = Certainty::Known;
    Field { name, ty, doc, available, needs: None, only_in: None, deprecated: None, certainty }
}

const fn request(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Available::Request, name, ty, doc)
}

const fn response(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Available::Response, name, ty, doc)
}

const fn packet(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Available::Packet, name, ty, doc)
}

const fn everywhere(name: &'static str, ty: Type, doc: &'static str) -> Field {
    field(Available::RequestAndPacket, name, ty, doc)
}

impl Field {
    const fn needs(self, needs: Needs) -> Field {
        Field { needs: Some(needs), ..self }
    }

    const fn only_in(self, phases: &'static [Phase]) -> Field {
        Field { only_in: Some(phases), ..self }
    }

    /// Out of use: the same value has another name.
    const fn replaced_by(self, name: &'static str) -> Field {
        Field { deprecated: Some(Deprecated { replacement: Some(name) }), ..self }
    }

    /// Out of use, and nothing took its place.
    const fn retired(self) -> Field {
        Field { deprecated: Some(Deprecated { replacement: None }), ..self }
    }

    const fn doubtful(self) -> Field {
        Field { certainty: Certainty::Doubtful, ..self }
    }
}

/// All fields, sorted by name.
pub static FIELDS: &[Field] = &[
    request(
        "cf.api_gateway.auth_id_present",
        BOOLEAN,
        "whether the request carries one of the session identifiers set up for the API",
    )
    .needs(ADD_ON),
    request("cf.api_gateway.fallthrough_detected", BOOLEAN, "whether the request went past every saved API endpoint"),
    request(
        "cf.api_gateway.request_violates_schema",
        BOOLEAN,
        "whether the request breaks the schema of its API endpoint",
    ),
    request(
        "cf.bot_management.corporate_proxy",
        BOOLEAN,
        "whether the request comes through a company's secure gateway",
    )
    .needs(ADD_ON),
    request("cf.bot_management.detection_ids", INTEGERS, "numbers of the bot heuristics that the request set off")
        .needs(ADD_ON),
    request("cf.bot_management.ja3_hash", STRING, "JA3 fingerprint of the TLS client").needs(ADD_ON),
    request("cf.bot_management.ja4", STRING, "JA4 fingerprint of the TLS client").needs(ADD_ON),
    request(
        "cf.bot_management.js_detection.passed",
        BOOLEAN,
        "whether the visitor has passed a JavaScript detection before",
    )
    .needs(ADD_ON),
    request("cf.bot_management.score", INTEGER, "bot score from 1 (surely a bot) to 99 (surely a person)")
        .needs(ADD_ON),
    request("cf.bot_management.signed_agent", BOOLEAN, "whether the client proved who it is with a signed request")
        .needs(ADD_ON),
    request("cf.bot_management.static_resource", BOOLEAN, "whether the path ends like that of a static file")
        .needs(ADD_ON),
    request("cf.bot_management.verified_bot", BOOLEAN, "whether the client is a bot on the list of good ones")
        .needs(ADD_ON),
    request("cf.client.bot", BOOLEAN, "whether the client is a known good bot, on every plan"),
    packet("cf.colo.name", STRING, "code of the data center that received the packet"),
    packet("cf.colo.region", STRING, "region of the data center that received the packet"),
    request("cf.edge.client_port", INTEGER, "port that the client connects from").doubtful(),
    request("cf.edge.client_tcp", BOOLEAN, "whether the client connects over TCP"),
    request(
        "cf.edge.l4.delivery_rate",
        INTEGER,
        "newest estimate of the connection's speed, in bytes a second; 0 when there is none",
    ),
    request("cf.edge.server_ip", IP, "address of the network that the client connects to"),
    request("cf.edge.server_port", INTEGER, "port of the network that the client connects to"),
    request("cf.hostname.metadata", STRING, "JSON text stored with a custom hostname"),
    request(
        "cf.llm.prompt.custom_topic_categories",
        INTEGER_BY_NAME,
        "score from 1 (a match) to 99 of the prompt for each topic of your own",
    )
    .needs(ENTERPRISE),
    request("cf.llm.prompt.detected", BOOLEAN, "whether the request holds a prompt for a language model")
        .needs(ENTERPRISE),
    request(
        "cf.llm.prompt.injection_score",
        INTEGER,
        "prompt injection score from 1 (an attack) to 99; 100 when not scored",
    )
    .needs(ENTERPRISE),
    request("cf.llm.prompt.pii_categories", STRINGS, "kinds of personal data found in the prompt").needs(ENTERPRISE),
    request("cf.llm.prompt.pii_detected", BOOLEAN, "whether the prompt holds personal data").needs(ENTERPRISE),
    request("cf.llm.prompt.token_count", INTEGER, "estimated number of tokens in the prompt").needs(ENTERPRISE),
    request(
        "cf.llm.prompt.unsafe_topic_categories",
        STRINGS,
        "codes of the unsafe topics found in the prompt, S1 to S14",
    )
    .needs(ENTERPRISE),
    request("cf.llm.prompt.unsafe_topic_detected", BOOLEAN, "whether the prompt is about an unsafe topic")
        .needs(ENTERPRISE),
    request("cf.random_seed", BYTES, "random bytes, new for every request"),
    request("cf.ray_id", STRING, "identifier of the request, as in logs"),
    response("cf.response.1xxx_code", INTEGER, "number of the network's own 1xxx error, 0 when there is none")
        .only_in(ERROR_PHASES),
    response("cf.response.error_type", STRING, "what made the response an error, such as `waf`, `5xx` or `ratelimit`")
        .only_in(ERROR_PHASES),
    request(
        "cf.schema_validation.learned.violated",
        BOOLEAN,
        "whether the request departs from the schema learned from traffic",
    ),
    request(
        "cf.schema_validation.uploaded.violated",
        BOOLEAN,
        "whether the request departs from the schema that was uploaded",
    ),
    request("cf.threat_score", INTEGER, "former threat score, now always 0").retired(),
    request(
        "cf.timings.client_quic_rtt_msec",
        INTEGER,
        "smoothed round trip to the client over QUIC in milliseconds, 0 over TCP",
    ),
    request(
        "cf.timings.client_tcp_rtt_msec",
        INTEGER,
        "smoothed round trip to the client over TCP in milliseconds, 0 over QUIC",
    ),
    request("cf.timings.edge_msec", INTEGER, "time spent inside the network in milliseconds"),
    request(
        "cf.timings.origin_ttfb_msec",
        INTEGER,
        "time until the origin's first byte in milliseconds, 0 when answered from cache",
    ),
    request("cf.timings.worker_msec", INTEGER, "time spent in a Worker in milliseconds, 0 without one"),
    request("cf.tls_cipher", STRING, "name of the cipher of the client's connection"),
    request("cf.tls_ciphers_sha1", STRING, "SHA-1 in Base64 of the ciphers the client offers, big-endian"),
    request(
        "cf.tls_client_auth.cert_chain_rfc9440",
        STRING,
        "intermediate certificates of the client as an RFC 9440 list, empty above 16 KiB",
    ),
    request(
        "cf.tls_client_auth.cert_chain_rfc9440_too_large",
        BOOLEAN,
        "whether the client's chain is above 16 KiB when written as RFC 9440",
    ),
    request("cf.tls_client_auth.cert_fingerprint_sha1", STRING, "SHA-1 fingerprint of the client certificate, in hex"),
    request(
        "cf.tls_client_auth.cert_fingerprint_sha256",
        STRING,
        "SHA-256 fingerprint of the client certificate, in hex",
    ),
    request("cf.tls_client_auth.cert_issuer_dn", STRING, "name of the client certificate's issuer"),
    request(
        "cf.tls_client_auth.cert_issuer_dn_legacy",
        STRING,
        "name of the client certificate's issuer, written with slashes",
    ),
    request(
        "cf.tls_client_auth.cert_issuer_dn_rfc2253",
        STRING,
        "name of the client certificate's issuer, as RFC 2253 writes it",
    ),
    request(
        "cf.tls_client_auth.cert_issuer_serial",
        STRING,
        "serial number of the certificate that issued the client's",
    ),
    request("cf.tls_client_auth.cert_issuer_ski", STRING, "key identifier of the certificate that issued the client's"),
    request("cf.tls_client_auth.cert_not_after", STRING, "last moment the client certificate is valid, as text"),
    request("cf.tls_client_auth.cert_not_before", STRING, "first moment the client certificate is valid, as text"),
    request("cf.tls_client_auth.cert_presented", BOOLEAN, "whether the client showed a certificate, good or bad"),
    request(
        "cf.tls_client_auth.cert_revoked",
        BOOLEAN,
        "whether the client showed a good certificate that has been revoked",
    ),
    request("cf.tls_client_auth.cert_rfc9440", STRING, "client certificate written as RFC 9440, empty above 10 KiB"),
    request(
        "cf.tls_client_auth.cert_rfc9440_too_large",
        BOOLEAN,
        "whether the client certificate is above 10 KiB when written as RFC 9440",
    ),
    request("cf.tls_client_auth.cert_serial", STRING, "serial number of the client certificate"),
    request("cf.tls_client_auth.cert_ski", STRING, "key identifier of the client certificate"),
    request("cf.tls_client_auth.cert_subject_dn", STRING, "name that the client certificate is for"),
    request(
        "cf.tls_client_auth.cert_subject_dn_legacy",
        STRING,
        "name that the client certificate is for, written with slashes",
    ),
    request(
        "cf.tls_client_auth.cert_subject_dn_rfc2253",
        STRING,
        "name that the client certificate is for, as RFC 2253 writes it",
    ),
    request(
        "cf.tls_client_auth.cert_verified",
        BOOLEAN,
        "whether the client showed a good certificate, revoked or not",
    ),
    request("cf.tls_client_extensions_sha1", STRING, "SHA-1 in Base64 of the client's TLS extensions, big-endian"),
    request(
        "cf.tls_client_extensions_sha1_le",
        STRING,
        "SHA-1 in Base64 of the client's TLS extensions, little-endian",
    ),
    request("cf.tls_client_hello_length", INTEGER, "length of the TLS client hello in bytes"),
    request("cf.tls_client_random", STRING, "the client's 32 random bytes of the TLS handshake, in Base64"),
    request("cf.tls_version", STRING, "TLS version of the client's connection"),
    request("cf.verified_bot_category", STRING, "what the known good bot is for, such as search or monitoring"),
    request("cf.waf.auth_detected", BOOLEAN, "whether the request holds a user name or a password").needs(ENTERPRISE),
    request("cf.waf.content_scan.has_failed", BOOLEAN, "whether some uploaded object could not be scanned")
        .needs(ADD_ON),
    request("cf.waf.content_scan.has_malicious_obj", BOOLEAN, "whether an uploaded object is malicious").needs(ADD_ON),
    request("cf.waf.content_scan.has_obj", BOOLEAN, "whether the request uploads an object").needs(ADD_ON),
    request("cf.waf.content_scan.num_malicious_obj", INTEGER, "number of malicious objects in the request")
        .needs(ADD_ON),
    request("cf.waf.content_scan.num_obj", INTEGER, "number of objects in the request").needs(ADD_ON),
    request("cf.waf.content_scan.obj_results", STRINGS, "verdict on each object, such as `clean` or `infected`")
        .needs(ADD_ON),
    request("cf.waf.content_scan.obj_sizes", INTEGERS, "size of each object in bytes").needs(ADD_ON),
    request("cf.waf.content_scan.obj_types", STRINGS, "MIME type of each object").needs(ADD_ON),
    request("cf.waf.credential_check.password_leaked", BOOLEAN, "whether the password is in a known leak"),
    request(
        "cf.waf.credential_check.username_and_password_leaked",
        BOOLEAN,
        "whether the user name and the password are together in a known leak",
    )
    .needs(PRO),
    request("cf.waf.credential_check.username_leaked", BOOLEAN, "whether the user name is in a known leak")
        .needs(ENTERPRISE),
    request(
        "cf.waf.credential_check.username_password_similar",
        BOOLEAN,
        "whether a pair much like user name and password is in a known leak",
    )
    .needs(ENTERPRISE),
    request("cf.waf.score", INTEGER, "attack score from 1 (an attack) to 99 (clean); 100 when not scored")
        .needs(ENTERPRISE),
    request(
        "cf.waf.score.class",
        STRING,
        "attack score in words: `attack`, `likely_attack`, `likely_clean` or `clean`",
    )
    .needs(BUSINESS),
    request("cf.waf.score.rce", INTEGER, "remote code execution score from 1 (an attack) to 99").needs(ENTERPRISE),
    request("cf.waf.score.sqli", INTEGER, "SQL injection score from 1 (an attack) to 99").needs(ENTERPRISE),
    request("cf.waf.score.xss", INTEGER, "cross-site scripting score from 1 (an attack) to 99").needs(ENTERPRISE),
    request("cf.worker.upstream_zone", STRING, "zone of the Worker that sent the request, empty when none did"),
    request("cf.zone.name", STRING, "name of the zone, for rules of a whole account"),
    request("cf.zone.plan", STRING, "code of the zone's plan such as `ENT`, for rules of a whole account"),
    request("http.cookie", STRING, "the whole Cookie header"),
    request("http.host", STRING, "host name that the client asked for"),
    request("http.referer", STRING, "the Referer header"),
    request("http.request.accepted_languages", STRINGS, "language tags of the Accept-Language header, best first")
        .only_in(LANGUAGE_PHASES),
    request("http.request.body.form", STRINGS_BY_NAME, "fields of a URL-encoded form body, by name").needs(ENTERPRISE),
    request("http.request.body.form.names", STRINGS, "names of the form fields, in order").needs(ENTERPRISE),
    request("http.request.body.form.values", STRINGS, "values of the form fields, in order").needs(ENTERPRISE),
    request("http.request.body.mime", STRING, "MIME type guessed from the body itself"),
    request("http.request.body.multipart", STRINGS_BY_NAME, "values of a multipart body, by name").needs(ENTERPRISE),
    request(
        "http.request.body.multipart.content_dispositions",
        STRING_ROWS,
        "Content-Disposition headers of each part",
    )
    .needs(ENTERPRISE),
    request(
        "http.request.body.multipart.content_transfer_encodings",
        STRING_ROWS,
        "Content-Transfer-Encoding headers of each part",
    )
    .needs(ENTERPRISE),
    request("http.request.body.multipart.content_types", STRING_ROWS, "Content-Type headers of each part")
        .needs(ENTERPRISE),
    request("http.request.body.multipart.filenames", STRING_ROWS, "file names of each part").needs(ENTERPRISE),
    request("http.request.body.multipart.names", STRING_ROWS, "names of each part").needs(ENTERPRISE),
    request("http.request.body.multipart.values", STRINGS, "value of each part").needs(ENTERPRISE),
    request("http.request.body.raw", STRING, "the body as it came, cut where the plan's limit is").needs(ENTERPRISE),
    request("http.request.body.size", INTEGER, "size of the whole body in bytes").needs(ENTERPRISE),
    request("http.request.body.truncated", BOOLEAN, "whether the body is cut, so that its fields may lack something")
        .needs(ENTERPRISE),
    request("http.request.cookies", STRINGS_BY_NAME, "cookies by name").needs(PRO),
    request("http.request.full_uri", STRING, "address with scheme, host, path and query"),
    request("http.request.headers", STRINGS_BY_NAME, "headers by lower-case name"),
    request("http.request.headers.names", STRINGS, "header names as the client wrote them"),
    request("http.request.headers.truncated", BOOLEAN, "whether there were too many headers to keep them all"),
    request("http.request.headers.values", STRINGS, "header values, in the order of the names"),
    request("http.request.jwt.claims.aud", STRINGS_BY_NAME, "audience claim of the token, by token configuration")
        .needs(ADD_ON),
    request("http.request.jwt.claims.aud.names", STRINGS, "token configurations whose token has an audience claim")
        .needs(ADD_ON),
    request("http.request.jwt.claims.aud.values", STRINGS, "audience claims of all tokens").needs(ADD_ON),
    request("http.request.jwt.claims.exp.sec", INTEGERS_BY_NAME, "expiry claim of the token, by token configuration")
        .needs(ADD_ON)
        .doubtful(),
    request("http.request.jwt.claims.exp.sec.names", STRINGS, "token configurations whose token has an expiry claim")
        .needs(ADD_ON)
        .doubtful(),
    request("http.request.jwt.claims.exp.sec.values", INTEGERS, "expiry claims of all tokens").needs(ADD_ON).doubtful(),
    request(
        "http.request.jwt.claims.iat.sec",
        INTEGERS_BY_NAME,
        "issue time claim of the token, by token configuration",
    )
    .needs(ADD_ON),
    request(
        "http.request.jwt.claims.iat.sec.names",
        STRINGS,
        "token configurations whose token has an issue time claim",
    )
    .needs(ADD_ON),
    request("http.request.jwt.claims.iat.sec.values", INTEGERS, "issue time claims of all tokens").needs(ADD_ON),
    request("http.request.jwt.claims.iss", STRINGS_BY_NAME, "issuer claim of the token, by token configuration")
        .needs(ADD_ON),
    request("http.request.jwt.claims.iss.names", STRINGS, "token configurations whose token has an issuer claim")
        .needs(ADD_ON),
    request("http.request.jwt.claims.iss.values", STRINGS, "issuer claims of all tokens").needs(ADD_ON),
    request("http.request.jwt.claims.jti", STRINGS_BY_NAME, "identifier claim of the token, by token configuration")
        .needs(ADD_ON),
    request("http.request.jwt.claims.jti.names", STRINGS, "token configurations whose token has an identifier claim")
        .needs(ADD_ON),
    request("http.request.jwt.claims.jti.values", STRINGS, "identifier claims of all tokens").needs(ADD_ON),
    request(
        "http.request.jwt.claims.nbf.sec",
        INTEGERS_BY_NAME,
        "earliest use claim of the token, by token configuration",
    )
    .needs(ADD_ON),
    request(
        "http.request.jwt.claims.nbf.sec.names",
        STRINGS,
        "token configurations whose token has an earliest use claim",
    )
    .needs(ADD_ON),
    request("http.request.jwt.claims.nbf.sec.values", INTEGERS, "earliest use claims of all tokens").needs(ADD_ON),
    request("http.request.jwt.claims.sub", STRINGS_BY_NAME, "subject claim of the token, by token configuration")
        .needs(ADD_ON),
    request("http.request.jwt.claims.sub.names", STRINGS, "token configurations whose token has a subject claim")
        .needs(ADD_ON),
    request("http.request.jwt.claims.sub.values", STRINGS, "subject claims of all tokens").needs(ADD_ON),
    request("http.request.method", STRING, "method in capitals, such as `GET`"),
    request("http.request.timestamp.msec", INTEGER, "milliseconds within the second of arrival, 0 to 999"),
    request("http.request.timestamp.sec", INTEGER, "time of arrival in seconds since 1970"),
    request("http.request.uri", STRING, "path and query string"),
    request("http.request.uri.args", STRINGS_BY_NAME, "query arguments by name, not decoded"),
    request("http.request.uri.args.names", STRINGS, "names of the query arguments, in order"),
    request("http.request.uri.args.values", STRINGS, "values of the query arguments, in order"),
    request("http.request.uri.path", STRING, "path"),
    request("http.request.uri.path.basename", STRING, "last segment of the path").doubtful(),
    request("http.request.uri.path.extension", STRING, "file extension of the path in lower case, without its dot"),
    request("http.request.uri.query", STRING, "query string without its question mark"),
    request("http.request.version", STRING, "HTTP version, such as `HTTP/2`"),
    response("http.response.code", INTEGER, "status code of the response"),
    response(
        "http.response.content_type.media_type",
        STRING,
        "media type of the response in lower case, without parameters",
    ),
    response("http.response.headers", STRINGS_BY_NAME, "response headers by lower-case name"),
    response("http.response.headers.names", STRINGS, "response header names as they were written"),
    response(
        "http.response.headers.truncated",
        BOOLEAN,
        "whether there were too many response headers to keep them all",
    )
    .doubtful(),
    response("http.response.headers.values", STRINGS, "response header values, in the order of the names"),
    request("http.user_agent", STRING, "the User-Agent header"),
    request("http.version", STRING, "former name of the HTTP version").replaced_by("http.request.version").doubtful(),
    request("http.x_forwarded_for", STRING, "the whole X-Forwarded-For header"),
    packet("icmp", STRING, "the ICMP message as bytes"),
    packet("icmp.code", INTEGER, "code of the ICMP message"),
    packet("icmp.type", INTEGER, "type of the ICMP message"),
    packet("ip", STRING, "the whole packet as bytes"),
    request("ip.addr", IP, "former name of the client's address").replaced_by("ip.src").doubtful(),
    packet("ip.dst", IP, "address that the packet goes to"),
    packet("ip.dst.country", STRING, "country of the address that the packet goes to"),
    request("ip.geoip.asnum", INTEGER, "former name of the client's autonomous system number")
        .replaced_by("ip.src.asnum"),
    request("ip.geoip.continent", STRING, "former name of the client's continent").replaced_by("ip.src.continent"),
    request("ip.geoip.country", STRING, "former name of the client's country").replaced_by("ip.src.country"),
    request("ip.geoip.is_in_european_union", BOOLEAN, "former name of whether the client is in the European Union")
        .needs(BUSINESS)
        .replaced_by("ip.src.is_in_european_union"),
    request("ip.geoip.subdivision_1_iso_code", STRING, "former name of the client's region code")
        .needs(BUSINESS)
        .replaced_by("ip.src.subdivision_1_iso_code"),
    request("ip.geoip.subdivision_2_iso_code", STRING, "former name of the client's second-level region code")
        .needs(BUSINESS)
        .replaced_by("ip.src.subdivision_2_iso_code"),
    packet("ip.hdr_len", INTEGER, "length of the IPv4 header"),
    packet("ip.len", INTEGER, "length of the packet with its header"),
    packet("ip.opt.type", INTEGER, "first byte of the IP options"),
    packet("ip.proto", STRING, "name of the transport protocol"),
    everywhere("ip.src", IP, "address of the client"),
    everywhere("ip.src.asnum", INTEGER, "number of the client's autonomous system"),
    request("ip.src.city", STRING, "city of the client"),
    request("ip.src.continent", STRING, "two-letter code of the client's continent, `T1` for Tor"),
    everywhere("ip.src.country", STRING, "two-letter code of the client's country, `T1` for Tor, `XX` when unknown"),
    request("ip.src.is_in_european_union", BOOLEAN, "whether the client is in the European Union").needs(BUSINESS),
    request("ip.src.lat", STRING, "latitude of the client, as text"),
    request("ip.src.lon", STRING, "longitude of the client, as text"),
    request("ip.src.metro_code", STRING, "code of the client's metropolitan area, as text"),
    request("ip.src.postal_code", STRING, "postal code of the client"),
    request("ip.src.region", STRING, "name of the client's region"),
    request("ip.src.region_code", STRING, "code of the client's region"),
    request("ip.src.subdivision_1_iso_code", STRING, "ISO 3166-2 code of the client's region, empty when unknown")
        .needs(BUSINESS),
    request(
        "ip.src.subdivision_2_iso_code",
        STRING,
        "ISO 3166-2 code of the client's second-level region, empty when unknown",
    )
    .needs(BUSINESS),
    request("ip.src.timezone.name", STRING, "name of the client's time zone, such as `Europe/Lisbon`")
        .only_in(TRANSFORMS),
    packet("ip.ttl", INTEGER, "time to live of the packet"),
    request("raw.http.request.full_uri", STRING, "address with scheme, host, path and query, before any rewrite"),
    request("raw.http.request.uri", STRING, "path and query string, before any rewrite"),
    request("raw.http.request.uri.args", STRINGS_BY_NAME, "query arguments by name, before any rewrite"),
    request("raw.http.request.uri.args.names", STRINGS, "names of the query arguments, before any rewrite"),
    request("raw.http.request.uri.args.values", STRINGS, "values of the query arguments, before any rewrite"),
    request("raw.http.request.uri.path", STRING, "path, before any rewrite"),
    request("raw.http.request.uri.path.extension", STRING, "file extension of the path, before any rewrite"),
    request("raw.http.request.uri.query", STRING, "query string, before any rewrite"),
    response(
        "raw.http.response.headers",
        STRINGS_BY_NAME,
        "response headers by lower-case name, as the origin sent them",
    ),
    response("raw.http.response.headers.names", STRINGS, "response header names, as the origin sent them"),
    response("raw.http.response.headers.values", STRINGS, "response header values, as the origin sent them"),
    packet("sip", BOOLEAN, "whether the packet carries SIP over UDP"),
    request("ssl", BOOLEAN, "whether the client's connection is encrypted"),
    packet("tcp", STRING, "the TCP segment as bytes"),
    packet("tcp.dstport", INTEGER, "TCP port that the packet goes to"),
    packet("tcp.flags", INTEGER, "TCP flags as a number"),
    packet("tcp.flags.ack", BOOLEAN, "whether the TCP flag ACK is set"),
    packet("tcp.flags.cwr", BOOLEAN, "whether the TCP flag CWR is set"),
    packet("tcp.flags.ecn", BOOLEAN, "whether the TCP flag ECN is set"),
    packet("tcp.flags.fin", BOOLEAN, "whether the TCP flag FIN is set"),
    packet("tcp.flags.push", BOOLEAN, "whether the TCP flag PSH is set"),
    packet("tcp.flags.reset", BOOLEAN, "whether the TCP flag RST is set"),
    packet("tcp.flags.syn", BOOLEAN, "whether the TCP flag SYN is set"),
    packet("tcp.flags.urg", BOOLEAN, "whether the TCP flag URG is set"),
    packet("tcp.srcport", INTEGER, "TCP port that the packet comes from"),
    packet("udp", STRING, "the UDP datagram as bytes"),
    packet("udp.dstport", INTEGER, "UDP port that the packet goes to"),
    packet("udp.srcport", INTEGER, "UDP port that the packet comes from"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        for pair in FIELDS.windows(2) {
            assert!(pair[0].name < pair[1].name, "`{}` stands before `{}`", pair[0].name, pair[1].name);
        }
        assert_eq!(FIELDS.len(), 218);
    }

    #[test]
    fn replacements_are_fields_of_the_same_type_in_use() {
        for field in FIELDS {
            let Some(name) = field.deprecated.and_then(|deprecated| deprecated.replacement) else { continue };
            let replacement = super::super::field(name).unwrap_or_else(|| panic!("no field `{name}`"));
            assert_eq!(replacement.ty, field.ty, "{name}");
            assert!(replacement.deprecated.is_none(), "{name}");
        }
    }

    #[test]
    fn docs_are_fragments() {
        for field in FIELDS {
            assert!(!field.doc.is_empty() && !field.doc.ends_with('.'), "{}", field.name);
        }
    }
}
