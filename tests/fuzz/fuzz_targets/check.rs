//! Passes any text through check, analyze, complete, render and all fixes.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zonewright_tests::fuzz::check(data));
