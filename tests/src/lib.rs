//! Helpers that the tests of the workspace share.
