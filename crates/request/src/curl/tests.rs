//! Command lines as people type them and browsers copy them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use super::*;

/// The request as it would go over the wire, without what curl adds to every request.
fn shown(text: &str) -> String {
    let request = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let scheme = if request.https == Some(true) { "https" } else { "http" };
    let mut out = format!("{} {scheme} {}", request.method, String::from_utf8_lossy(&request.target));
    for header in &request.headers {
        let value = String::from_utf8_lossy(&header.value);
        let always = header.name == "Accept" && value == "*/*" || value.starts_with("curl/");
        if !always {
            out.push_str(&format!("\n{}: {value}", header.name));
        }
    }
    match &request.body {
        None => out.push_str("\n\n?"),
        Some(body) if body.is_empty() => {}
        Some(body) => out.push_str(&format!("\n\n{}", String::from_utf8_lossy(body))),
    }
    out
}

#[test]
fn options_become_the_request_that_curl_sends() {
    const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
    let cases = [
        ("curl https://a.example", "GET https /\nHost: a.example".to_owned()),
        ("curl a.example/b#c", "GET http /b\nHost: a.example".to_owned()),
        ("curl -I https://a.example:8443/../b/./c/..", "HEAD https /b/\nHost: a.example:8443".to_owned()),
        ("curl --path-as-is https://a.example/../b", "GET https /../b\nHost: a.example".to_owned()),
        ("curl -XDELETE --url https://a.example/1", "DELETE https /1\nHost: a.example".to_owned()),
        ("curl -sSLk -o out.html --max-time 5 https://a.example", "GET https /\nHost: a.example".to_owned()),
        (
            "curl https://a.example -d a=b --data-raw @c --data-urlencode 'd=e f&' --data-urlencode '=é'",
            format!("POST https /\nHost: a.example\n{FORM}\nContent-Length: 24\n\na=b&@c&d=e%20f%26&%C3%A9"),
        ),
        ("curl -G https://a.example/?x=1 -d a=b -d c", "GET https /?x=1&a=b&c\nHost: a.example".to_owned()),
        ("curl -d @file https://a.example", format!("POST https /\nHost: a.example\n{FORM}\n\n?")),
        (
            "curl --json '{\"a\":1}' https://a.example",
            "POST https /\nHost: a.example\nAccept: application/json\nContent-Type: application/json\n\
             Content-Length: 7\n\n{\"a\":1}"
                .to_owned(),
        ),
        (
            "curl -b a=b -b 'c=d; e=f' -A me -e https://b.example/ -u user:pass https://a.example",
            "GET https /\nHost: a.example\nUser-Agent: me\nReferer: https://b.example/\n\
             Authorization: Basic dXNlcjpwYXNz\nCookie: a=b; c=d; e=f"
                .to_owned(),
        ),
        (
            "curl -H 'Accept: x/y' -H 'X-A;' -H 'User-Agent:' -H 'Host: b.example' https://user:pass@a.example",
            "GET https /\nAccept: x/y\nX-A: \nHost: b.example\nAuthorization: Basic dXNlcjpwYXNz".to_owned(),
        ),
        (
            "curl --compressed -r 0-9 --oauth2-bearer t https://a.example",
            "GET https /\nHost: a.example\nRange: bytes=0-9\nAuthorization: Bearer t\n\
             Accept-Encoding: deflate, gzip, br, zstd"
                .to_owned(),
        ),
        ("curl -T file https://a.example/f", "PUT https /f\nHost: a.example\n\n?".to_owned()),
        ("curl -g 'https://a.example/{a}[1]'", "GET https /{a}[1]\nHost: a.example".to_owned()),
        ("curl 'https://a.example/?a\\[\\]=\\{1\\}'", "GET https /?a[]={1}\nHost: a.example".to_owned()),
        ("curl 'https://[2001:db8::1]/'", "GET https /\nHost: [2001:db8::1]".to_owned()),
        ("curl --header=A:b --request=PUT -- https://a.example", "PUT https /\nA: b\nHost: a.example".to_owned()),
    ];
    for (text, expected) in cases {
        // Host goes first unless it is given.
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&shown(text)), sorted(&expected), "{text}");
    }
}

#[test]
fn what_chrome_copies_for_bash() {
    let text = "curl 'https://shop.example/api/cart?id=1' \\\n  -H 'accept: application/json' \\\n  \
                -H 'accept-language: de-CH,de;q=0.9' \\\n  -b 'session=abc; theme=dark' \\\n  \
                -H 'content-type: application/json' \\\n  -H 'sec-ch-ua: \"Chromium\";v=\"142\"' \\\n  \
                -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' \\\n  \
                --data-raw $'{\"name\":\"caf\\u00e9\\u0021\",\"note\":\"it\\'s\"}'";
    let request = parse(text).unwrap();
    assert_eq!(request.method, "POST");
    assert_eq!(request.body.as_deref(), Some("{\"name\":\"café!\",\"note\":\"it's\"}".as_bytes()));
    assert_eq!(request.header("Cookie"), Some(&b"session=abc; theme=dark"[..]));
    assert_eq!(request.header("content-type"), Some(&b"application/json"[..]));
    assert_eq!(request.notes, Vec::<String>::new());
}

