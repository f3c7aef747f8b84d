//! Sets of values, prepared for lookups.
//!
//! [`Integers`] and [`Addresses`] store sorted ranges, and [`TextSet`] groups its texts by length. [`NamedList`] is a
//! named list, whose items may be of either kind.

mod addresses;
mod named_list;
mod ranges;
mod texts;

pub(crate) use addresses::Addresses;
pub(crate) use named_list::NamedList;
pub(crate) use ranges::Integers;
pub(crate) use texts::TextSet;
