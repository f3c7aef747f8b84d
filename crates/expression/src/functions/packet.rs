//! Functions on packets.

use super::Arguments;
use crate::Value;

/// The maximum number of bits in a slice (documented).
const MAX_SLICE_BITS: i64 = 32;

/// Returns a half-open range of bits as an integer; bit 0 is the most significant bit of the first byte. Returns `None`
/// if the packet is too short, or if the range is too long or reversed (assumption function-edges).
pub(super) fn bit_slice(arguments: Arguments<'_>) -> Option<Value> {
    let packet = arguments.text(0)?;
    let (start, end) = (arguments.integer(1)?, arguments.integer(2)?);
    if start < 0 || !(0..=MAX_SLICE_BITS).contains(&end.checked_sub(start)?) {
        return None;
    }
    let mut number = 0;
    for position in start..end {
        let byte = packet.get(usize::try_from(position / 8).ok()?)?;
        let bit = byte >> (7 - position % 8) & 1;
        number = number << 1 | i64::from(bit);
    }
    Some(Value::Integer(number))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, integer, text};

    #[test]
    fn bit_slice_reads_at_most_32_bits_within_packet() {
        let packet = || text(b"\x45\x00\xff\xff\xff\xff\x80");
        assert_results(
            "bit_slice",
            [
                (vec![packet(), integer(0), integer(4)], integer(4)),
                (vec![packet(), integer(4), integer(8)], integer(5)),
                (vec![packet(), integer(0), integer(16)], integer(0x4500)),
                (vec![packet(), integer(16), integer(48)], integer(0xffff_ffff)),
                (vec![packet(), integer(12), integer(20)], integer(0x0f)),
                (vec![packet(), integer(48), integer(49)], integer(1)),
                (vec![packet(), integer(8), integer(8)], integer(0)),
                (vec![packet(), integer(15), integer(48)], MISSING),
                (vec![packet(), integer(8), integer(0)], MISSING),
                (vec![packet(), integer(48), integer(57)], MISSING),
                (vec![packet(), integer(2040), integer(2041)], MISSING),
                (vec![text(""), integer(0), integer(1)], MISSING),
                (vec![MISSING, integer(0), integer(1)], MISSING),
            ],
        );
    }
}
