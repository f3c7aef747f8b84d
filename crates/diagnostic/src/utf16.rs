//! Converts between byte offsets and UTF-16 offsets, which JavaScript uses.

/// Converts between the byte offsets and the UTF-16 offsets of one source.
///
/// Construction takes linear time. A conversion is a binary search over the non-ASCII characters, so it takes constant
/// time for an ASCII source.
pub struct Utf16Offsets {
    /// For each non-ASCII character, the byte offset and the UTF-16 offset after it.
    non_ascii_ends: Vec<(usize, usize)>,
    len_bytes: usize,
}

impl Utf16Offsets {
    /// Indexes the non-ASCII characters of `source`.
    pub fn new(source: &str) -> Self {
        let mut non_ascii_ends = Vec::new();
        let mut shift = 0;
        for (offset, character) in source.char_indices().filter(|(_, c)| !c.is_ascii()) {
            let end = offset + character.len_utf8();
            shift += character.len_utf8() - character.len_utf16();
            non_ascii_ends.push((end, end - shift));
        }
        Utf16Offsets { non_ascii_ends, len_bytes: source.len() }
    }

    /// Returns the UTF-16 offset of a byte offset on a character boundary; an offset past the end counts as the end.
    pub fn byte_to_utf16(&self, byte: usize) -> usize {
        let byte = byte.min(self.len_bytes);
        let count = self.non_ascii_ends.partition_point(|(end, _)| *end <= byte);
        match count.checked_sub(1).and_then(|index| self.non_ascii_ends.get(index)) {
            Some((end, utf16)) => utf16 + (byte - end),
            None => byte,
        }
    }

    /// Returns the byte offset of a UTF-16 offset; an offset past the end counts as the end. For an offset between two
    /// surrogates, the result is inside the character.
    pub fn utf16_to_byte(&self, utf16: usize) -> usize {
        let count = self.non_ascii_ends.partition_point(|(_, end)| *end <= utf16);
        let byte = match count.checked_sub(1).and_then(|index| self.non_ascii_ends.get(index)) {
            Some((byte, end)) => byte + (utf16 - end),
            None => utf16,
        };
        byte.min(self.len_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_offsets_equal_those_of_the_standard_library() {
        for source in ["", "plain", "é", "a😀b", "😀😀", "日本語 ssl é"] {
            let offsets = Utf16Offsets::new(source);
            let boundaries = source.char_indices().map(|(offset, _)| offset).chain([source.len()]);
            for byte in boundaries {
                let expected = source.get(..byte).unwrap().encode_utf16().count();
                assert_eq!(offsets.byte_to_utf16(byte), expected, "{source:?} at {byte}");
                assert_eq!(offsets.utf16_to_byte(expected), byte, "{source:?} back from {expected}");
            }
        }
    }
}
