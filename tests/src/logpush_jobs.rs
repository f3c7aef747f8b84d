//! Cases about log push jobs: what is refused, where it goes, what is delivered.

use serde_json::{Value, json};
use zonewright_api::Refusal;
use zonewright_api::logpush::JobSettings;
use zonewright_logpush::{Destination, JobRules, JobScope, NewJob, Renderer, read_job, read_update};

/// What `{"…": …}` of a `job` block is read as.
pub struct Job {
    rules: JobRules,
    /// The job that is changed, for `update`.
    present: Option<JobSettings>,
    body: Value,
}

impl Job {
    /// Reads a block: `scope=account`, `allow=file`, `allow=http` and `update` stand behind its word. The
    /// body of a case need not say where the job goes; an update is of a small job that has a filter.
    pub fn read(options: &str, text: &str) -> Result<Job, String> {
        let mut rules = JobRules::documented(JobScope::Zone);
        let mut present = None;
        for option in options.split_whitespace() {
            match option {
                "scope=account" => rules.scope = JobScope::Account,
                "allow=file" => rules.files = true,
                "allow=http" => rules.plain_http = true,
                "update" => present = Some(small_job()),
                other => return Err(format!("`{other}` is no option of a job")),
            }
        }
        let body = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(Job { rules, present, body })
    }

    /// The job, or every reason to refuse it.
    pub fn judge(&self) -> Result<NewJob, Vec<Refusal>> {
        match &self.present {
            None => read_job(&self.body, &self.rules),
            Some(present) => read_update(&self.body, present, &self.rules),
        }
    }

    /// The `refusals` block: pointer, code and the first line of the message, one a line.
    pub fn refusals(&self) -> Option<String> {
        let refusals = self.judge().err()?;
        Some(refusals.iter().map(refusal).collect::<Vec<_>>().join("\n"))
    }

    /// The `settings` block: what is stored.
    pub fn settings(&self) -> Option<String> {
        let job = self.judge().ok()?;
        serde_json::to_string_pretty(&job.settings).ok()
    }

    /// The `rendered` block: what a batch of these lines is. A line break at the end is not shown, its
    /// absence is, as `∎`; a line that is refused stands behind `‼`.
    pub fn rendered(&self, lines: &str) -> Result<String, String> {
        let mut settings = small_job();
        let mut body = self.body.clone();
        if let Some(members) = body.as_object_mut() {
            members.entry("destination_conf").or_insert(json!(settings.destination_conf));
        }
        let job = Job { rules: self.rules, present: None, body }.judge();
        settings = job.map_err(|refusals| refusals.iter().map(refusal).collect::<Vec<_>>().join("\n"))?.settings;
        let renderer = Renderer::new(&settings).map_err(|_| "the renderer refuses what the job allows")?;
        let (mut batch, mut problems, mut is_first) = (Vec::new(), String::new(), true);
        renderer.open(&mut batch);
        for line in lines.lines() {
            let length = batch.len();
            if !is_first {
                renderer.between(&mut batch);
            }
            match renderer.record(line.as_bytes(), &mut batch) {
                Ok(()) => is_first = false,
                Err(problem) => {
                    batch.truncate(length);
                    problems.push_str(&format!("\n‼ {problem}"));
                }
            }
        }
        renderer.close(&mut batch);
        let text = String::from_utf8(batch).map_err(|error| error.to_string())?;
        let shown = text.strip_suffix('\n').map_or_else(|| format!("{text}∎"), str::to_owned);
        Ok(shown + &problems)
    }
}

fn refusal(refusal: &Refusal) -> String {
    let first = refusal.message.lines().next().unwrap_or_default();
    let pointer = if refusal.pointer.is_empty() { "(root)" } else { &refusal.pointer };
    format!("{pointer} {} {first}", refusal.code)
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

/// A line of a `destinations` block: what an address is read as, or why it is refused.
pub fn destination(address: &str) -> String {
    // 2024-02-17 23:52:01 UTC, and a minute later.
    const START: i64 = 1_708_213_921;
    match Destination::read(address) {
        Err(refusals) => {
            let messages: Vec<String> = refusals.into_iter().map(|refusal| refusal.message).collect();
            format!("refused: {}", messages.join(" · "))
        }
        Ok(destination) => {
            let challenge = if destination.needs_challenge() { "challenge, " } else { "" };
            let key = destination.key(START, START + 60, "0123abcd");
            format!("{} ({challenge}{key})", destination.redacted())
        }
    }
}
