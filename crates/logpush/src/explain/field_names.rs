//! Converts field names to English words, and formats timestamps.

use crate::time::UtcDateTime;

/// Acronyms and abbreviations with their words, longer ones before their prefixes.
const ACRONYMS: &[(&str, &str)] = &[
    ("AUD", "AUD"),
    ("AI", "AI"),
    ("ASN", "ASN"),
    ("AS", "AS"),
    ("AWS", "AWS"),
    ("BCC", "BCC"),
    ("BPS", "BPS"),
    ("CC", "CC"),
    ("CDNCG", "CDNCG"),
    ("CF", "CF"),
    ("CNAME", "CNAME"),
    ("CPU", "CPU"),
    ("DKIM", "DKIM"),
    ("DMARC", "DMARC"),
    ("DNS", "DNS"),
    ("EDNS", "EDNS"),
    ("GRE", "GRE"),
    ("HTTPS", "HTTPS"),
    ("HTTP", "HTTP"),
    ("ICMP", "ICMP"),
    ("IDs", "IDs"),
    ("ID", "ID"),
    ("IPsec", "IPsec"),
    ("IPv4", "IPv4"),
    ("IPv6", "IPv6"),
    ("IPs", "IPs"),
    ("IP", "IP"),
    ("ISO", "ISO"),
    ("ISP", "ISP"),
    ("MSS", "MSS"),
    ("MTLS", "mTLS"),
    ("O2O", "O2O"),
    ("PII", "PII"),
    ("RAM", "RAM"),
    ("RCE", "RCE"),
    ("RTT", "RTT"),
    ("R2", "R2"),
    ("SACK", "SACK"),
    ("SMTP", "SMTP"),
    ("SQLi", "SQL injection"),
    ("SSL", "SSL"),
    ("TCP", "TCP"),
    ("TLS", "TLS"),
    ("TTL", "TTL"),
    ("UDP", "UDP"),
    ("URLs", "URLs"),
    ("URL", "URL"),
    ("URI", "URI"),
    ("VPC", "VPC"),
    ("WAF", "WAF"),
    ("XSS", "XSS"),
    // Abbreviations.
    ("Bytes", "size in bytes"),
    ("Colo", "data center"),
    ("Dst", "destination"),
    ("Ms", "in milliseconds"),
    ("Obj", "object"),
    ("Src", "source"),
    ("Us", "in microseconds"),
];

/// Returns the noun phrase for a field: `the client request path`.
pub(crate) fn field_phrase(name: &str) -> String {
    let mut noun = String::from("the");
    let mut rest = name;
    while !rest.is_empty() {
        let (word, length) = first_word(rest);
        noun.push(' ');
        noun.push_str(&word);
        rest = rest.get(length..).unwrap_or_default();
    }
    noun
}

/// Returns the first word of a name, and its length in bytes.
fn first_word(name: &str) -> (String, usize) {
    let has_lowercase_at = |length: usize| name.as_bytes().get(length).is_some_and(u8::is_ascii_lowercase);
    let acronym = ACRONYMS.iter().find(|(start, _)| name.starts_with(start) && !has_lowercase_at(start.len()));
    if let Some((start, word)) = acronym {
        return ((*word).to_owned(), start.len());
    }
    let uppercase_count = name.bytes().take_while(|byte| !byte.is_ascii_lowercase()).count();
    let length = match uppercase_count {
        // A lowercase word, with an optional uppercase first letter.
        0 | 1 => {
            let is_word_char = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            uppercase_count + name.bytes().skip(uppercase_count).take_while(is_word_char).count()
        }
        // The last uppercase letter starts the next word.
        _ if uppercase_count < name.len() => uppercase_count - 1,
        _ => uppercase_count,
    };
    let length = (length.max(1)..=name.len()).find(|end| name.is_char_boundary(*end)).unwrap_or(name.len());
    let word = name.get(..length).unwrap_or_default();
    (if uppercase_count <= 1 { word.to_ascii_lowercase() } else { word.to_owned() }, length)
}

/// Formats a Unix time in nanoseconds as `2026-11-21 09:30:00 UTC`; `None` for an implausible one.
pub(super) fn format_timestamp(nanoseconds: i128) -> Option<String> {
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000)).ok()?;
    // The years from 1990 to 2099.
    let is_plausible = (631_152_000..4_102_444_800).contains(&seconds);
    is_plausible.then(|| format!("{} UTC", UtcDateTime::from_unix_seconds(seconds).to_rfc3339().replace('T', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_names_become_words() {
        let cases = [
            ("ClientRequestPath", "the client request path"),
            ("ClientIP", "the client IP"),
            ("ClientSSLProtocol", "the client SSL protocol"),
            ("JA3Hash", "the JA3 hash"),
            ("WAFSQLiAttackScore", "the WAF SQL injection attack score"),
            ("WAFRCEAttackScore", "the WAF RCE attack score"),
            ("ClientTCPRTTMs", "the client TCP RTT in milliseconds"),
            ("EdgeCFConnectingO2O", "the edge CF connecting O2O"),
            ("SecurityRuleIDs", "the security rule IDs"),
            ("BotScoreSrc", "the bot score source"),
            ("ClientMTLSAuthStatus", "the client mTLS auth status"),
            ("HTTPClientIPASN", "the HTTP client IP ASN"),
            ("SrcIPCountryCode", "the source IP country code"),
            ("Usage", "the usage"),
        ];
        for (name, expected) in cases {
            assert_eq!(field_phrase(name), expected);
        }
        for dataset in crate::Dataset::all() {
            for field in dataset.fields {
                let words = field_phrase(field.name);
                assert!(words.is_ascii() && !words.contains("  ") && words.len() > 4, "{}: {words}", field.name);
            }
        }
    }

    #[test]
    fn timestamps_become_dates() {
        let cases = [
            (0, None),
            (951_782_400_000_000_000, Some("2000-02-29 00:00:00 UTC")),
            (1_700_000_000_123_456_789, Some("2023-11-14 22:13:20 UTC")),
            (1_735_689_599_000_000_000, Some("2024-12-31 23:59:59 UTC")),
            (i128::MAX, None),
        ];
        for (time, expected) in cases {
            assert_eq!(format_timestamp(time).as_deref(), expected, "{time}");
        }
    }
}
