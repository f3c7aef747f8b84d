use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use zonewright_logpush::{Dataset, MissingPolicy, Options, check};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns the numbers of accepted and rejected lines, the line numbers of the rejected lines, and the frames, for a
/// body that arrives in chunks of `chunk_bytes`.
fn decode(body: &[u8], is_gzip: bool, chunk_bytes: usize) -> Result<(u64, u64, Vec<u64>, Vec<u8>), DecodeError> {
    let mut decoder = BodyDecoder::new(is_gzip, 16 << 20);
    let mut frames = Vec::new();
    for chunk in body.chunks(chunk_bytes) {
        let flush_frame = |lines: &mut LineSplitter| {
            frames.extend(std::mem::take(&mut lines.frame).finish(0));
            Ok(())
        };
        decoder.push(chunk, flush_frame).unwrap()?;
    }
    decoder.end()?;
    let lines = decoder.lines();
    let numbers = lines.problems.iter().map(|problem| problem.line).collect();
    frames.extend(std::mem::take(&mut lines.frame).finish(0));
    Ok((lines.accepted, lines.rejected, numbers, frames))
}

#[test]
fn rejected_line_has_the_reason() {
    for (line, reason) in [
        (&gzip(b"{}")[..], RejectionReason::Gzip),
        (b"{\"a\":\"\xff\"}", RejectionReason::InvalidUtf8(6)),
        (b"7", RejectionReason::NotAnObject),
    ] {
        assert_eq!(find_rejection_reason(line), Some(reason));
    }
}

#[test]
fn body_in_chunks_of_any_size_accepts_objects_and_rejects_other_lines() {
    let body = b"{\"a\":1}\n\n[1]\n {\"b\":2} \r\nx\n{\"c\":\n{\"\xff\":1}\n{}";
    for chunk in [1, 2, 3, 7, 1000] {
        for (body, is_gzip) in [(body.to_vec(), false), (gzip(body), true), ([gzip(body), gzip(b"")].concat(), true)] {
            let (accepted, rejected, numbers, frames) = decode(&body, is_gzip, chunk).unwrap();
            assert_eq!((accepted, rejected, numbers), (3, 4, vec![3, 5, 6, 7]), "{chunk} {is_gzip}");
            assert_eq!(frames.get(20..), Some(&b"{\"a\":1}\n{\"b\":2}\n{}\n"[..]));
        }
    }
    assert_eq!(decode(b"", false, 1).unwrap().0, 0);
    assert_eq!(decode(b"", true, 1).unwrap().0, 0);
}

#[test]
fn long_and_deep_lines_are_rejected() {
    let long = format!("{{\"a\":\"{}\"}}\n{{}}\n", "x".repeat(MAX_LINE_BYTES));
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    assert_eq!(decode(long.as_bytes(), false, 4000).unwrap().2, [1]);
    assert_eq!(decode(deep.as_bytes(), false, 4000).unwrap().1, 1);
}

#[test]
fn accepted_lines_are_exactly_those_that_a_filter_can_read() {
    let filter = r#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#;
    let program = check(filter, &Options { dataset: Dataset::http_requests(), ..Options::default() }).program;
    let program = program.unwrap();
    let nested = |depth: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    let lines = [
        r#"{}"#,
        r#"{"a":"\ud83d\ude00"}"#,
        r#"{"a":"\uD83D"}"#,
        r#"{"a":"\ude00"}"#,
        r#"{"\uD800":1}"#,
        r#"{"a":"\ud83dx"}"#,
        r#"{"a":"\\ud83d"}"#,
        r#"{"a":{"b":["\udfff"]}}"#,
        r#"{"a":1e999}"#,
        r#"{"a":-0}"#,
        r#"{"a":01}"#,
        r#"{"a":NaN}"#,
        r#"{"a":1.}"#,
        r#"{"a":123456789012345678901234567890}"#,
        r#"{"a":1,"a":2}"#,
        "{\"a\":\"\u{1}\"}",
        r#"{"a":"\u0000"}"#,
        r#"{"a":"\/"}"#,
        r#"{"a":"\x"}"#,
        r#"{"a":1}}"#,
        r#"{"a":1,}"#,
        r#"{"a"}"#,
        r#"{a:1}"#,
        r#"{'a':1}"#,
        "\u{feff}{}",
        "{}\u{a0}",
        r#"{"a":tru}"#,
        r#"{"a":"\u12"}"#,
        r#"{"":{}}"#,
        r#"{"a":1e}"#,
        r#"{"a":+1}"#,
        r#"{"a":1E+5}"#,
        r#"{"a": "\uD83D\u0041"}"#,
        r#"{"ClientCountry":null}"#,
    ];
    let lines = lines.iter().map(ToString::to_string).chain([nested(126), nested(127)]);
    for line in lines {
        let outcome = program.evaluate(line.as_bytes(), MissingPolicy::Absent);
        assert_eq!(find_rejection_reason(line.as_bytes()).is_none(), outcome.is_ok(), "{line}: {outcome:?}");
    }
}

#[test]
fn high_compression_ratio_large_size_and_invalid_gzip_stop_the_body() {
    let bomb = gzip(&vec![b'\n'; 20 << 20]);
    assert_eq!(decode(&bomb, true, 65536).err(), Some(DecodeError::CompressionRatio));
    let bomb = gzip(&vec![b' '; 20 << 20]);
    assert_eq!(decode(&bomb, true, 65536).err(), Some(DecodeError::CompressionRatio));
    let large = "{\"a\":1}\n".repeat(3 << 20);
    assert_eq!(decode(large.as_bytes(), false, 65536).err(), Some(DecodeError::TooLarge(16 << 20)));
    let mut cut = gzip(&br#"{"a":1}"#.repeat(100));
    cut.truncate(cut.len() - 9);
    for invalid in [b"not valid gzip".to_vec(), cut] {
        assert!(matches!(decode(&invalid, true, 5), Err(DecodeError::InvalidGzip(_))));
    }
}

#[test]
fn highly_compressed_body_is_flushed_in_bounded_frames() {
    use sha2::{Digest, Sha256};
    // Lines without repetition permit a chunk that expands to several MiB.
    let mut lines: String =
        (0..3000_u64).map(|number| format!("{{\"a\":\"{:?}\"}}\n", Sha256::digest(number.to_le_bytes()))).collect();
    lines.push_str(&"{\"a\":1}\n".repeat(12 << 17));
    let mut decoder = BodyDecoder::new(true, 16 << 20);
    let mut largest_frame_bytes = 0;
    let flush_frame = |lines: &mut LineSplitter| {
        largest_frame_bytes = largest_frame_bytes.max(lines.frame.len());
        lines.frame = FrameBuilder::default();
        Ok(())
    };
    decoder.push(&gzip(lines.as_bytes()), flush_frame).unwrap().unwrap();
    decoder.end().unwrap();
    assert!(largest_frame_bytes >= FRAME_FLUSH_BYTES);
    assert!(largest_frame_bytes < FRAME_FLUSH_BYTES + (64 << 10), "{largest_frame_bytes}");
    assert_eq!(decoder.lines().accepted, 3000 + (12 << 17));
}
