//! Converts a job to a SQL query over stored log lines.
//!
//! [`to_sql()`] returns a [`SqlQuery`]. Its condition is equivalent to the filter for every line. Missing values are
//! zero values, strings are compared byte by byte, and no text of a filter can become SQL (`condition.rs`,
//! `literal.rs`). The assumption sql-meaning lists the limits. Tests run both dialects on their engines.

mod condition;
mod literal;

use crate::{Dataset, Field, FieldType, Options, TestKind, check, output_options, predicate::Test};
use literal::SqlWriter;
use std::fmt;
use zonewright_api::{
    ValidationError,
    logpush::{BoolOrString, JobSettings, OutputOptions, OutputType},
};

/// A SQL dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Spark SQL, from version 3.3 on.
    Spark,
    /// Apache DataFusion.
    DataFusion,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 2] = [Dialect::Spark, Dialect::DataFusion];

    /// Returns the name for options.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Spark => "spark",
            Dialect::DataFusion => "datafusion",
        }
    }

    /// Returns the dialect of this [`name`](Dialect::name).
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

/// The options of [`to_sql()`].
#[derive(Clone, Debug)]
pub struct SqlOptions {
    /// The dialect.
    pub dialect: Dialect,
    /// The name of the table: letters, digits and `_`.
    pub table: String,
    /// The location of the NDJSON: a path or a URL that the engine can read.
    pub location: String,
    /// Whether timestamps are strings in the lines, rather than numbers. Such strings can be selected, but not
    /// compared.
    pub rfc3339_timestamps: bool,
}

/// A job as SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlQuery {
    /// The statement that creates the table of lines.
    pub table: String,
    /// The query that selects the fields of the job from every line that matches its filter.
    pub query: String,
    /// The parts of the job that the query does not implement, one sentence each.
    pub notes: Vec<String>,
}

impl fmt::Display for SqlQuery {
    /// Writes the notes as comments, then both statements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notes.iter().try_for_each(|note| writeln!(f, "-- {note}"))?;
        write!(f, "{};\n{};", self.table, self.query)
    }
}

/// Converts a job to a query.
///
/// # Errors
///
/// Returns an error if the dataset, the filter or a field is invalid, or if the dialect cannot express one of them.
pub fn to_sql(settings: &JobSettings, options: &SqlOptions) -> Result<SqlQuery, Vec<ValidationError>> {
    let output = output_options(settings)?;
    let writer = SqlWriter { dialect: options.dialect };
    let invalid = |pointer: &str, message: String| vec![ValidationError::invalid_value(pointer, message)];
    let Some(dataset) = Dataset::from_name(&settings.dataset) else {
        return Err(invalid("/dataset", format!("unknown dataset `{}`", settings.dataset)));
    };
    let Some(table) = writer.quote_table(&options.table) else {
        return Err(invalid("", "the table name may contain only letters, digits and `_`".to_owned()));
    };
    let Some(location) = writer.quote_location(&options.location) else {
        return Err(invalid(
            "",
            "a Spark location must not contain quotes, backslashes, `$` or control characters".to_owned(),
        ));
    };
    let test = resolve_filter(settings, dataset)?;
    let selected = selected_fields(&output, dataset)?;
    let mut columns = selected.clone();
    if let Some(test) = &test {
        add_filter_fields(test, &mut columns);
    }
    let mut declared = Vec::new();
    for field in columns {
        let Some(ty) = column_type(field.ty, options) else {
            let message = format!(
                "`{}` has the type `{}`, which DataFusion cannot read as a string",
                field.name,
                field.ty.name()
            );
            return Err(invalid("/output_options/field_names", message));
        };
        declared.push(format!("{} {ty}", writer.quote_column(field.name)));
    }
    let column_names: Vec<_> = selected.iter().map(|field| writer.quote_column(field.name)).collect();
    let mut query = format!("SELECT {}\nFROM {table}", column_names.join(", "));
    if let Some(test) = &test {
        let condition = condition::write_condition(test, writer, options.rfc3339_timestamps);
        query += &format!("\nWHERE {}", condition.map_err(|message| invalid("/filter", message))?);
    }
    let declared = declared.join(", ");
    let table = match options.dialect {
        // Otherwise, Spark would read a malformed line as one that lacks every field.
        Dialect::Spark => format!(
            "CREATE OR REPLACE TEMPORARY VIEW {table} ({declared})\nUSING json OPTIONS (path {location}, mode 'DROPMALFORMED')"
        ),
        Dialect::DataFusion => {
            format!("CREATE EXTERNAL TABLE {table} ({declared})\nSTORED AS JSON LOCATION {location}")
        }
    };
    Ok(SqlQuery { table, query, notes: collect_notes(settings, &output, options.dialect) })
}

