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
    /// What jobs and filters over it can do beyond those over other datasets.
    pub features: &'static [Feature],
    /// Its fields, by name.
    pub fields: &'static [Field],
}

/// A feature that only some datasets have (documented).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `filter_attack_traffic`: lines of attacks can be excluded.
    AttackFilter,
    /// Jobs of the kind `edge`.
    EdgeJobs,
    /// Its lines are about HTTP requests, so its fields correspond to fields of the Rules language.
    RequestFields,
    /// `subrequest_merging`: subrequests can come inside their request.
    SubrequestMerging,
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
        Dataset::named("http_requests").unwrap_or(&EMPTY_DATASET)
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

    /// Whether it has a feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// The datasets that have a feature, by name.
    pub fn with_feature(feature: Feature) -> impl Iterator<Item = &'static Dataset> {
        DATASETS.iter().filter(move |dataset| dataset.has(feature))
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
const EMPTY_DATASET: Dataset = Dataset { name: "", scope: Scope::Both, features: &[], fields: &[] };

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
