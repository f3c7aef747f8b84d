use super::*;

fn kinds(text: &str) -> Vec<(SecretKind, String)> {
    find_secrets([text]).secrets.into_iter().map(|secret| (secret.kind, secret.text)).collect()
}

#[test]
fn secrets_in_a_text_are_found_with_their_kind() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    let github = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let cases = [
        (
            r#"any(http.request.headers["x-key"][*] eq "AKIAZ5GM3KQWLB7XTPDN")"#,
            SecretKind::AwsAccessKey,
            "AKIAZ5GM3KQWLB7XTPDN",
        ),
        ("# key ASIAQ3EGRIBNZT2WKDPL of the build", SecretKind::AwsAccessKey, "ASIAQ3EGRIBNZT2WKDPL"),
        ("AWS_ACCESS_KEY_ID=AKIAZ5GM3KQWLB7XTPDN", SecretKind::AwsAccessKey, "AKIAZ5GM3KQWLB7XTPDN"),
        (r#"http.cookie contains "Bearer mF_9.B5f-4.1JqM7xKd""#, SecretKind::Authorization, "mF_9.B5f-4.1JqM7xKd"),
        ("Authorization:bearer 0a1b2c3d4e5f60718293a4b5", SecretKind::Authorization, "0a1b2c3d4e5f60718293a4b5"),
        (r#""Basic YWxhZGRpbjpvcGVuc2VzYW1l""#, SecretKind::Authorization, "YWxhZGRpbjpvcGVuc2VzYW1l"),
        (r#""Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==""#, SecretKind::Authorization, "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        (jwt, SecretKind::Jwt, jwt),
        (github, SecretKind::ServiceToken, github),
        (
            r#"http.host eq "a" and http.cookie contains "jane.doe+waf@corp.co.uk""#,
            SecretKind::Email,
            "jane.doe+waf@corp.co.uk",
        ),
        ("mailto:ops@zonewright.dev", SecretKind::Email, "ops@zonewright.dev"),
        ("ip.src eq 81.2.69.142", SecretKind::PublicAddress, "81.2.69.142"),
        ("ip.src in {81.2.69.142/32 10.0.0.0/8}", SecretKind::PublicAddress, "81.2.69.142/32"),
        ("ip.src eq 2a02:8070:1:2::5", SecretKind::PublicAddress, "2a02:8070:1:2::5"),
        ("ip.src in {2a02:8070:1:2::/64}", SecretKind::PublicAddress, "2a02:8070:1:2::/64"),
        (r#"http.referer contains "https://81.2.69.142:8443/admin""#, SecretKind::PublicAddress, "81.2.69.142"),
        ("v1_Zm9vQmFy8Kx3LmQ92TtYw5Rb0", SecretKind::Random, "v1_Zm9vQmFy8Kx3LmQ92TtYw5Rb0"),
        ("0123456789abcdef0123456789abcdef01234", SecretKind::Random, "0123456789abcdef0123456789abcdef01234"),
    ];
    for (text, kind, secret) in cases {
        assert_eq!(kinds(text), [(kind, secret.to_owned())], "{text}");
    }
}

#[test]
fn secrets_in_query_strings_and_urls_are_found() {
    let secrets = [
        (SecretKind::AwsAccessKey, "AKIAZ5GM3KQWLB7XTPDN"),
        (SecretKind::Jwt, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"),
        (SecretKind::ServiceToken, "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        (SecretKind::Email, "jane.doe+waf@corp.co.uk"),
        (SecretKind::PublicAddress, "81.2.69.142"),
        (SecretKind::PublicAddress, "2a02:8070:1:2::5"),
        (SecretKind::Random, "v1_Zm9vQmFy8Kx3LmQ92TtYw5Rb0"),
    ];
    let frames = [
        ("a=1&k=", ""),
        ("?k=", "&x=1"),
        ("a=1;k=", "#top"),
        ("https://h.example/?k=", ""),
        ("https://h.example/p/q?a=1&k=", "&b=2"),
        ("https://h.example/#k=", "&b=2"),
        ("https://h.example/?next=https%3A%2F%2Fi.example%2F%3Fk%3D", "%26b%3D2"),
        ("X-Header:k=", ""),
    ];
    for (kind, secret) in secrets {
        for (before, after) in frames {
            let text = format!("{before}{secret}{after}");
            assert_eq!(kinds(&text), [(kind, secret.to_owned())], "{text}");
        }
    }
    let encoded = "?to=jane.doe%2Bwaf%40corp.co.uk";
    assert_eq!(kinds(encoded), [(SecretKind::Email, "jane.doe+waf@corp.co.uk".to_owned())]);
    for text in ["a=1&k=Bearer%20mF_9.B5f-4.1JqM7xKd", "https://h.example/?k=Bearer mF_9.B5f-4.1JqM7xKd&b=2"] {
        assert_eq!(kinds(text), [(SecretKind::Authorization, "mF_9.B5f-4.1JqM7xKd".to_owned())], "{text}");
    }
}

#[test]
fn secrets_in_paths_and_authorities_of_urls_are_found() {
    let cases = [
        ("https://h.example/keys/AKIAZ5GM3KQWLB7XTPDN/use", SecretKind::AwsAccessKey, "AKIAZ5GM3KQWLB7XTPDN"),
        ("https://h.example/users/jane@corp.com", SecretKind::Email, "jane@corp.com"),
        (r#"http.request.uri.path eq "/users/jane@corp.com""#, SecretKind::Email, "jane@corp.com"),
        ("https://user:secret@81.2.69.142/", SecretKind::PublicAddress, "81.2.69.142"),
        ("X-Forwarded-For:81.2.69.142", SecretKind::PublicAddress, "81.2.69.142"),
    ];
    for (text, kind, secret) in cases {
        assert_eq!(kinds(text), [(kind, secret.to_owned())], "{text}");
    }
}

#[test]
fn near_misses_of_secrets_are_not_reported() {
    let texts = [
        // Examples from documentation.
        "AKIAIOSFODNN7EXAMPLE",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "Authorization: Bearer YOUR_API_TOKEN_12345",
        "Bearer {token}",
        "Bearer xxxxxxxxxxxxxxxx1111",
        "the bearer of good tidings",
        "basic authentication",
        "AKIA",
        r#"http.request.headers["x-key"][0] eq "AKIA2E0A""#,
        "AKIAlowercase7letters",
        "eyJhbGciOiJIUzI1NiJ9",
        "a.b.c",
        "ghp_short",
        // Addresses that identify no client.
        "ip.src in {192.0.2.1 198.51.100.7 203.0.113.9 2001:db8::1 3fff::1}",
        "ip.src in {10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1}",
        "ip.src in {127.0.0.1 ::1 169.254.1.1 fe80::1 100.64.0.1 0.0.0.0 255.255.255.255 224.0.0.1 198.18.0.1}",
        "ip.src in {81.2.0.0/16 2a02:8070::/32}",
        r#"http.user_agent contains "Chrome/120.0.0.0""#,
        "cf.bot_management.score lt 30",
        // Texts with `@` that are not an email address.
        r#"http.cookie contains "user@example.com""#,
        "user@host",
        "someone@shop.example",
        "logo@2x.png",
        "git@github.com:org/repository.git",
        r#"http.request.uri.path matches "^.*@.*$""#,
        // Identifiers and hashes.
        "f2ea6707005a4da1af1b431202e96ac5",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "123e4567-e89b-12d3-a456-426614174000",
        "t13d1516h2_8daaf6152771_b186095e22b6",
        "release-notes-2026-11-23-final",
        "/assets/app-4f2a9c81/main-2026.js",
        "http.request.headers.truncated",
        "ACCOUNT_SETTINGS_PAGE_2026",
        // Query strings and URLs without anything secret.
        "https://h.example/a?page=2&per_page=50&sort=-created_at#results",
        "?v=20261123&id=123e4567-e89b-12d3-a456-426614174000&sum=f2ea6707005a4da1af1b431202e96ac5",
        "?email=user@example.com&ip=10.0.0.1&ip6=2001:db8::1",
        "https://cdn.example/npm/library@5.3.0/dist/app.js",
        "ssh://git@code.example.org/a/b.git",
        "https://h.example/docs/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms/edit",
        "100%",
        "%ff%fe",
    ];
    for text in texts {
        assert_eq!(kinds(text), [], "{text}");
    }
}

#[test]
fn address_and_key_of_one_url_are_both_found() {
    let key = (SecretKind::AwsAccessKey, "AKIAZ5GM3KQWLB7XTPDN".to_owned());
    let address = (SecretKind::PublicAddress, "81.2.69.142".to_owned());
    assert_eq!(kinds("https://81.2.69.142/keys/AKIAZ5GM3KQWLB7XTPDN"), [key, address]);
}

#[test]
fn repeated_secret_is_reported_once() {
    assert_eq!(kinds("81.2.69.142 81.2.69.142").len(), 1);
    assert_eq!(kinds("81.2.69.142..81.2.69.150").len(), 1);
}

#[test]
fn secrets_beyond_the_limit_are_counted_and_the_most_harmful_returned() {
    let addresses: String = (0..1000).map(|n| format!("81.2.{}.{} ", n / 250, n % 250 + 1)).collect();
    let found = find_secrets([addresses.as_str(), &addresses, "AKIAZ5GM3KQWLB7XTPDN"]);
    let kinds: Vec<SecretKind> = found.secrets.iter().map(|secret| secret.kind).collect();
    assert_eq!((kinds.len(), found.omitted), (MAX_SECRETS, 1001 - MAX_SECRETS));
    assert_eq!(kinds[..2], [SecretKind::AwsAccessKey, SecretKind::PublicAddress]);
    assert_eq!(found.secrets[1].text, "81.2.0.1");
}

#[test]
fn private_key_is_reported() {
    let found = kinds("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----");
    assert_eq!(found.first().map(|(kind, _)| *kind), Some(SecretKind::PrivateKey));
    assert_eq!(kinds("-----BEGIN PUBLIC KEY-----"), []);
}
