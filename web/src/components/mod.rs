//! The parts pages are made of: few, and the same everywhere.

pub(crate) mod code_page;
pub(crate) mod code_view;
pub(crate) mod dialog;
pub(crate) mod editor;
mod editor_help;
pub(crate) mod failure;
pub(crate) mod field;
pub(crate) mod header;
pub(crate) mod icon;
pub(crate) mod link_state;
pub(crate) mod live;
pub(crate) mod local_time;
pub(crate) mod menu;
pub(crate) mod meter;
pub(crate) mod page_text;
pub(crate) mod palette;
pub(crate) mod palette_button;
pub(crate) mod problem;
pub(crate) mod problems;
pub(crate) mod scope_select;
pub(crate) mod segments;
pub(crate) mod sentences;
pub(crate) mod split_pane;
pub(crate) mod status_row;
pub(crate) mod tabs;
pub(crate) mod theme_switch;
pub(crate) mod toast;
