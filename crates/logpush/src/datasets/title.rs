//! Derives the title of a field, which the service returns as its description (assumption dataset-answers).

use super::Field;

/// Acronyms in field names, longer ones before their prefixes. A plural `s` may follow.
const ACRONYMS: [&str; 31] = [
    "RCode", "RData", "IPv4", "IPv6", "JSON", "MTLS", "SACK", "SQLi", "HTTP", "ASN", "ASO", "AWS", "CDN", "CGI", "CPU",
    "DNS", "DoH", "DoT", "ISO", "ISP", "O2O", "PII", "RCE", "RTT", "TCP", "TLS", "TTL", "WAF", "AI", "CF", "IP",
];

impl Field {
    /// Returns the name as words: `Client request host` for `ClientRequestHost`.
    pub fn title(&self) -> String {
        let mut title = String::new();
        let mut rest = self.name;
        while let Some((word, after)) = first_word(rest) {
            let is_plain = word.len() > 1 && word.chars().skip(1).all(|char| char.is_ascii_lowercase());
            match (title.is_empty(), is_plain) {
                (true, _) => title.push_str(word),
                (false, true) => title.extend([" ", &word.to_ascii_lowercase()]),
                (false, false) => title.extend([" ", word]),
            }
            rest = after;
        }
        title
    }
}

/// Returns the first word of a name and the rest, or `None` at the end.
fn first_word(name: &str) -> Option<(&str, &str)> {
    let acronym = ACRONYMS.iter().find_map(|word| {
        let rest = name.strip_prefix(word)?;
        let after = rest.strip_prefix('s').unwrap_or(rest);
        [rest, after].iter().any(|rest| starts_word(rest)).then(|| {
            let length = if starts_word(rest) { word.len() } else { word.len() + 1 };
            name.split_at_checked(length)
        })?
    });
    acronym.or_else(|| name.split_at_checked(word_len(name))).filter(|(word, _)| !word.is_empty())
}

fn starts_word(rest: &str) -> bool {
    !rest.starts_with(|char: char| char.is_ascii_lowercase())
}

/// Returns the length in bytes of a first word that is not an acronym of the table. The word is a run of uppercase
/// letters and digits, or one character with the characters up to the next uppercase letter.
fn word_len(name: &str) -> usize {
    let chars: Vec<char> = name.chars().collect();
    let is_lower = |index: usize| chars.get(index).is_some_and(char::is_ascii_lowercase);
    let starts_capitalized_word = |index: usize| is_lower(index + 1) && !is_plural(&chars, index + 1);
    let mut end = 1;
    if !is_lower(1) || is_plural(&chars, 1) {
        while chars.get(end).is_some_and(|char| !char.is_ascii_lowercase()) && !starts_capitalized_word(end) {
            end += 1;
        }
        end += usize::from(is_plural(&chars, end));
    } else {
        while chars.get(end).is_some_and(|char| !char.is_ascii_uppercase()) {
            end += 1;
        }
    }
    name.char_indices().nth(end).map_or(name.len(), |(index, _)| index)
}

/// Returns whether the character is a plural `s` at the end of a word.
fn is_plural(chars: &[char], index: usize) -> bool {
    chars.get(index) == Some(&'s') && !chars.get(index + 1).is_some_and(char::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::super::{Dataset, FieldType};
    use super::*;

    #[test]
    fn field_names_are_split_into_words() {
        let cases = [
            ("ClientRequestHost", "Client request host"),
            ("BotDetectionIDs", "Bot detection IDs"),
            ("ClientIP", "Client IP"),
            ("ClientIPASNDescription", "Client IP ASN description"),
            ("JA3Hash", "JA3 hash"),
            ("JA4", "JA4"),
            ("R2Path", "R2 path"),
            ("WAFSQLiAttackScore", "WAF SQLi attack score"),
            ("ISPIPv4ASN", "ISP IPv4 ASN"),
            ("CNAMEsReversed", "CNAMEs reversed"),
            ("ResolvedIPs", "Resolved IPs"),
            ("ClientXRequestedWith", "Client X requested with"),
            ("EDNSSubnetLength", "EDNS subnet length"),
            ("DoHSubdomain", "DoH subdomain"),
            ("URLContainsCDNCGIPath", "URL contains CDN CGI path"),
            ("CPUTimeMs", "CPU time ms"),
            ("FirewallForAIPIICategories", "Firewall for AI PII categories"),
            ("EdgeCFConnectingO2O", "Edge CF connecting O2O"),
            ("Action", "Action"),
            ("a", "a"),
            ("é", "é"),
            ("", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(Field::new(name, FieldType::Int).title(), expected, "{name}");
        }
    }

    #[test]
    fn titles_differ_from_names_only_in_case_and_spaces() {
        for field in Dataset::all().iter().flat_map(|dataset| dataset.fields) {
            let title = field.title();
            assert!(title.replace(' ', "").eq_ignore_ascii_case(field.name), "{title}");
        }
    }
}
