//! Types of values.

use std::fmt;

/// A type that is not a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Text. The same as `Bytes` to every operator.
    String,
    /// Bytes that need not be text.
    Bytes,
    /// 64-bit signed integer.
    Integer,
    /// IPv4 or IPv6 address.
    Ip,
    /// True or false.
    Boolean,
}

/// A container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Numbered elements.
    Array,
    /// Elements with string keys.
    Map,
}

/// Type of a value: a scalar inside up to three containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The innermost type.
    pub scalar: Scalar,
    /// Containers from the outermost inwards; `None` ends the row.
    containers: [Option<Container>; 3],
}

impl Type {
    /// Text.
    pub const STRING: Type = Type::scalar(Scalar::String);
    /// Bytes.
    pub const BYTES: Type = Type::scalar(Scalar::Bytes);
    /// Integer.
    pub const INTEGER: Type = Type::scalar(Scalar::Integer);
    /// Address.
    pub const IP: Type = Type::scalar(Scalar::Ip);
    /// True or false.
    pub const BOOLEAN: Type = Type::scalar(Scalar::Boolean);

    const fn scalar(scalar: Scalar) -> Self {
        Type { scalar, containers: [None; 3] }
    }

    /// An array of this type.
    #[must_use]
    pub const fn array(self) -> Self {
        self.inside(Container::Array)
    }

    /// A map to this type.
    #[must_use]
    pub const fn map(self) -> Self {
        self.inside(Container::Map)
    }

    const fn inside(self, container: Container) -> Self {
        let [first, second, _] = self.containers;
        Type { scalar: self.scalar, containers: [Some(container), first, second] }
    }

    /// The outermost container, if the type is not a scalar.
    pub fn container(self) -> Option<Container> {
        let [first, ..] = self.containers;
        first
    }

    /// The type of its elements; itself for a scalar.
    #[must_use]
    pub fn element(self) -> Self {
        let [_, second, third] = self.containers;
        Type { scalar: self.scalar, containers: [second, third, None] }
    }

    /// Whether it is no container.
    pub fn is_scalar(self) -> bool {
        self.container().is_none()
    }

    /// Whether both are the same to the language: String and Bytes are.
    pub fn fits(self, other: Type) -> bool {
        let text = |scalar| matches!(scalar, Scalar::String | Scalar::Bytes);
        let same_scalar = self.scalar == other.scalar || (text(self.scalar) && text(other.scalar));
        same_scalar && self.containers == other.containers
    }

    /// Whether it is text or bytes.
    pub fn is_text(self) -> bool {
        self.fits(Type::STRING)
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
