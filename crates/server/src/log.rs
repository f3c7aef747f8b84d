//! The log on standard error.

use std::fmt;
use std::str::FromStr;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use zonewright_diagnostic::find_similar;

/// The levels that a filter accepts.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// The configuration of the log.
#[derive(Clone, Debug, Default)]
pub struct LogConfig {
    /// Format of the lines.
    pub format: LogFormat,
    /// Filter of the lines.
    pub filter: LogFilter,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable text.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// Levels by module, such as `warn,zonewright_server=info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter(String);

impl Default for LogFilter {
    /// Logs warnings and errors, and one line for each request.
    fn default() -> Self {
        LogFilter("warn,zonewright_server=info".to_owned())
    }
}

impl LogFilter {
    /// Returns a filter for warnings of this project, without those of libraries.
    pub fn warnings() -> LogFilter {
        LogFilter("zonewright_server=warn,zonewright_delivery=warn,zonewright_store=warn".to_owned())
    }
}

impl FromStr for LogFilter {
    type Err = String;

    /// Parses a filter. A word without `=` has to be a level. The library would take any other word as a module name,
    /// and log that module and nothing else.
    fn from_str(text: &str) -> Result<Self, String> {
        let allowed = "expected a level (error, warn, info, debug, trace, off) or levels by module, such as \
                       `warn,zonewright_server=info`";
        let mut words = text.split(',').filter(|word| !word.contains(['=', '[']));
        if let Some(word) = words.find(|word| word.is_empty() || word.parse::<LevelFilter>().is_err()) {
            let suggestion =
                find_similar(word, LEVELS).first().map(|level| format!("did you mean `{level}`? ")).unwrap_or_default();
            return Err(format!("`{word}` is not a level; {suggestion}{allowed}"));
        }
        EnvFilter::try_new(text).map(|_| LogFilter(text.to_owned())).map_err(|error| format!("{error}; {allowed}"))
    }
}

impl fmt::Display for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Starts logging to standard error. Has no effect if the process already has a logger.
pub fn start_log(config: &LogConfig) {
    let filter = EnvFilter::try_new(&config.filter.0).unwrap_or_else(|_| EnvFilter::new("warn"));
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A line that cannot be written, for example because the disk is full, is dropped silently: reporting the error on
    // standard error would panic.
    let subscriber = subscriber.log_internal_errors(false);
    // Fails only if the process already has a logger.
    let _ = match config.format {
        LogFormat::Text => subscriber.try_init(),
        LogFormat::Json => subscriber.json().flatten_event(true).try_init(),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_filter_is_parsed_or_rejected_with_the_format() {
        for right in ["warn", "off", "warn,zonewright_server=debug", "INFO", &LogFilter::default().to_string()] {
            assert_eq!(right.parse::<LogFilter>().unwrap().to_string(), right);
        }
        for wrong in ["zonewright_server=loud", "zonewright_server", "", "warn,,info"] {
            let error = wrong.parse::<LogFilter>().unwrap_err();
            assert!(error.contains("a level (error, warn"), "{error}");
        }
    }
}
