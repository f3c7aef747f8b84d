//! Any text as a filter of log push: check, analyze, complete, hover, layout and all fixes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zonewright_tests::fuzz_filter::filter(data));
