//! Names and values as SQL. Whatever text comes in, it stays a name or a value.

use super::Dialect;
use std::fmt::Write as _;

/// Writes literals of a dialect.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literals {
    pub(super) dialect: Dialect,
}

impl Literals {
    /// A name that people chose.
    pub(super) fn name(self, name: &str) -> Option<String> {
        let right = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (!name.is_empty() && name.chars().all(right)).then(|| self.field(name))
    }

    /// The name of a field; none has anything but letters and digits.
    pub(super) fn field(self, name: &str) -> String {
        match self.dialect {
            Dialect::Spark => format!("`{}`", name.replace('`', "``")),
            Dialect::DataFusion => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// Where the lines are. Spark wants a plain literal there.
    pub(super) fn location(self, text: &str) -> Option<String> {
        (self.dialect == Dialect::DataFusion || is_plain(text)).then(|| self.text(text))
    }

    /// A text.
    pub(super) fn text(self, text: &str) -> String {
        match self.dialect {
            // How a quote or a backslash is written depends on settings, and `${…}` is replaced even
            // inside of literals: the bytes of such a text are written instead.
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
