//! Path parameters: description, schema and example. All examples of the document use the same objects, so an ID
//! denotes the same object everywhere.

use serde_json::{Value, json};
use zonewright_expression::schema::Phase;
use zonewright_logpush::Dataset;

/// A path parameter.
pub(super) struct PathParameter {
    /// End of the path up to the parameter.
    path_suffix: &'static str,
    /// Name of the parameter.
    pub(super) name: &'static str,
    description: &'static str,
    format: ParameterFormat,
    example: &'static str,
}

#[derive(Clone, Copy)]
enum ParameterFormat {
    Id,
    Number,
    /// A number in a string, such as a version.
    NumberText,
    Word,
    Phase,
    Dataset,
    Setting,
}

const fn parameter(
    path_suffix: &'static str,
    name: &'static str,
    description: &'static str,
    format: ParameterFormat,
    example: &'static str,
) -> PathParameter {
    PathParameter { path_suffix, name, description, format, example }
}

/// All path parameters. If several match, the first one applies.
const PATH_PARAMETERS: [PathParameter; 20] = [
    parameter("/zones/{zone_id}", "zone_id", "ID of the zone", ParameterFormat::Id, "5c1e0b7d9f3a4e62a8d0c4b6f1e39725"),
    parameter(
        "/accounts/{account_id}",
        "account_id",
        "ID of the account",
        ParameterFormat::Id,
        "0f9b3d5e7a1c4826b4d8f0a2c6e1357b",
    ),
    parameter("/filters/{id}", "id", "ID of the filter", ParameterFormat::Id, "372e67954025e0ba6aaa6d586b9e0b61"),
    parameter("/firewall/rules/{id}", "id", "ID of the rule", ParameterFormat::Id, "f2d427378e7542acb295380d352e2ebd"),
    parameter(
        "/packages/{package}",
        "package",
        "ID of the package",
        ParameterFormat::Id,
        "c504870194831cd12c3fc0284f294abb",
    ),
    parameter("/groups/{id}", "id", "ID of the group", ParameterFormat::Id, "07d700cf30fda7548be94ff01087d0c4"),
    parameter("/rules/{rule}", "rule", "ID of the rule", ParameterFormat::Word, "960032"),
    parameter("/overrides/{id}", "id", "ID of the override", ParameterFormat::Id, "7a1c5b3e9d2f48c6a0e4b8d1f3579bce"),
    parameter("/pagerules/{id}", "id", "ID of the page rule", ParameterFormat::Id, "9e4d2b8f6a0c4173b5d9e1f7a3c5082d"),
    parameter("/settings/{setting}", "setting", "Setting name", ParameterFormat::Setting, "waf"),
    parameter("/rulesets/{id}", "id", "ID of the ruleset", ParameterFormat::Id, "2f8c6a4e0b1d4975c3e7a9f5d1b60284"),
    parameter("/rules/{rule_id}", "rule_id", "ID of the rule", ParameterFormat::Id, "3a5f7c9e1b4d4068a2c6e0f8d2b41937"),
    parameter("/versions/{version}", "version", "Version number", ParameterFormat::NumberText, "1"),
    parameter("/by_tag/{tag}", "tag", "A category of managed rules", ParameterFormat::Word, "wordpress"),
    parameter("/phases/{phase}", "phase", "Phase name", ParameterFormat::Phase, "http_request_firewall_custom"),
    parameter("/jobs/{job_id}", "job_id", "ID of the job", ParameterFormat::Number, "1"),
    parameter(
        "{account_id}/logpush/ingest/{dataset}",
        "dataset",
        "Dataset name",
        ParameterFormat::Dataset,
        "audit_logs",
    ),
    parameter(
        "{account_id}/logpush/datasets/{dataset}",
        "dataset",
        "Dataset name",
        ParameterFormat::Dataset,
        "audit_logs",
    ),
    parameter("/ingest/{dataset}", "dataset", "Dataset name", ParameterFormat::Dataset, "http_requests"),
    parameter("/datasets/{dataset}", "dataset", "Dataset name", ParameterFormat::Dataset, "http_requests"),
];

/// Returns the path parameters of a path that are in the table, from left to right.
pub(super) fn parameters_in(path: &str) -> impl Iterator<Item = &'static PathParameter> {
    let prefixes = path.match_indices('}').filter_map(|(at, _)| path.get(..=at));
    prefixes.filter_map(|prefix| PATH_PARAMETERS.iter().find(|parameter| prefix.ends_with(parameter.path_suffix)))
}

impl PathParameter {
    /// Returns the parameter object of an operation.
    pub(super) fn to_parameter_object(&self) -> Value {
        let example = match self.format {
            ParameterFormat::Number => json!(self.example.parse::<u64>().unwrap_or_default()),
            _ => json!(self.example),
        };
        json!({
            "name": self.name, "in": "path", "required": true, "description": self.description,
            "schema": self.schema(), "example": example
        })
    }

    /// Returns the schema.
    pub(super) fn schema(&self) -> Value {
        match self.format {
            ParameterFormat::Id => json!({"type": "string", "pattern": "^[0-9a-f]{32}$"}),
            ParameterFormat::Number => json!({"type": "integer", "minimum": 1}),
            ParameterFormat::NumberText => json!({"type": "string", "pattern": "^[1-9][0-9]*$"}),
            ParameterFormat::Word => json!({"type": "string", "minLength": 1}),
            ParameterFormat::Phase => {
                json!({"type": "string", "enum": Phase::ALL.iter().map(|phase| phase.name()).collect::<Vec<_>>()})
            }
            ParameterFormat::Dataset => {
                json!({"type": "string", "enum": Dataset::all().iter().map(|dataset| dataset.name).collect::<Vec<_>>()})
            }
            ParameterFormat::Setting => json!({"type": "string", "enum": ["waf"]}),
        }
    }
}
