//! The parts of a form: fields, the submission of an object, and its outcome.
//!
//! A form implements [`Form`]. Its page owns a [`Submission`], which validates and sends the input and retains the
//! outcome. Each error of the validation or of the service names a member of the object by a JSON pointer. A field
//! shows the errors of its pointer with [`Submission::error_at`]. [`SubmitRow`] moves the focus to the first invalid
//! field.

mod actions;
mod errors;
mod field;
mod notice;
mod submission;

pub(crate) use actions::SubmitRow;
pub(crate) use errors::{errors_at, is_at, member_name};
pub(crate) use field::{Checkbox, Field, FieldError, FieldGroup, SelectField, SelectOption, TextField};
pub(crate) use notice::SubmissionNotice;
pub(crate) use submission::{Form, Submission, SubmissionOutcome, WriteMessages};
