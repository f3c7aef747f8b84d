//! The datasets that jobs can deliver, their fields, and the types of the fields (documented).
//!
//! Start with [`Dataset`] and [`Field`]. The table is sorted by name, so lookups are binary searches.

mod table;
mod title;

use table::DATASETS;

/// A kind of log line with a fixed set of fields.
#[derive(Debug, PartialEq, Eq)]
pub struct Dataset {
    /// The name in jobs: `http_requests`.
    pub name: &'static str,
    /// The kinds of owners that have this dataset.
    pub scope: Scope,
    /// The features that only some datasets have.
    pub features: &'static [Feature],
    /// The fields, sorted by name.
    pub fields: &'static [Field],
}

/// A feature that only some datasets have (documented).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `filter_attack_traffic`: jobs can exclude the lines of attacks.
    AttackFilter,
    /// Jobs of the kind `edge`.
    EdgeJobs,
    /// Lines about HTTP requests, so that fields correspond to fields of the Rules language.
    RequestFields,
    /// `subrequest_merging`: jobs can deliver subrequests inside their request.
    SubrequestMerging,
}

/// The kind of owner of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Zones.
    Zone,
    /// Accounts.
    Account,
    /// Zones and accounts.
    Both,
}

/// A field of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in log lines; case-sensitive.
    pub name: &'static str,
    /// The type of its values.
    pub ty: FieldType,
    /// Whether filters may compare it.
    pub filterable: bool,
    /// Whether it exists only for older jobs.
    pub deprecated: bool,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// Strings.
    String,
    /// Integers.
    Int,
    /// Real numbers.
    Float,
    /// Booleans.
    Bool,
    /// Unix times in nanoseconds. The job chooses the format of delivered timestamps.
    Timestamp,
    /// Objects.
    Object,
    /// Arrays of strings.
    Strings,
    /// Arrays of integers.
    Ints,
    /// Arrays of objects.
    Objects,
}

impl FieldType {
    /// Returns the documented name: `array[string]`.
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
    /// Returns the dataset of a job that does not name one (documented).
    pub fn http_requests() -> &'static Dataset {
        Dataset::from_name("http_requests").unwrap_or(&EMPTY_DATASET)
    }

    /// Returns the dataset of this name.
    pub fn from_name(name: &str) -> Option<&'static Dataset> {
        let index = DATASETS.binary_search_by(|dataset| dataset.name.cmp(name)).ok()?;
        DATASETS.get(index)
    }

    /// Returns all datasets, sorted by name.
    pub fn all() -> &'static [Dataset] {
        DATASETS
    }

    /// Returns whether the dataset has the feature.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// Returns the datasets that have the feature, sorted by name.
    pub fn with_feature(feature: Feature) -> impl Iterator<Item = &'static Dataset> {
        DATASETS.iter().filter(move |dataset| dataset.has(feature))
    }

    /// Returns the field of this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        let index = self.fields.binary_search_by(|field| field.name.cmp(name)).ok()?;
        self.fields.get(index)
    }

    /// Returns whether zones have the dataset.
    pub fn has_zone_scope(&self) -> bool {
        self.scope != Scope::Account
    }

    /// Returns whether accounts have the dataset.
    pub fn has_account_scope(&self) -> bool {
        self.scope != Scope::Zone
    }
}

/// The fallback if the table lacked `http_requests`; a test checks that it is never used.
const EMPTY_DATASET: Dataset = Dataset { name: "", scope: Scope::Both, features: &[], fields: &[] };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_unique() {
        assert!(DATASETS.is_sorted_by(|a, b| a.name < b.name));
        for dataset in DATASETS {
            assert!(dataset.fields.is_sorted_by(|a, b| a.name < b.name), "{}", dataset.name);
        }
        assert_eq!(Dataset::http_requests().name, "http_requests");
    }
}
