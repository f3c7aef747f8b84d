//! Writes names and values as SQL. No input can become any other SQL.

use super::Dialect;
use std::fmt::Write as _;

/// A writer of literals in one dialect.
#[derive(Clone, Copy, Debug)]
pub(super) struct SqlWriter {
    pub(super) dialect: Dialect,
}

impl SqlWriter {
    /// Quotes a name from the options; `None` if it has other characters than letters, digits and `_`.
    pub(super) fn quote_table(self, name: &str) -> Option<String> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (!name.is_empty() && name.chars().all(is_allowed)).then(|| self.quote_column(name))
    }

    /// Quotes the name of a field or a table.
    pub(super) fn quote_column(self, name: &str) -> String {
        match self.dialect {
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            Dialect::DataFusion => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// Quotes the location of the lines; `None` if Spark cannot write it as a plain literal.
    pub(super) fn quote_location(self, text: &str) -> Option<String> {
        (self.dialect == Dialect::DataFusion || is_plain(text)).then(|| self.quote_string(text))
    }

    /// Quotes a string.
    pub(super) fn quote_string(self, text: &str) -> String {
        match self.dialect {
            // In Spark, the escaping of quotes and backslashes depends on settings, and `${…}` is substituted even in
            // literals. Such a string is written as bytes.
            Dialect::Spark if !is_plain(text) => {
                let mut bytes = String::new();
                text.bytes().for_each(|byte| {
                    let _ = write!(bytes, "{byte:02X}");
                });
                format!("decode(unhex('{bytes}'), 'UTF-8')")
            }
            Dialect::Spark | Dialect::DataFusion => format!("'{}'", text.replace('\'', "''")),
        }
    }
}

fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| matches!(c, '\'' | '\\' | '$') || c.is_control())
}
