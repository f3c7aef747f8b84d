//! Reads any JSON as the body of a request that creates filters or rules.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| zonewright_tests::fuzz::filters_json(data));
