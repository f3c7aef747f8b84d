//! The forms of field values (assumption documented-values).
//!
//! Lints use [`ValueForm`] to report comparisons that are always or never true, and proofs rely on the same forms.

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// Any value.
    Any,
    /// A hostname.
    Host,
    /// A path.
    Path,
    /// A path and a query string.
    Uri,
    /// A URI with scheme and host.
    FullUri,
    /// A query string.
    Query,
    /// A file extension, in lowercase.
    Extension,
    /// A file extension with the original letter case.
    RawExtension,
    /// An HTTP method.
    Method,
    /// A protocol version.
    Version,
    /// A country code.
    Country,
    /// A continent code.
    Continent,
    /// A `User-Agent` header.
    UserAgent,
    /// A `Referer` header.
    Referer,
    /// A `Cookie` header.
    Cookie,
    /// The number of an autonomous system.
    AsNumber,
    /// A Unix time, in seconds.
    UnixTime,
    /// An integer in an inclusive range.
    Integer(&'static (i64, i64)),
}

/// A constraint that all values of one form satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueConstraint {
    /// Texts that match a pattern of the language.
    Text {
        /// The pattern, anchored at both ends or at the start.
        pattern: &'static str,
        /// A typical value.
        example: &'static str,
        /// The constraint in words that follow the name of the field.
        description: &'static str,
    },
    /// Integers in an inclusive range.
    Integers {
        /// The lowest value.
        low: i64,
        /// The highest value.
        high: i64,
    },
}

/// The pattern of the known country codes, grouped by first letter.
const COUNTRY_PATTERN: &str = "^(?:A[12D-GILMO-UWXZ]|B[ABD-JL-OQ-TVWYZ]|C[ACDF-IK-ORU-Z]|D[EJKMOZ]|E[CEGHR-U]|F[I-KMOR]|G[ABD-IL-NP-UWY]|H[KMNRTU]|\
    I[DEL-OQ-T]|J[EMOP]|K[EG-IMNPRWYZ]|L[A-CIKR-VY]|M[AC-HK-Z]|N[ACE-GILOPRUZ]|O[1M]|P[AE-HK-NR-TWY]|QA|R[EOSUW]|\
    S[A-EG-OR-TVX-Z]|T[1CDF-HJ-ORTVWZ]|U[AGMSYZ]|V[ACEGINU]|W[FS]|X[KX]|Y[ET]|Z[AMW])?$";

impl ValueForm {
    /// Returns the constraint; `None` if it would be too weak for a proof.
    pub fn constraint(self) -> Option<ValueConstraint> {
        let text = |pattern, example, description| Some(ValueConstraint::Text { pattern, example, description });
        match self {
            ValueForm::Host => text(
                r#"^[^/ \t\r\n?#@"\\]*$"#,
                "example.com",
                "contains no whitespace and none of `/`, `?`, `#`, `@`, `\"`, and `\\`",
            ),
            ValueForm::Path => text(r"^(?:/[^?]*|\*)$", "/", "starts with `/` (or is `*`) and contains no `?`"),
            ValueForm::Uri => text(r"^(?:/|\*$)", "/", "starts with `/` (or is `*`)"),
            ValueForm::FullUri => text(
                "^https?://[^#]*/[^#]*$",
                "https://example.com/",
                "starts with `http://` or `https://`, and has a path but no `#`",
            ),
            ValueForm::Extension => text("^[^.A-Z]*$", "html", "contains no dot and no uppercase letters"),
            ValueForm::RawExtension => text("^[^.]*$", "html", "contains no dot"),
            ValueForm::Method => text("^[!#$%&'*+.^_`|~0-9A-Z-]+$", "GET", "is a single uppercase word"),
            ValueForm::Version => text(
                r"^(?:HTTP/(?:1\.[01]|[04-9][!-~]*|[23](?:\.[1-9][!-~]*)?)|SPDY/[!-~]*)$",
                "HTTP/1.1",
                "has the form `HTTP/1.1`, `HTTP/2` or `HTTP/3`",
            ),
            ValueForm::Country => text(COUNTRY_PATTERN, "DE", "is a country code or empty"),
            ValueForm::Continent => text("^(?:AF|AN|AS|EU|NA|OC|SA|T1|XX)?$", "EU", "is a continent code or empty"),
            ValueForm::AsNumber => Some(ValueConstraint::Integers { low: 0, high: 4_294_967_295 }),
            // Ten digits, because a larger number is probably in milliseconds.
            ValueForm::UnixTime => Some(ValueConstraint::Integers { low: 0, high: 9_999_999_999 }),
            ValueForm::Integer(&(low, high)) => Some(ValueConstraint::Integers { low, high }),
            ValueForm::Any | ValueForm::Query | ValueForm::UserAgent | ValueForm::Referer | ValueForm::Cookie => None,
        }
    }

    /// Returns the range of the integers; `None` for a form of texts or without a constraint.
    pub fn integers(self) -> Option<(i64, i64)> {
        match self.constraint()? {
            ValueConstraint::Integers { low, high } => Some((low, high)),
            ValueConstraint::Text { .. } => None,
        }
    }

    /// Returns whether the value is part of a single line of a request, so that it contains no line break.
    pub(crate) fn is_line(self) -> bool {
        match self {
            ValueForm::Host
            | ValueForm::Path
            | ValueForm::Uri
            | ValueForm::FullUri
            | ValueForm::Query
            | ValueForm::Method
            | ValueForm::UserAgent
            | ValueForm::Referer
            | ValueForm::Cookie => true,
            ValueForm::Any
            | ValueForm::Extension
            | ValueForm::RawExtension
            | ValueForm::Version
            | ValueForm::Country
            | ValueForm::Continent
            | ValueForm::AsNumber
            | ValueForm::UnixTime
            | ValueForm::Integer(..) => false,
        }
    }
}
