//! Rebases a form on the job that was saved, so that input newer than the request is not lost.

use super::JobForm;

impl JobForm {
    /// Returns whether the immutable members are equal.
    pub(crate) fn is_same_stream(&self, other: &JobForm) -> bool {
        self.scope == other.scope && self.dataset == other.dataset && self.kind == other.kind
    }

    /// Replaces each member that has not changed since it was sent by its saved value.
    pub(crate) fn rebase(&mut self, sent: &JobForm, saved: JobForm) {
        fn take<T: PartialEq>(current: &mut T, sent: &T, saved: T) {
            if current == sent {
                *current = saved;
            }
        }
        // Without `..`, so that a new member does not compile until it is merged.
        let JobForm {
            scope: _,
            dataset: _,
            kind: _,
            name,
            enabled,
            destination,
            ownership_challenge,
            output,
            legacy_output,
            batch_limits,
            frequency,
            exclude_attack_traffic,
            subrequest_merging,
            transformer,
        } = saved;
        take(&mut self.name, &sent.name, name);
        take(&mut self.enabled, &sent.enabled, enabled);
        take(&mut self.destination, &sent.destination, destination);
        take(&mut self.ownership_challenge, &sent.ownership_challenge, ownership_challenge);
        take(&mut self.output, &sent.output, output);
        for ((current, sent), saved) in self.batch_limits.iter_mut().zip(&sent.batch_limits).zip(batch_limits) {
            take(current, sent, saved);
        }
        take(&mut self.frequency, &sent.frequency, frequency);
        take(&mut self.exclude_attack_traffic, &sent.exclude_attack_traffic, exclude_attack_traffic);
        take(&mut self.subrequest_merging, &sent.subrequest_merging, subrequest_merging);
        take(&mut self.transformer, &sent.transformer, transformer);
        // Only the button that removes the legacy options changes this member.
        take(&mut self.legacy_output, &sent.legacy_output, legacy_output);
    }
}
