//! What is counted of log push.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// What became of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct State {
    state: &'static str,
}

/// Counters of log push. Clones count the same.
#[derive(Clone, Default)]
pub struct Counts {
    /// Lines.
    pub lines: Family<State, Counter>,
    /// Attempts to deliver a batch, and jobs that were disabled because no attempt went well.
    pub deliveries: Family<State, Counter>,
}

impl Counts {
    /// Lines that came in, by whether they were taken.
    pub fn came_in(&self, accepted: u64, rejected: u64) {
        self.count_lines("accepted", accepted);
        self.count_lines("rejected", rejected);
    }

    /// A batch that its destination took, with so many lines.
    pub fn delivered(&self, lines: u64) {
        self.count_lines("delivered", lines);
        self.deliveries.get_or_create(&State { state: "delivered" }).inc();
    }

    /// A batch that could not be delivered, and will be tried again unless the job was given up.
    pub fn failed(&self, given_up: bool) {
        let state = if given_up { "given_up" } else { "failed" };
        self.deliveries.get_or_create(&State { state }).inc();
    }

    /// Lines that a job could not read.
    pub fn left_out(&self, lines: u64) {
        self.count_lines("left_out", lines);
    }

    fn count_lines(&self, state: &'static str, lines: u64) {
        if lines > 0 {
            self.lines.get_or_create(&State { state }).inc_by(lines);
        }
    }
}
