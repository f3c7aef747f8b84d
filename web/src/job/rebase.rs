//! Rebases a form on the job that was saved, so that input newer than the request is not lost.

use super::JobForm;

impl JobForm {
    /// Returns whether the immutable members are equal: owner, dataset and kind.
    pub(crate) fn is_same_stream(&self, other: &JobForm) -> bool {
        self.scope == other.scope && self.dataset == other.dataset && self.kind == other.kind
    }

    /// Replaces each mutable member with its saved value, unless the member has changed since it was sent.
    pub(crate) fn rebase(&mut self, sent: &JobForm, saved: JobForm) {
        fn replace_unchanged<T: PartialEq>(current: &mut T, sent: &T, saved: T) {
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
        replace_unchanged(&mut self.name, &sent.name, name);
        replace_unchanged(&mut self.enabled, &sent.enabled, enabled);
        replace_unchanged(&mut self.destination, &sent.destination, destination);
        replace_unchanged(&mut self.ownership_challenge, &sent.ownership_challenge, ownership_challenge);
        replace_unchanged(&mut self.output, &sent.output, output);
        for ((current, sent), saved) in self.batch_limits.iter_mut().zip(&sent.batch_limits).zip(batch_limits) {
            replace_unchanged(current, sent, saved);
        }
        replace_unchanged(&mut self.frequency, &sent.frequency, frequency);
        replace_unchanged(&mut self.exclude_attack_traffic, &sent.exclude_attack_traffic, exclude_attack_traffic);
        replace_unchanged(&mut self.subrequest_merging, &sent.subrequest_merging, subrequest_merging);
        replace_unchanged(&mut self.transformer, &sent.transformer, transformer);
        // Only the button that removes the legacy options changes this member.
        replace_unchanged(&mut self.legacy_output, &sent.legacy_output, legacy_output);
    }
}
