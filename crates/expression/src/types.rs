//! The types of values: [`Type`] is a [`Scalar`] inside up to three [`Container`]s.

use std::fmt;

/// A type that is not a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A string. Operators do not distinguish it from `Bytes`.
    String,
    /// A byte string that need not be valid UTF-8.
    Bytes,
    /// A 64-bit signed integer.
    Integer,
    /// An IPv4 or IPv6 address.
    Ip,
    /// True or false.
    Boolean,
}

/// A container type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Elements with positions from 0.
    Array,
    /// Elements with string keys.
    Map,
}

/// The type of a value: a scalar inside up to three containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The innermost type.
    pub scalar: Scalar,
    /// The containers, outermost first; the first `None` ends the sequence.
    containers: [Option<Container>; 3],
}

impl Type {
    /// The type of a string.
    pub const STRING: Type = Type::scalar(Scalar::String);
    /// The type of a byte string.
    pub const BYTES: Type = Type::scalar(Scalar::Bytes);
    /// The type of an integer.
    pub const INTEGER: Type = Type::scalar(Scalar::Integer);
    /// The type of an IP address.
    pub const IP: Type = Type::scalar(Scalar::Ip);
    /// The type of a Boolean.
    pub const BOOLEAN: Type = Type::scalar(Scalar::Boolean);

    const fn scalar(scalar: Scalar) -> Self {
        Type { scalar, containers: [None; 3] }
    }

    /// Returns the type of an array whose elements have this type.
    #[must_use]
    pub const fn array(self) -> Self {
        self.in_container(Container::Array)
    }

    /// Returns the type of a map whose values have this type.
    #[must_use]
    pub const fn map(self) -> Self {
        self.in_container(Container::Map)
    }

    /// Adds an outermost container. A type of the language has at most three; a fourth would drop the innermost.
    const fn in_container(self, container: Container) -> Self {
        let [first, second, _] = self.containers;
        Type { scalar: self.scalar, containers: [Some(container), first, second] }
    }

    /// Returns the outermost container, or `None` for a scalar.
    pub fn container(self) -> Option<Container> {
        let [first, ..] = self.containers;
        first
    }

    /// Returns the type of the elements; a scalar returns itself.
    #[must_use]
    pub fn element(self) -> Self {
        let [_, second, third] = self.containers;
        Type { scalar: self.scalar, containers: [second, third, None] }
    }

    /// Returns whether the type is not a container.
    pub fn is_scalar(self) -> bool {
        self.container().is_none()
    }

    /// Returns whether the language treats both types as equal. `String` and `Bytes` are equal in this sense.
    pub fn is_compatible_with(self, other: Type) -> bool {
        let text = |scalar| matches!(scalar, Scalar::String | Scalar::Bytes);
        let same_scalar = self.scalar == other.scalar || (text(self.scalar) && text(other.scalar));
        same_scalar && self.containers == other.containers
    }

    /// Returns whether the type is `String` or `Bytes`.
    pub fn is_text(self) -> bool {
        self.is_compatible_with(Type::STRING)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.container() {
            Some(Container::Array) => write!(f, "Array<{}>", self.element()),
            Some(Container::Map) => write!(f, "Map<{}>", self.element()),
            None => f.write_str(match self.scalar {
                Scalar::String => "String",
                Scalar::Bytes => "Bytes",
                Scalar::Integer => "Integer",
                Scalar::Ip => "IP",
                Scalar::Boolean => "Boolean",
            }),
        }
    }
}
