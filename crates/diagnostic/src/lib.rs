//! Diagnostics: spans, messages, help and fixes.
//!
//! All engines report problems as [`Diagnostic`] values. Offsets are bytes of the source. [`utf16`] converts them to
//! the offsets of JavaScript, [`draw()`] renders a diagnostic under its source line, and [`similar`] finds the name
//! that the author probably meant.
//!
//! Read in this order: [`span`], [`fix`], [`diagnostic`], [`apply`], [`mod@render`], [`problems`], [`similar`],
//! [`utf16`].

mod apply;
mod diagnostic;
mod fix;
mod positions;
mod problems;
mod render;
mod similar;
mod span;
mod utf16;

pub use apply::{Fixed, apply_fix, apply_safe_fixes, fix_all};
pub use diagnostic::{Diagnostic, Related, Severity};
pub use fix::{Applicability, Edit, Fix};
pub use positions::Positions;
pub use problems::{MAX_LISTED_DIAGNOSTICS, Problems};
pub use render::{RenderStyle, draw, draw_all, is_unsafe_for_terminal, printable};
pub use similar::find_similar;
pub use span::{Position, Span, position_at};
pub use utf16::Utf16Offsets;
