//! Any text through check, analyze, complete, draw and all fixes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zonewright_tests::fuzz::check(data));