#[test]
fn what_chrome_copies_for_windows() {
    let text = "curl ^\"https://shop.example/a?b=c^&d=100^%^25^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  \
                -H ^\"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"142^\\^\"^\" ^\r\n  \
                -H ^\"user-agent: Mozilla/5.0^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"";
    let request = parse(text).unwrap();
    assert_eq!(request.target, b"/a?b=c&d=100%25");
    assert_eq!(request.header("sec-ch-ua"), Some(&b"\"Chromium\";v=\"142\""[..]));
    assert_eq!(request.body.as_deref(), Some(&b"{\"a\":1}"[..]));
}

#[test]
fn what_firefox_copies() {
    let text = "curl 'https://shop.example/upload' \\\n  --compressed \\\n  -X POST \\\n  \
                -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' \\\n  \
                -H 'Accept-Encoding: gzip, deflate, br, zstd' \\\n  -H 'Content-Type: application/x-www-form-urlencoded' \\\n  \
                -H 'Origin: https://shop.example' \\\n  --data-raw 'a=b%20c'";
    let request = parse(text).unwrap();
    assert_eq!((request.method.as_str(), request.body.as_deref()), ("POST", Some(&b"a=b%20c"[..])));
    assert_eq!(request.header("accept-encoding"), Some(&b"gzip, deflate, br, zstd"[..]));
}

#[test]
fn forms_of_parts() {
    let request = parse("curl -F a=b -F 'c=d;type=text/plain' https://a.example").unwrap();
    let mut record = zonewright_expression::Record::default();
    request.write(&mut record);
    let found = crate::json::record_to_json(&record);
    assert_eq!(found["http.request.method"], "POST");
    assert_eq!(found["http.request.body.multipart"], serde_json::json!({"a": ["b"], "c": ["d"]}));
    assert_eq!(found["http.request.body.multipart.content_types"], serde_json::json!([[], ["text/plain"]]));
    let request = parse("curl -F a=@b https://a.example").unwrap();
    assert_eq!(request.body, None);
    assert!(request.header("content-type").unwrap().starts_with(b"multipart/form-data; boundary="));
}

#[test]
fn problems_say_what_and_where() {
    let cases = [
        ("curl", "the command has no address"),
        ("wget a", "line 1: expected `curl`, found `wget`"),
        ("curl a.example \\\n --nonsense", "line 2: `--nonsense` is no option that is known here"),
        ("curl -y a.example", "line 1: `-y` is no option that is known here"),
        ("curl a.example -H", "line 1: `-H` lacks its value"),
        ("curl a.example -H 'A b'", "expected `name: value`, found `A b`"),
        ("curl a.example -H 'A b: c'", "`A b` is no header name"),
        ("curl a.example b.example", "line 1: a second address `b.example`"),
        ("curl -K file", "line 1: `-K` cannot be followed: its options are in a file"),
        ("curl 'https://a.example/[1-3]'", "`[` in the address stands for several requests"),
        ("curl ftp://a.example", "`ftp://a.example` is no address"),
        ("curl 'https://a.example", "line 1: a quote ' is opened and not closed"),
        ("curl -F a https://a.example", "expected `name=value`, found `a`"),
    ];
    for (text, expected) in cases {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    assert_eq!(parse("curl --headr x a").unwrap_err().help.unwrap().split('?').next(), Some("did you mean `--header`"));
}

#[test]
fn huge_commands_are_answered_in_time() {
    for part in ["-H a: ", "-H 'a;' ", "-d a ", "-F a=b ", "-b a=b ", "$A ", "\\ ", "-d @a ", "'", "{", "../"] {
        let _ = parse(&format!("curl https://a.example/ {}", part.repeat(200_000 / part.len())));
    }
}

#[test]
fn what_is_assumed_is_said() {
    let notes = parse("curl --resolve a:443:192.0.2.1 a.example?b&c").unwrap().notes.join("\n");
    for part in ["`--resolve` was left out", "curl takes `http`", "`curl/8.17.0` is assumed", "ends at an `&`"] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    let dots = |text: &str| parse(text).unwrap().notes.join("\n");
    let said = "curl sends the path `/b` for `/a/../b`, unless `--path-as-is` is given";
    assert_eq!(dots("curl -A me https://a.example/a/../b"), said);
    assert_eq!(dots("curl -A me --path-as-is https://a.example/a/../b"), "");
}

#[test]
fn what_chrome_copies_for_windows_is_read() {
    let expected = "POST https /search?q=a%20b&n=1\nHost: a.example\nsec-ch-ua: \"Chromium\";v=\"120\"\n\
                    content-type: application/json\nContent-Length: 9\n\n{\"a\":\"b\"}";
    let now = "curl ^\"https://a.example/search?q=a^%^20b^&n=1^\" ^\r\n  \
               -H ^\"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"120^\\^\"^\" ^\r\n  \
               -H ^\"content-type: application/json^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"b^\\^\"^}^\"";
    let before = "curl \"https://a.example/search?q=a^%^20b^&n=1\" ^\n  \
                  -H \"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"120^\\^\"\" ^\n  \
                  -H \"content-type: application/json\" ^\n  --data-raw \"^{^\\^\"a^\\^\":^\\^\"b^\\^\"^}\"";
    let long_ago = "curl \"https://a.example/search?q=a%20b&n=1\" ^\n  -H \"sec-ch-ua: \"\"Chromium\"\";v=\"\"120\"\"\" ^\n  \
                    -H \"content-type: application/json\" ^\n  --data-raw \"{\"\"a\"\":\"\"b\"\"}\"";
    for text in [now, before, long_ago] {
        assert_eq!(shown(text), expected, "{text}");
    }
}
