//! Tests command lines that users type or copy from browsers.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use super::*;

/// Formats a request as raw HTTP, without the headers that curl adds to every request.
fn parse_and_show(text: &str) -> String {
    let request = parse_curl(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let scheme = if request.https == Some(true) { "https" } else { "http" };
    let mut out = format!("{} {scheme} {}", request.method, String::from_utf8_lossy(&request.target));
    for header in &request.headers {
        let value = String::from_utf8_lossy(&header.value);
        let is_default = header.name == "Accept" && value == "*/*" || value.starts_with("curl/");
        if !is_default {
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
        ("curl -G https://a.example/?x=1 -d @file -d c", "GET https /?x=1&c\nHost: a.example".to_owned()),
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
        // `Host` is first unless `-H` sets it, so the order is not compared.
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&parse_and_show(text)), sorted(&expected), "{text}");
    }
}

#[test]
fn chrome_copy_as_curl_for_bash_is_parsed() {
    let text = "curl 'https://shop.example/api/cart?id=1' \\\n  -H 'accept: application/json' \\\n  \
                -H 'accept-language: de-CH,de;q=0.9' \\\n  -b 'session=abc; theme=dark' \\\n  \
                -H 'content-type: application/json' \\\n  -H 'sec-ch-ua: \"Chromium\";v=\"142\"' \\\n  \
                -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' \\\n  \
                --data-raw $'{\"name\":\"caf\\u00e9\\u0021\",\"note\":\"it\\'s\"}'";
    let request = parse_curl(text).unwrap();
    assert_eq!(request.method, "POST");
    assert_eq!(request.body.as_deref(), Some("{\"name\":\"café!\",\"note\":\"it's\"}".as_bytes()));
    assert_eq!(request.header("Cookie"), Some(&b"session=abc; theme=dark"[..]));
    assert_eq!(request.header("content-type"), Some(&b"application/json"[..]));
    assert_eq!(request.notes, Vec::<String>::new());
}

#[test]
fn chrome_copy_as_curl_for_windows_is_parsed() {
    let text = "curl ^\"https://shop.example/a?b=c^&d=100^%^25^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  \
                -H ^\"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"142^\\^\"^\" ^\r\n  \
                -H ^\"user-agent: Mozilla/5.0^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":1^}^\"";
    let request = parse_curl(text).unwrap();
    assert_eq!(request.target, b"/a?b=c&d=100%25");
    assert_eq!(request.header("sec-ch-ua"), Some(&b"\"Chromium\";v=\"142\""[..]));
    assert_eq!(request.body.as_deref(), Some(&b"{\"a\":1}"[..]));
}

#[test]
fn firefox_copy_as_curl_is_parsed() {
    let text = "curl 'https://shop.example/upload' \\\n  --compressed \\\n  -X POST \\\n  \
                -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' \\\n  \
                -H 'Accept-Encoding: gzip, deflate, br, zstd' \\\n  -H 'Content-Type: application/x-www-form-urlencoded' \\\n  \
                -H 'Origin: https://shop.example' \\\n  --data-raw 'a=b%20c'";
    let request = parse_curl(text).unwrap();
    assert_eq!((request.method.as_str(), request.body.as_deref()), ("POST", Some(&b"a=b%20c"[..])));
    assert_eq!(request.header("accept-encoding"), Some(&b"gzip, deflate, br, zstd"[..]));
}

#[test]
fn form_options_build_a_multipart_body() {
    let request = parse_curl("curl -F a=b -F 'c=d;type=text/plain' https://a.example").unwrap();
    let mut record = zonewright_expression::Record::default();
    request.write_fields(&mut record);
    let found = crate::json::record_to_json(&record);
    assert_eq!(found["http.request.method"], "POST");
    assert_eq!(found["http.request.body.multipart"], serde_json::json!({"a": ["b"], "c": ["d"]}));
    assert_eq!(found["http.request.body.multipart.content_types"], serde_json::json!([[], ["text/plain"]]));
    let request = parse_curl("curl --form-string a=@b --form-string 'c=<d;type=text/plain' https://a.example").unwrap();
    let mut record = zonewright_expression::Record::default();
    request.write_fields(&mut record);
    let found = crate::json::record_to_json(&record);
    assert_eq!(found["http.request.body.multipart"], serde_json::json!({"a": ["@b"], "c": ["<d;type=text/plain"]}));
    assert_eq!(found["http.request.body.multipart.content_types"], serde_json::json!([[], []]));
    let request = parse_curl("curl -F a=@b https://a.example").unwrap();
    assert_eq!(request.body, None);
    assert!(request.header("content-type").unwrap().starts_with(b"multipart/form-data; boundary="));
}

