//! Defines a macro for enums whose values have names in JSON.

/// Defines an enum whose values have names, with functions for lists, forms and messages. A name is a `tt`, because a
/// `literal` is opaque to the macro that derives the schema.
macro_rules! string_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:tt,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The names of all values.
            pub const NAMES: &[&str] = &[$($text),*];

            /// Returns the name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the value with this [`name`](Self::name).
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.name() == name)
            }
        }
    };
}

pub(crate) use string_enum;
