//! Sets of values, prepared for search.
//!
//! [`Integers`] and [`Addresses`] are sorted ranges, [`TextSet`] are grouped by length, and [`NamedList`] is a named
//! list of any of them.

mod addresses;
mod named_list;
mod ranges;
mod texts;

pub(crate) use addresses::Addresses;
pub(crate) use named_list::NamedList;
pub(crate) use ranges::Integers;
pub(crate) use texts::TextSet;
