//! Diagnostics: spans, messages, help and fixes.
//!
//! All engines report problems as [`Diagnostic`] values. Offsets are bytes of the source. [`utf16`] converts them to
//! the offsets of JavaScript, [`draw()`] renders a diagnostic under its source line, and [`similar`] finds the name
//! that the author probably meant.
//!
//! Read in this order: [`span`], [`fix`], [`diagnostic`], [`apply`], [`mod@draw`], [`problems`], [`similar`], [`utf16`].

mod apply;
mod diagnostic;
mod draw;
mod fix;
mod positions;
mod problems;
mod similar;
mod span;
mod utf16;

pub use apply::{Fixed, apply_fix, apply_safe_fixes, fix_all};
pub use diagnostic::{Diagnostic, Related, Severity};
pub use draw::{Style, disturbs_terminals, draw, draw_all, printable};
pub use fix::{Edit, Fix, Safety};
pub use positions::Positions;
pub use problems::{MAX_LISTED, Problems};
pub use similar::similar;
pub use span::{Position, Span, position};
pub use utf16::Utf16Offsets;
