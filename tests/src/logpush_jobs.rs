//! Cases about log push jobs: validation, destinations and rendered batches.

use serde_json::{Value, json};
use zonewright_api::ValidationError;
use zonewright_api::logpush::JobSettings;
use zonewright_logpush::{Destination, JobRequest, JobRules, JobScope, Renderer, read_job, read_update};

/// A `job` block: the body and the context in which it is validated.
pub struct JobCase {
    rules: JobRules,
    /// The existing job, for `update`.
    existing: Option<JobSettings>,
    body: Value,
}

impl JobCase {
    /// Reads a block with the options `scope=account`, `allow=file`, `allow=http` and `update`. A case may omit the
    /// destination; an update changes a small job with a filter.
    pub fn read(options: &str, text: &str) -> Result<JobCase, String> {
        let mut rules = JobRules::documented(JobScope::Zone);
        let mut existing = None;
        for option in options.split_whitespace() {
            match option {
                "scope=account" => rules.scope = JobScope::Account,
                "allow=file" => rules.files = true,
                "allow=http" => rules.plain_http = true,
                "update" => existing = Some(small_job()),
                other => return Err(format!("`{other}` is not an option of a job")),
            }
        }
        let body = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(JobCase { rules, existing, body })
    }

    /// Validates the body: the job, or every validation error.
    pub fn validate(&self) -> Result<JobRequest, Vec<ValidationError>> {
        match &self.existing {
            None => read_job(&self.body, &self.rules),
            Some(existing) => read_update(&self.body, existing, &self.rules),
        }
    }

    /// The `errors` block: pointer, code and first line of the message, one error per line.
    pub fn errors(&self) -> Option<String> {
        let errors = self.validate().err()?;
        Some(errors.iter().map(format_error).collect::<Vec<_>>().join("\n"))
    }

    /// The `settings` block: the stored settings.
    pub fn settings(&self) -> Option<String> {
        let job = self.validate().ok()?;
        serde_json::to_string_pretty(&job.settings).ok()
    }

    /// The `rendered` block: a batch of these lines. A final line break is not shown; `∎` marks its absence. `‼`
    /// marks a rejected line.
    pub fn rendered(&self, lines: &str) -> Result<String, String> {
        let mut settings = small_job();
        let mut body = self.body.clone();
        if let Some(members) = body.as_object_mut() {
            members.entry("destination_conf").or_insert(json!(settings.destination_conf));
        }
        let job = JobCase { rules: self.rules, existing: None, body }.validate();
        settings = job.map_err(|errors| errors.iter().map(format_error).collect::<Vec<_>>().join("\n"))?.settings;
        let renderer = Renderer::new(&settings).map_err(|_| "the renderer rejects a valid job")?;
        let (mut batch, mut rejections, mut records) = (Vec::new(), String::new(), 0);
        for line in lines.lines() {
            match renderer.append_record(line.as_bytes(), records == 0, &mut batch) {
                Ok(()) => records += 1,
                Err(problem) => rejections.push_str(&format!("\n‼ {problem}")),
            }
        }
        renderer.finish_batch(records > 0, &mut batch);
        let text = String::from_utf8(batch).map_err(|error| error.to_string())?;
        let actual = text.strip_suffix('\n').map_or_else(|| format!("{text}∎"), str::to_owned);
        Ok(actual + &rejections)
    }
}

fn format_error(error: &ValidationError) -> String {
    let first = error.message.lines().next().unwrap_or_default();
    let pointer = if error.pointer.is_empty() { "(root)" } else { &error.pointer };
    format!("{pointer} {} {first}", error.code)
}

fn small_job() -> JobSettings {
    JobSettings {
        dataset: "http_requests".to_owned(),
        name: Some("small".to_owned()),
        enabled: true,
        destination_conf: "s3://bucket/logs?region=us-west-2".to_owned(),
        filter: Some(r#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#.to_owned()),
        frequency: Some("high".to_owned()),
        max_upload_records: 1_000,
        ..JobSettings::default()
    }
}

/// One line of a `destinations` block: the parsed destination, or why it is invalid.
pub fn destination(address: &str) -> String {
    // 2024-02-17 23:52:01 UTC; the batch ends a minute later.
    const START: i64 = 1_708_213_921;
    match Destination::parse(address) {
        Err(errors) => {
            let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
            format!("rejected: {}", messages.join(" · "))
        }
        Ok(destination) => {
            let challenge = if destination.requires_ownership_challenge() { "challenge, " } else { "" };
            let key = destination.object_key(START, START + 60, "0123abcd");
            format!("{} ({challenge}{key})", destination.redacted())
        }
    }
}
