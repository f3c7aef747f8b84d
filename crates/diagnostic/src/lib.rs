//! Diagnostics: spans, messages, help and fixes.
//!
//! All engines report problems as [`Diagnostic`] values. Offsets are bytes of the source. [`utf16`] converts them to
//! the offsets of JavaScript, [`render()`] renders a diagnostic under its source line, and [`similar`] finds the name
//! that the author probably meant.
//!
//! The modules in reading order:
//!
//! - [`span`]: spans and positions in a source.
//! - [`fix`]: edits that belong together.
//! - [`diagnostic`]: a problem with its span, help and fixes.
//! - [`apply`]: applies fixes to a source.
//! - [`mod@render`]: renders diagnostics under their source lines.
//! - [`problems`]: a bounded collection of diagnostics.
//! - [`number`]: numbers for messages.
//! - [`positions`]: many offsets as lines and columns.
//! - [`utf16`]: byte offsets and UTF-16 offsets.
//! - [`similar`]: names that are similar to an unknown one.
//! - [`sort`]: sorts that share one compiled copy.

mod apply;
mod diagnostic;
mod fix;
mod number;
mod positions;
mod problems;
mod render;
mod similar;
mod sort;
mod span;
mod utf16;

pub use apply::{FixedText, apply_fix, apply_safe_fixes, fix_all};
pub use diagnostic::{Diagnostic, RelatedInformation, Severity};
pub use fix::{Applicability, Edit, Fix};
pub use number::{group_digits, pluralize};
pub use positions::Positions;
pub use problems::{MAX_LISTED_DIAGNOSTICS, Problems};
pub use render::{RenderStyle, is_unsafe_for_terminal, make_printable, render, render_all};
pub use similar::find_similar;
pub use sort::{sort_by, sort_by_key};
pub use span::{Position, Span, position_at};
pub use utf16::Utf16Offsets;
