//! Renders log lines as the records and batches of a job.
//!
//! Start with [`Renderer`]. The module [`value`] writes one value, and [`record_template`](crate::record_template)
//! parses templates. Only timestamps are reformatted; numbers are copied verbatim from the line.

mod value;

use crate::line::{LineError, Projection, Slot, find_fields};
use crate::output_options::{SUBREQUESTS_FIELD, fill_output_defaults, output_options};
use crate::record_template::{TemplatePart, parse_template};
use crate::{Dataset, Field, FieldType};
use value::ValueWriter;
use zonewright_api::ValidationError;
use zonewright_api::logpush::{BoolOrString, JobSettings, OutputOptions, OutputType};

/// A renderer of the records and batches of one job.
#[derive(Clone, Debug)]
pub struct Renderer {
    batch_prefix: String,
    batch_suffix: String,
    record_prefix: String,
    record_suffix: String,
    record_delimiter: String,
    layout: RecordLayout,
    /// The fields to read from a line, each once.
    fields: Projection,
    writer: ValueWriter,
    /// Whether `${` is replaced with `x{`.
    replaces_log4j: bool,
}

/// The structure of a record.
#[derive(Clone, Debug)]
enum RecordLayout {
    /// The slot indexes of the columns in order, each with the text before it.
    Fields(Vec<(String, usize)>),
    /// A template.
    Template(Vec<ResolvedPart>),
}

/// A part of a template whose field is resolved to a slot.
#[derive(Clone, Debug)]
enum ResolvedPart {
    Text(String),
    /// The slot index of a field; `None` if the job does not send it.
    Field(Option<usize>),
}

impl Renderer {
    /// Creates the renderer of a job, or returns every error in its output options.
    pub fn new(settings: &JobSettings) -> Result<Renderer, Vec<ValidationError>> {
        let mut options = output_options(settings)?;
        if settings.subrequest_merging == Some(true) {
            options.merge_subrequests = Some(true);
        }
        let dataset = Dataset::from_name(&settings.dataset).unwrap_or(Dataset::http_requests());
        Ok(Renderer::from_options(options, dataset))
    }

    /// Creates the renderer of checked output options.
    fn from_options(options: OutputOptions, dataset: &'static Dataset) -> Renderer {
        let options = fill_output_defaults(options, dataset);
        let is_csv = options.output_type_or_default() == OutputType::Csv;
        let mut fields = Projection::default();
        let columns: Vec<usize> =
            select_columns(&options, dataset).into_iter().map(|field| fields.insert(field)).collect();
        let layout = match &options.record_template {
            Some(template) => {
                let slot_index = |name: &str| fields.fields().iter().position(|field| field.name == name);
                let part = |template_part| match template_part {
                    TemplatePart::Text(text) => ResolvedPart::Text(text),
                    TemplatePart::Field(name) => ResolvedPart::Field(slot_index(&name)),
                };
                RecordLayout::Template(parse_template(template).0.into_iter().map(part).collect())
            }
            None => {
                let delimiter = options.field_delimiter.as_deref().unwrap_or_default();
                let before = |(index, slot_index): (usize, usize)| {
                    let name = fields.fields().get(slot_index).filter(|_| !is_csv);
                    // Field names contain no characters that JSON escapes.
                    let name = name.map_or_else(String::new, |field| format!("\"{}\":", field.name));
                    (format!("{}{name}", if index > 0 { delimiter } else { "" }), slot_index)
                };
                RecordLayout::Fields(columns.into_iter().enumerate().map(before).collect())
            }
        };
        let replaces_log4j = options.cve_2021_44228.as_ref().is_some_and(BoolOrString::is_set);
        let writer = ValueWriter::new(&options);
        Renderer {
            batch_prefix: options.batch_prefix.unwrap_or_default(),
            batch_suffix: options.batch_suffix.unwrap_or_default(),
            record_prefix: options.record_prefix.unwrap_or_default(),
            record_suffix: options.record_suffix.unwrap_or_default(),
            record_delimiter: options.record_delimiter.unwrap_or_default(),
            layout,
            fields,
            writer,
            replaces_log4j,
        }
    }

    /// Appends the record of a line, which is a JSON object. The first record of a batch follows the prefix of the
    /// batch, and every other record follows a delimiter. A field that the line lacks has the zero value of its type
    /// (assumption zero-values). On an error, `batch` is unchanged.
    ///
    /// All records of a batch must go to one buffer. The text that is replaced for CVE-2021-44228 may start in a prefix
    /// or a delimiter and end in the record, so the last byte of `batch` may change.
    pub fn append_record(&self, line: &[u8], is_first: bool, batch: &mut Vec<u8>) -> Result<(), LineError> {
        let values = find_fields(line, &self.fields)?;
        self.append(batch, |out| {
            let separator = if is_first { &self.batch_prefix } else { &self.record_delimiter };
            out.extend_from_slice(separator.as_bytes());
            out.extend_from_slice(self.record_prefix.as_bytes());
            self.write_record(&values, out);
            out.extend_from_slice(self.record_suffix.as_bytes());
        });
        Ok(())
    }

