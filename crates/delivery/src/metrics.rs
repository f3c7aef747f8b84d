//! Metrics of log push.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// The label with the outcome of lines or of a delivery.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct StateLabel {
    state: &'static str,
}

/// The counters of log push. Clones share the counters.
#[derive(Clone, Default)]
pub struct DeliveryMetrics {
    /// The number of lines by state.
    pub lines: Family<StateLabel, Counter>,
    /// The number of attempts to deliver a batch, by state. An attempt after which the job was disabled is `given_up`.
    pub deliveries: Family<StateLabel, Counter>,
}

impl DeliveryMetrics {
    /// Counts lines of a body as accepted or rejected.
    pub fn record_ingested(&self, accepted: u64, rejected: u64) {
        self.count_lines("accepted", accepted);
        self.count_lines("rejected", rejected);
    }

    /// Counts a delivered batch and its lines.
    pub fn record_delivered(&self, lines: u64) {
        self.count_lines("delivered", lines);
        self.deliveries.get_or_create(&StateLabel { state: "delivered" }).inc();
    }

    /// Counts a failed delivery. `given_up` is true if the failure disables the job; other failures are retried.
    pub fn record_failed(&self, given_up: bool) {
        let state = if given_up { "given_up" } else { "failed" };
        self.deliveries.get_or_create(&StateLabel { state }).inc();
    }

    /// Counts lines that a job skipped because it could not read them.
    pub fn record_skipped(&self, lines: u64) {
        self.count_lines("skipped", lines);
    }

    fn count_lines(&self, state: &'static str, lines: u64) {
        if lines > 0 {
            self.lines.get_or_create(&StateLabel { state }).inc_by(lines);
        }
    }
}