#[test]
fn errors_name_problem_and_line() {
    let cases = [
        ("curl", "the command has no URL"),
        ("wget a", "line 1: expected `curl`, found `wget`"),
        ("curl a.example \\\n --nonsense", "line 2: unknown option `--nonsense`"),
        ("curl -y a.example", "line 1: unknown option `-y`"),
        ("curl a.example -H", "line 1: `-H` needs a value"),
        ("curl a.example -H 'A b'", "expected `name: value`, found `A b`"),
        ("curl a.example -H 'A b: c'", "invalid header name `A b`"),
        ("curl a.example b.example", "line 1: unexpected second URL `b.example`"),
        ("curl -K file", "line 1: `-K` is not supported: its options are in a file"),
        ("curl 'https://a.example/[1-3]'", "`[` in the URL makes curl send several requests"),
        ("curl ftp://a.example", "invalid URL `ftp://a.example`"),
        ("curl 'https://a.example", "line 1: unclosed quote `'`"),
        ("curl -F a https://a.example", "expected `name=value`, found `a`"),
    ];
    for (text, expected) in cases {
        let error = parse_curl(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    assert_eq!(
        parse_curl("curl --headr x a").unwrap_err().help.unwrap().split('?').next(),
        Some("did you mean `--header`")
    );
}

#[test]
fn huge_commands_parse_in_linear_time() {
    for part in ["-H a: ", "-H 'a;' ", "-d a ", "-F a=b ", "-b a=b ", "$A ", "\\ ", "-d @a ", "'", "{", "../"] {
        let _ = parse_curl(&format!("curl https://a.example/ {}", part.repeat(200_000 / part.len())));
    }
}

#[test]
fn assumptions_and_ignored_options_are_noted() {
    let notes = parse_curl("curl --resolve a:443:192.0.2.1 a.example?b&c").unwrap().notes.join("\n");
    for part in ["`--resolve` was ignored", "curl uses `http`", "`curl/8.17.0` is assumed", "ends at an unquoted `&`"] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    let notes_of = |text: &str| parse_curl(text).unwrap().notes.join("\n");
    let expected = "curl sends the path `/b` instead of `/a/../b` without `--path-as-is`";
    assert_eq!(notes_of("curl -A me https://a.example/a/../b"), expected);
    assert_eq!(notes_of("curl -A me --path-as-is https://a.example/a/../b"), "");
    let file_note = "`-d` reads the file `f`, so the body is unknown";
    assert_eq!(notes_of("curl -A me -d @f https://a.example"), file_note);
    let query_note = "`-d` reads the file `f`, so a part of the query is unknown";
    assert_eq!(notes_of("curl -A me -d @f -G https://a.example"), query_note);
    assert_eq!(notes_of("curl -A me -T f https://a.example"), "`-T` reads the file `f`, so the body is unknown");
    assert_eq!(notes_of("curl -A me -H @h.txt https://a.example"), "the headers in the file `h.txt` are unknown");
}

#[test]
fn quoting_variants_of_chrome_for_windows_parse_alike() {
    let expected = "POST https /search?q=a%20b&n=1\nHost: a.example\nsec-ch-ua: \"Chromium\";v=\"120\"\n\
                    content-type: application/json\nContent-Length: 9\n\n{\"a\":\"b\"}";
    let current = "curl ^\"https://a.example/search?q=a^%^20b^&n=1^\" ^\r\n  \
               -H ^\"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"120^\\^\"^\" ^\r\n  \
               -H ^\"content-type: application/json^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"b^\\^\"^}^\"";
    let previous = "curl \"https://a.example/search?q=a^%^20b^&n=1\" ^\n  \
                  -H \"sec-ch-ua: ^\\^\"Chromium^\\^\";v=^\\^\"120^\\^\"\" ^\n  \
                  -H \"content-type: application/json\" ^\n  --data-raw \"^{^\\^\"a^\\^\":^\\^\"b^\\^\"^}\"";
    let oldest = "curl \"https://a.example/search?q=a%20b&n=1\" ^\n  -H \"sec-ch-ua: \"\"Chromium\"\";v=\"\"120\"\"\" ^\n  \
                    -H \"content-type: application/json\" ^\n  --data-raw \"{\"\"a\"\":\"\"b\"\"}\"";
    for text in [current, previous, oldest] {
        assert_eq!(parse_and_show(text), expected, "{text}");
    }
}
