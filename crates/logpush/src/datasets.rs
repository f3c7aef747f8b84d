//! What can be pushed: datasets, their fields and the types of these (documented).

mod table;
mod title;

use table::DATASETS;

/// A kind of log.
#[derive(Debug, PartialEq, Eq)]
pub struct Dataset {
    /// The name jobs use: `http_requests`.
    pub name: &'static str,
    /// Who has it.
    pub scope: Scope,
    /// Its fields, by name.
    pub fields: &'static [Field],
}

/// Whose logs a dataset holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A zone's.
    Zone,
    /// An account's.
    Account,
    /// Either's.
    Both,
}

/// A field of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the log line; upper and lower case count.
    pub name: &'static str,
    /// What its values are.
    pub ty: FieldType,
    /// Whether a filter may ask for it.
    pub filterable: bool,
    /// Whether it is kept for old jobs only.
    pub deprecated: bool,
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// Text.
    String,
    /// Whole numbers.
    Int,
    /// Numbers.
    Float,
    /// True or false.
    Bool,
    /// Nanoseconds since 1970 in the pipeline; how it is written is the job's choice.
    Timestamp,
    /// Names with values.
    Object,
    /// Several texts.
    Strings,
    /// Several whole numbers.
    Ints,
    /// Several objects.
    Objects,
}

impl FieldType {
    /// The documented name: `array[string]`.
    pub fn name(self) -> &'static str {
        match self {
            FieldType::String => "string",
            FieldType::Int => "int",
            FieldType::Float => "float",
            FieldType::Bool => "bool",
            FieldType::Timestamp => "timestamp",
            FieldType::Object => "object",
            FieldType::Strings => "array[string]",
            FieldType::Ints => "array[int]",
            FieldType::Objects => "array[object]",
        }
    }
}

impl Field {
    const fn new(name: &'static str, ty: FieldType) -> Field {
        let filterable = !matches!(ty, FieldType::Object | FieldType::Objects);
        Field { name, ty, filterable, deprecated: false }
    }
}

impl Dataset {
    /// The dataset of a job that names none (documented).
    pub fn http_requests() -> &'static Dataset {
        Dataset::named("http_requests").unwrap_or(&NONE)
    }

    /// The dataset of this name.
    pub fn named(name: &str) -> Option<&'static Dataset> {
        let place = DATASETS.binary_search_by(|dataset| dataset.name.cmp(name)).ok()?;
        DATASETS.get(place)
    }

    /// All of them, by name.
    pub fn all() -> &'static [Dataset] {
        DATASETS
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let place = self.fields.binary_search_by(|field| field.name.cmp(name)).ok()?;
        self.fields.get(place)
    }

    /// Whether a zone has it.
    pub fn is_zone(&self) -> bool {
        self.scope != Scope::Account
    }

    /// Whether an account has it.
    pub fn is_account(&self) -> bool {
        self.scope != Scope::Zone
    }
}

/// Stands where a name of the table would be wrong; a test says that none is.
const NONE: Dataset = Dataset { name: "", scope: Scope::Both, fields: &[] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_without_repetition() {
        assert!(DATASETS.is_sorted_by(|a, b| a.name < b.name));
        for dataset in DATASETS {
            assert!(dataset.fields.is_sorted_by(|a, b| a.name < b.name), "{}", dataset.name);
        }
        assert_eq!(Dataset::http_requests().name, "http_requests");
    }
}
