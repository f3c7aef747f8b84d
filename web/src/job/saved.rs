//! Takes a saved job into a form in which the user may have written on since it was sent.

use super::{JobDraft, JobForm, pretty};
use leptos::prelude::*;
use zonewright_api::logpush::Job;

/// A job as the form held it when it was sent.
#[derive(Clone, PartialEq)]
pub(crate) struct JobInput {
    /// Number of the job that is edited; `None` for a new one.
    pub(crate) id: Option<u64>,
    form: JobForm,
    filter: String,
}

impl JobDraft {
    /// The job as the form holds it.
    pub(crate) fn input(self) -> JobInput {
        JobInput {
            id: self.present.read_untracked().as_ref().map(|job| job.id),
            form: self.form.get_untracked(),
            filter: self.filter.get_untracked(),
        }
    }

    /// Takes a job that was saved as it was sent, and says whether the form was emptied. A form with newer input stays
    /// open, as one that changes the saved job. `is_same_form` says that the form was shown all the time: only then newer
    /// input in the form of a new job belongs to the job that was created.
    pub(crate) fn take_saved(self, sent: &JobInput, saved: &Job, is_same_form: bool) -> bool {
        let now = self.input();
        if sent.id.is_none() {
            let is_sent = |begun: &(JobForm, String)| begun.0 == sent.form && begun.1 == sent.filter;
            self.begun.update(|begun| *begun = begun.take().filter(|begun| !is_sent(begun)));
        }
        if now.id != sent.id {
            return false;
        }
        // While the filter is edited on the page of log filters, the newer input is there.
        if now == *sent && self.carried.read_untracked().is_none() {
            // The list shows where the job went.
            self.scope.set(now.form.scope);
            self.clear();
            return true;
        }
        if sent.id.is_some() || is_same_form && now.form.is_same_stream(&sent.form) {
            let form = JobForm::of(&saved.settings, now.form.scope);
            self.form.update(|one| one.rebase(&sent.form, form));
            if now.filter == sent.filter {
                self.filter.set(saved.settings.filter.as_deref().map(pretty).unwrap_or_default());
            }
            self.accepted.set(None);
            self.present.set(Some(saved.clone()));
        }
        false
    }
}

impl JobForm {
    /// Whether the members that never change are the same.
    fn is_same_stream(&self, other: &JobForm) -> bool {
        self.scope == other.scope && self.dataset == other.dataset && self.kind == other.kind
    }

    /// Takes the saved value of each member that has not changed since it was sent.
    fn rebase(&mut self, sent: &JobForm, saved: JobForm) {
        fn take<T: PartialEq>(mine: &mut T, sent: &T, saved: T) {
            if mine == sent {
                *mine = saved;
            }
        }
        let JobForm { name, enabled, address, challenge, output, older, bounds, .. } = saved;
        take(&mut self.name, &sent.name, name);
        take(&mut self.enabled, &sent.enabled, enabled);
        take(&mut self.address, &sent.address, address);
        take(&mut self.challenge, &sent.challenge, challenge);
        take(&mut self.output, &sent.output, output);
        for ((mine, sent), saved) in self.bounds.iter_mut().zip(&sent.bounds).zip(bounds) {
            take(mine, sent, saved);
        }
        take(&mut self.frequency, &sent.frequency, saved.frequency);
        take(&mut self.without_attacks, &sent.without_attacks, saved.without_attacks);
        take(&mut self.merges, &sent.merges, saved.merges);
        take(&mut self.transformer, &sent.transformer, saved.transformer);
        // No control of the form changes it, but for the button that gives it up.
        take(&mut self.older, &sent.older, older);
    }
}