    /// Appends the suffix of a batch that has records. A batch without records stays empty.
    pub fn finish_batch(&self, has_records: bool, batch: &mut Vec<u8>) {
        if has_records {
            self.append(batch, |out| out.extend_from_slice(self.batch_suffix.as_bytes()));
        }
    }

    fn write_record(&self, values: &[Slot<'_>], out: &mut Vec<u8>) {
        let write = |slot_index: usize, out: &mut Vec<u8>| {
            if let (Some(field), Some(value)) = (self.fields.fields().get(slot_index), values.get(slot_index)) {
                self.writer.write(field.ty, value.json, out);
            }
        };
        match &self.layout {
            RecordLayout::Fields(columns) => {
                for (before, slot_index) in columns {
                    out.extend_from_slice(before.as_bytes());
                    write(*slot_index, out);
                }
            }
            RecordLayout::Template(parts) => {
                for part in parts {
                    match part {
                        ResolvedPart::Text(text) => out.extend_from_slice(text.as_bytes()),
                        ResolvedPart::Field(Some(slot_index)) => write(*slot_index, out),
                        ResolvedPart::Field(None) => out.extend_from_slice(b"null"),
                    }
                }
            }
        }
    }

    /// Appends output, and replaces `${` with `x{` if the job requires it.
    fn append(&self, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
        let start = out.len().saturating_sub(1);
        write(out);
        if !self.replaces_log4j {
            return;
        }
        let mut dollar: Option<&mut u8> = None;
        for byte in out.iter_mut().skip(start) {
            match (*byte, dollar.take()) {
                (b'{', Some(before)) => *before = b'x',
                (b'$', _) => dollar = Some(byte),
                _ => {}
            }
        }
    }
}

/// Returns the columns of a job in order; a field may occur twice. If the job does not name the column of subrequests,
/// it is the last one (assumption merged-subrequests).
fn select_columns(options: &OutputOptions, dataset: &'static Dataset) -> Vec<&'static Field> {
    let named: Vec<&'static Field> =
        options.field_names.iter().flatten().filter_map(|name| dataset.field(name)).collect();
    let mut columns = if named.is_empty() { dataset.default_fields().collect() } else { named };
    let subrequests = dataset.field(SUBREQUESTS_FIELD).filter(|_| options.merge_subrequests == Some(true));
    columns.extend(subrequests.filter(|field| !columns.contains(field)));
    columns
}

/// Returns the JSON of a missing value.
fn zero_value(ty: FieldType) -> &'static str {
    match ty {
        FieldType::String => "\"\"",
        FieldType::Int | FieldType::Float | FieldType::Timestamp => "0",
        FieldType::Bool => "false",
        FieldType::Object => "{}",
        FieldType::Strings | FieldType::Ints | FieldType::Objects => "[]",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Renders the lines as one batch, with the number of rejected lines.
    fn render_batch(options: Value, lines: &[&str]) -> (String, usize) {
        let settings = JobSettings {
            dataset: "http_requests".to_owned(),
            output_options: serde_json::from_value(options).unwrap(),
            ..JobSettings::default()
        };
        let renderer = Renderer::new(&settings).unwrap();
        let (mut batch, mut records, mut rejected) = (Vec::new(), 0, 0);
        for line in lines {
            match renderer.append_record(line.as_bytes(), records == 0, &mut batch) {
                Ok(()) => records += 1,
                Err(_) => rejected += 1,
            }
        }
        renderer.finish_batch(records > 0, &mut batch);
        (String::from_utf8(batch).unwrap(), rejected)
    }

    #[test]
    fn replacement_may_start_before_a_record_and_end_in_it() {
        let options = json!({
            "field_names": ["RayID"],
            "batch_prefix": "[$",
            "record_suffix": "}",
            "record_delimiter": "$",
            "batch_suffix": "$",
            "CVE-2021-44228": true,
        });
        let lines = [r#"{"RayID":"a"}"#, "[]", r#"{"RayID":"b"}"#];
        let expected = r#"[x{"RayID":"a"}x{"RayID":"b"}$"#;
        assert_eq!(render_batch(options, &lines), (expected.to_owned(), 1));
    }

    #[test]
    fn batch_without_records_is_empty() {
        let options = json!({"batch_prefix": "[", "batch_suffix": "]"});
        assert_eq!(render_batch(options.clone(), &[]), (String::new(), 0));
        assert_eq!(render_batch(options, &["[]"]), (String::new(), 1));
    }
}
