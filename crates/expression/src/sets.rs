//! Sets of values, prepared for lookups.
//!
//! [`Integers`] is a bitmap or sorted ranges, [`Addresses`] has sorted ranges for each address family, [`TextSet`]
//! groups texts by length, and [`NamedList`] is a named list of addresses, integers and hostnames.

mod addresses;
mod named_list;
mod ranges;
mod texts;

pub(crate) use addresses::Addresses;
pub(crate) use named_list::NamedList;
pub(crate) use ranges::Integers;
pub(crate) use texts::TextSet;
