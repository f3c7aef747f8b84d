//! Passes any text through the functions for log push filters: check, analyze, complete, hover, format, and fixes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zonewright_tests::fuzz_filter::filter(data));
