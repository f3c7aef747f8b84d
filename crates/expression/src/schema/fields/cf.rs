//! Fields that the network adds: bots, TLS, timings, attack scores.

use super::builder::*;
use crate::schema::values::{
    ATTACK_CLASSES, ATTACK_SCORES, BOT_CATEGORIES, BOT_SCORES, MEDIA_TYPES, SCAN_RESULTS, TLS_VERSIONS, WEB_PORTS,
};
use crate::schema::{Keys, Presence, RANDOM_SEED, RequestPart as Part, ZONE_PLAN};

pub(super) const ROWS: &[Row] = &[
    request(
        "cf.api_gateway.auth_id_present",
        BOOLEAN,
        "whether the request carries one of the session identifiers configured for the API",
    )
    .needs(ADD_ON)
    .statement(
        "the request carries a session identifier of the API",
        "the request carries no session identifier of the API",
    ),
    request("cf.api_gateway.fallthrough_detected", BOOLEAN, "whether the request matches no saved API endpoint")
        .statement("the request matches no saved API endpoint", "the request matches a saved API endpoint"),
    request(
        "cf.api_gateway.request_violates_schema",
        BOOLEAN,
        "whether the request violates the schema of its API endpoint",
    ),
    request(
        "cf.bot_management.corporate_proxy",
        BOOLEAN,
        "whether the request comes through a corporate secure gateway",
    )
    .needs(ADD_ON)
    .presence(Presence::Undocumented)
    .parts(&[Part::Bot]),
    request("cf.bot_management.detection_ids", INTEGERS, "IDs of the bot detections that the request triggered")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot])
        .collection("bot detection ID", "bot detection IDs"),
    request("cf.bot_management.ja3_hash", STRING, "JA3 fingerprint of the TLS client")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot]),
    request("cf.bot_management.ja4", STRING, "JA4 fingerprint of the TLS client")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot]),
    request(
        "cf.bot_management.js_detection.passed",
        BOOLEAN,
        "whether the visitor has already passed a JavaScript detection",
    )
    .needs(ADD_ON)
    .presence(Presence::Undocumented)
    .parts(&[Part::Bot])
    .statement("the visitor has passed a JavaScript detection", "the visitor has not passed a JavaScript detection"),
    request(
        "cf.bot_management.score",
        INTEGER,
        "bot score from 1 (almost certainly automated) to 99 (almost certainly human)",
    )
    .needs(ADD_ON)
    .presence(Presence::Undocumented)
    .form(BOT_SCORE)
    .suggestions(&[BOT_SCORES])
    .parts(&[Part::Bot])
    .example("cf.bot_management.score lt 30"),
    request("cf.bot_management.signed_agent", BOOLEAN, "whether the client proved its identity with a signed request")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot])
        .statement(
            "the client proved its identity with a signed request",
            "the client did not prove its identity with a signed request",
        ),
    request("cf.bot_management.static_resource", BOOLEAN, "whether the path ends with the extension of a static file")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot])
        .statement("the request is for a static file", "the request is not for a static file"),
    request("cf.bot_management.verified_bot", BOOLEAN, "whether the client is a verified bot")
        .needs(ADD_ON)
        .presence(Presence::Undocumented)
        .parts(&[Part::Bot])
        .statement("the client is a verified bot", "the client is not a verified bot"),
    request("cf.client.bot", BOOLEAN, "whether the client is a known good bot, on every plan").parts(&[Part::Bot]),
    packet("cf.colo.name", STRING, "code of the data center that received the packet").presence(Presence::Optional),
    packet("cf.colo.region", STRING, "region of the data center that received the packet").presence(Presence::Optional),
    request("cf.edge.client_port", INTEGER, "port that the client connects from").unconfirmed().form(SIXTEEN_BITS),
    request("cf.edge.client_tcp", BOOLEAN, "whether the client connects over TCP"),
    request(
        "cf.edge.l4.delivery_rate",
        INTEGER,
        "latest estimate of the connection's speed, in bytes per second; 0 if there is none",
    )
    .form(COUNT)
    .noun("estimated speed of the connection in bytes per second"),
    request("cf.edge.server_ip", IP, "server IP address that the client connects to")
        .noun("server IP address that the client connects to"),
    request("cf.edge.server_port", INTEGER, "server port that the client connects to")
        .form(SIXTEEN_BITS)
        .suggestions(&[WEB_PORTS])
        .noun("server port that the client connects to"),
    request("cf.hostname.metadata", STRING, "JSON text stored with a custom hostname")
        .presence(Presence::Undocumented)
        .noun("metadata of the custom hostname"),
    request(
        "cf.llm.prompt.custom_topic_categories",
        INTEGER_BY_NAME,
        "score of the prompt from 1 (match) to 99, for each custom topic",
    )
    .needs(ENTERPRISE)
    .keys(Keys::Configured)
    .parts(&[Part::Prompt])
    .keyed_collection("score of the prompt", "scores of the prompt", " for the topic "),
    request("cf.llm.prompt.detected", BOOLEAN, "whether the request contains a prompt for a language model")
        .needs(ENTERPRISE)
        .parts(&[Part::Prompt]),
    request(
        "cf.llm.prompt.injection_score",
        INTEGER,
        "prompt injection score from 1 (attack) to 99; 100 if not scored",
    )
    .needs(ENTERPRISE)
    .form(SCORE)
    .parts(&[Part::Prompt])
    .example("cf.llm.prompt.injection_score lt 30"),
    request("cf.llm.prompt.pii_categories", STRINGS, "kinds of personal data found in the prompt")
        .needs(ENTERPRISE)
        .parts(&[Part::Prompt])
        .collection("kind of personal data in the prompt", "kinds of personal data in the prompt"),
    request("cf.llm.prompt.pii_detected", BOOLEAN, "whether the prompt contains personal data")
        .needs(ENTERPRISE)
        .parts(&[Part::Prompt]),
    request("cf.llm.prompt.token_count", INTEGER, "estimated number of tokens in the prompt")
        .needs(ENTERPRISE)
        .form(COUNT)
        .parts(&[Part::Prompt]),
    request(
        "cf.llm.prompt.unsafe_topic_categories",
        STRINGS,
        "codes of the unsafe topics found in the prompt, S1 to S14",
    )
    .needs(ENTERPRISE)
    .parts(&[Part::Prompt])
    .collection("unsafe topic of the prompt", "unsafe topics of the prompt"),
    request("cf.llm.prompt.unsafe_topic_detected", BOOLEAN, "whether the prompt is about an unsafe topic")
        .needs(ENTERPRISE)
        .parts(&[Part::Prompt]),
    request(RANDOM_SEED, BYTES, "random bytes, new for every request").noun("random bytes of the request"),
    request("cf.ray_id", STRING, "identifier of the request, as in logs").noun("Ray ID"),
    response("cf.response.1xxx_code", INTEGER, "number of the provider's 1xxx error, 0 if there is none")
        .only_in(ERROR_PHASES)
        .noun("number of the 1xxx error"),
    response("cf.response.error_type", STRING, "cause of the error response, such as `waf`, `5xx` or `ratelimit`")
        .only_in(ERROR_PHASES)
        .noun("error type of the response"),
    request(
        "cf.schema_validation.learned.violated",
        BOOLEAN,
        "whether the request violates the schema learned from traffic",
    ),
    request("cf.schema_validation.uploaded.violated", BOOLEAN, "whether the request violates the uploaded schema"),
    request("cf.threat_score", INTEGER, "threat score; deprecated, always 0")
        .retired()
        .form(ALWAYS_ZERO)
        .noun("threat score (deprecated, always 0)")
        .example("cf.threat_score lt 30"),
    request(
        "cf.timings.client_quic_rtt_msec",
        INTEGER,
        "smoothed round-trip time to the client over QUIC in milliseconds, 0 over TCP",
    )
    .form(COUNT),
    request(
        "cf.timings.client_tcp_rtt_msec",
        INTEGER,
        "smoothed round-trip time to the client over TCP in milliseconds, 0 over QUIC",
    )
    .form(COUNT),
    request("cf.timings.edge_msec", INTEGER, "processing time in the provider's network in milliseconds").form(COUNT),
    request(
        "cf.timings.origin_ttfb_msec",
        INTEGER,
        "time to the origin's first byte in milliseconds, 0 if served from cache",
    )
    .form(COUNT),
    request("cf.timings.worker_msec", INTEGER, "time spent in a Worker in milliseconds, 0 if none ran").form(COUNT),
    request("cf.tls_cipher", STRING, "name of the cipher of the client's connection").noun("TLS cipher"),
    request("cf.tls_ciphers_sha1", STRING, "SHA-1 in Base64 of the ciphers that the client offers, big-endian"),
    request(
        "cf.tls_client_auth.cert_chain_rfc9440",
        STRING,
        "intermediate certificates of the client as an RFC 9440 list, empty if larger than 16 KiB",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request(
        "cf.tls_client_auth.cert_chain_rfc9440_too_large",
        BOOLEAN,
        "whether the client's certificate chain is larger than 16 KiB in RFC 9440 format",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request(
        "cf.tls_client_auth.cert_fingerprint_sha1",
        STRING,
        "SHA-1 fingerprint of the client certificate, in hexadecimal",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request(
        "cf.tls_client_auth.cert_fingerprint_sha256",
        STRING,
        "SHA-256 fingerprint of the client certificate, in hexadecimal",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request("cf.tls_client_auth.cert_issuer_dn", STRING, "distinguished name of the client certificate's issuer")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate])
        .noun("issuer of the client certificate"),
    request(
        "cf.tls_client_auth.cert_issuer_dn_legacy",
        STRING,
        "distinguished name of the client certificate's issuer, written with slashes",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .noun("issuer of the client certificate, written with slashes,"),
    request(
        "cf.tls_client_auth.cert_issuer_dn_rfc2253",
        STRING,
        "distinguished name of the client certificate's issuer, in RFC 2253 format",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .noun("issuer of the client certificate (RFC 2253)"),
    request(
        "cf.tls_client_auth.cert_issuer_serial",
        STRING,
        "serial number of the client certificate's issuer certificate",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request(
        "cf.tls_client_auth.cert_issuer_ski",
        STRING,
        "key identifier of the client certificate's issuer certificate",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request("cf.tls_client_auth.cert_not_after", STRING, "end of the client certificate's validity, as a string")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate])
        .noun("end of the client certificate's validity"),
    request("cf.tls_client_auth.cert_not_before", STRING, "start of the client certificate's validity, as a string")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate])
        .noun("start of the client certificate's validity"),
    request("cf.tls_client_auth.cert_presented", BOOLEAN, "whether the client presented a certificate, valid or not")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate])
        .statement("the client presented a certificate", "the client did not present a certificate"),
    request(
        "cf.tls_client_auth.cert_revoked",
        BOOLEAN,
        "whether the client presented a valid certificate that has been revoked",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .statement(
        "the client presented a certificate that has been revoked",
        "the client did not present a certificate that has been revoked",
    ),
    request(
        "cf.tls_client_auth.cert_rfc9440",
        STRING,
        "client certificate in RFC 9440 format, empty if larger than 10 KiB",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request(
        "cf.tls_client_auth.cert_rfc9440_too_large",
        BOOLEAN,
        "whether the client certificate is larger than 10 KiB in RFC 9440 format",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate]),
    request("cf.tls_client_auth.cert_serial", STRING, "serial number of the client certificate")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate]),
    request("cf.tls_client_auth.cert_ski", STRING, "key identifier of the client certificate")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate]),
    request("cf.tls_client_auth.cert_subject_dn", STRING, "distinguished name of the client certificate's subject")
        .presence(Presence::Undocumented)
        .parts(&[Part::Certificate])
        .noun("subject of the client certificate"),
    request(
        "cf.tls_client_auth.cert_subject_dn_legacy",
        STRING,
        "distinguished name of the client certificate's subject, written with slashes",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .noun("subject of the client certificate, written with slashes,"),
    request(
        "cf.tls_client_auth.cert_subject_dn_rfc2253",
        STRING,
        "distinguished name of the client certificate's subject, in RFC 2253 format",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .noun("subject of the client certificate (RFC 2253)"),
    request(
        "cf.tls_client_auth.cert_verified",
        BOOLEAN,
        "whether the client presented a valid certificate, revoked or not",
    )
    .presence(Presence::Undocumented)
    .parts(&[Part::Certificate])
    .statement("the client presented a valid certificate", "the client did not present a valid certificate"),
    request("cf.tls_client_extensions_sha1", STRING, "SHA-1 in Base64 of the client's TLS extensions, big-endian"),
    request(
        "cf.tls_client_extensions_sha1_le",
        STRING,
        "SHA-1 in Base64 of the client's TLS extensions, little-endian",
    ),
    request("cf.tls_client_hello_length", INTEGER, "length of the TLS ClientHello in bytes").form(COUNT),
    request("cf.tls_client_random", STRING, "the client's 32 random bytes from the TLS handshake, in Base64"),
    request("cf.tls_version", STRING, "TLS version of the client's connection")
        .suggestions(&[TLS_VERSIONS])
        .noun("TLS version"),
    request("cf.verified_bot_category", STRING, "category of the verified bot, such as search engine or monitoring")
        .suggestions(&[BOT_CATEGORIES])
        .noun("category of the verified bot"),
    request("cf.waf.auth_detected", BOOLEAN, "whether the request contains a username or a password").needs(ENTERPRISE),
    request("cf.waf.content_scan.has_failed", BOOLEAN, "whether an uploaded object could not be scanned")
        .needs(ADD_ON)
        .statement("an uploaded object could not be scanned", "every uploaded object could be scanned"),
    request("cf.waf.content_scan.has_malicious_obj", BOOLEAN, "whether an uploaded object is malicious")
        .needs(ADD_ON)
        .statement("an uploaded object is malicious", "no uploaded object is malicious"),
    request("cf.waf.content_scan.has_obj", BOOLEAN, "whether the request uploads an object")
        .needs(ADD_ON)
        .statement("the request uploads an object", "the request uploads no object"),
    request("cf.waf.content_scan.num_malicious_obj", INTEGER, "number of malicious objects in the request")
        .needs(ADD_ON)
        .form(COUNT),
    request("cf.waf.content_scan.num_obj", INTEGER, "number of objects in the request").needs(ADD_ON).form(COUNT),
    request("cf.waf.content_scan.obj_results", STRINGS, "scan result of each object, such as `clean` or `infected`")
        .needs(ADD_ON)
        .suggestions(&[SCAN_RESULTS])
        .collection("scan result of an uploaded object", "scan results of uploaded objects"),
    request("cf.waf.content_scan.obj_sizes", INTEGERS, "size of each object in bytes")
        .needs(ADD_ON)
        .form(COUNT)
        .collection("uploaded object size in bytes", "uploaded object sizes in bytes"),
    request("cf.waf.content_scan.obj_types", STRINGS, "MIME type of each object")
        .needs(ADD_ON)
        .suggestions(&[MEDIA_TYPES])
        .collection("uploaded object type", "uploaded object types"),
    request("cf.waf.credential_check.password_leaked", BOOLEAN, "whether the password has been leaked"),
    request(
        "cf.waf.credential_check.username_and_password_leaked",
        BOOLEAN,
        "whether the username and the password have been leaked together",
    )
    .needs(PRO),
    request("cf.waf.credential_check.username_leaked", BOOLEAN, "whether the username has been leaked")
        .needs(ENTERPRISE),
    request(
        "cf.waf.credential_check.username_password_similar",
        BOOLEAN,
        "whether a username and password similar to these have been leaked",
    )
    .needs(ENTERPRISE),
    request("cf.waf.score", INTEGER, "attack score from 1 (attack) to 99 (clean); 100 if not scored")
        .needs(ENTERPRISE)
        .form(SCORE)
        .suggestions(&[ATTACK_SCORES])
        .noun("WAF attack score")
        .example("cf.waf.score lt 30"),
    request(
        "cf.waf.score.class",
        STRING,
        "class of the attack score: `attack`, `likely_attack`, `likely_clean` or `clean`",
    )
    .needs(BUSINESS)
    .suggestions(&[ATTACK_CLASSES])
    .part_of("cf.waf.score")
    .noun("class of the WAF attack score"),
    request("cf.waf.score.rce", INTEGER, "remote code execution score from 1 (attack) to 99")
        .needs(ENTERPRISE)
        .form(SCORE)
        .suggestions(&[ATTACK_SCORES])
        .part_of("cf.waf.score")
        .noun("remote code execution attack score")
        .example("cf.waf.score.rce lt 30"),
    request("cf.waf.score.sqli", INTEGER, "SQL injection score from 1 (attack) to 99")
        .needs(ENTERPRISE)
        .form(SCORE)
        .suggestions(&[ATTACK_SCORES])
        .part_of("cf.waf.score")
        .noun("SQL injection attack score")
        .example("cf.waf.score.sqli lt 30"),
    request("cf.waf.score.xss", INTEGER, "cross-site scripting score from 1 (attack) to 99")
        .needs(ENTERPRISE)
        .form(SCORE)
        .suggestions(&[ATTACK_SCORES])
        .part_of("cf.waf.score")
        .noun("cross-site scripting attack score")
        .example("cf.waf.score.xss lt 30"),
    request("cf.worker.upstream_zone", STRING, "zone of the Worker that sent the request, empty if no Worker sent it")
        .noun("zone of the Worker that sent the request"),
    request("cf.zone.name", STRING, "name of the zone, for account-level rules").noun("zone name"),
    request(ZONE_PLAN, STRING, "code of the zone's plan, such as `ENT`, for account-level rules").noun("zone's plan"),
];