fn resolve_filter(settings: &JobSettings, dataset: &'static Dataset) -> Result<Option<Test>, Vec<ValidationError>> {
    let Some(filter) = settings.filter.as_deref().filter(|filter| !filter.is_empty()) else { return Ok(None) };
    // The limits of filters do not apply to queries.
    let options = Options { dataset, max_operators: usize::MAX, max_bytes: usize::MAX, ..Options::default() };
    let checked = check(filter, &options);
    let first = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    match (checked.program, first) {
        (Some(program), _) => Ok(Some(program.test().clone())),
        (None, first) => {
            let message = first.map_or("the filter is invalid".to_owned(), |first| first.message.clone());
            Err(vec![ValidationError {
                diagnostics: checked.diagnostics,
                ..ValidationError::invalid_value("/filter", message)
            }])
        }
    }
}

/// Returns the fields that a job sends, each once.
fn selected_fields(
    output: &OutputOptions,
    dataset: &'static Dataset,
) -> Result<Vec<&'static Field>, Vec<ValidationError>> {
    let Some(names) = output.field_names.as_ref().filter(|names| !names.is_empty()) else {
        return Ok(dataset.default_fields().collect());
    };
    let mut fields = Vec::new();
    for name in names {
        let Some(field) = dataset.field(name) else {
            let message = format!("`{}` has no field `{name}`", dataset.name);
            return Err(vec![ValidationError::invalid_value("/output_options/field_names", message)]);
        };
        add_field(field, &mut fields);
    }
    Ok(fields)
}

fn add_filter_fields(test: &Test, fields: &mut Vec<&'static Field>) {
    match &test.kind {
        TestKind::All(tests) | TestKind::Any(tests) => tests.iter().for_each(|test| add_filter_fields(test, fields)),
        TestKind::Comparison(comparison) => add_field(comparison.field, fields),
    }
}

fn add_field(field: &'static Field, fields: &mut Vec<&'static Field>) {
    if !fields.iter().any(|other| other.name == field.name) {
        fields.push(field);
    }
}

/// Returns the type of a column, or `None` if the dialect cannot read it.
fn column_type(ty: FieldType, options: &SqlOptions) -> Option<&'static str> {
    let is_spark = options.dialect == Dialect::Spark;
    Some(match ty {
        FieldType::Timestamp if !options.rfc3339_timestamps => "DECIMAL(38,0)",
        FieldType::String | FieldType::Timestamp if is_spark => "STRING",
        FieldType::String | FieldType::Timestamp => "VARCHAR",
        // This type represents every 64-bit integer exactly.
        FieldType::Int => "DECIMAL(38,0)",
        FieldType::Float => "DOUBLE",
        FieldType::Bool => "BOOLEAN",
        FieldType::Strings if is_spark => "ARRAY<STRING>",
        FieldType::Strings => "VARCHAR[]",
        FieldType::Ints if is_spark => "ARRAY<DECIMAL(38,0)>",
        FieldType::Ints => "DECIMAL(38,0)[]",
        FieldType::Object | FieldType::Objects if is_spark => "STRING",
        FieldType::Object | FieldType::Objects => return None,
    })
}

fn collect_notes(settings: &JobSettings, output: &OutputOptions, dialect: Dialect) -> Vec<String> {
    let framing_options = [
        &output.batch_prefix,
        &output.batch_suffix,
        &output.record_prefix,
        &output.record_suffix,
        &output.record_delimiter,
        &output.field_delimiter,
        &output.record_template,
    ];
    let malformed_lines_note = match dialect {
        Dialect::Spark => "lines that are not JSON or contain a value of a different type are skipped",
        Dialect::DataFusion => "the query fails on a line that is not JSON or contains a value of a different type",
    };
    [
        (
            output.sample_rate.is_some_and(|rate| rate < 1.0),
            "`sample_rate` is not applied: the query returns every matching line",
        ),
        (
            framing_options.iter().any(|text| text.is_some()),
            "templates, prefixes, suffixes, and delimiters are not applied",
        ),
        (output.output_type_or_default() == OutputType::Csv, "`output_type` is not applied: the query returns rows"),
        (
            output.timestamp_format.is_some(),
            "`timestamp_format` is not applied: timestamps keep the format of the lines",
        ),
        (
            output.cve_2021_44228.as_ref().is_some_and(BoolOrString::is_set),
            "`CVE-2021-44228` is not applied: `${` is not replaced",
        ),
        (output.merge_subrequests == Some(true), "`merge_subrequests` is not applied"),
        (settings.filter_attack_traffic == Some(true), "`filter_attack_traffic` is not applied"),
        (true, malformed_lines_note),
    ]
    .into_iter()
    .filter(|(applies, _)| *applies)
    .map(|(_, note)| note.to_owned())
    .collect()
}
