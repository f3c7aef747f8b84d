//! Deterministic pseudorandom values, derived from a seed or from the arguments. Equal requests give equal results.

use super::Arguments;
use crate::Value;
use sha2::{Digest, Sha256};

/// The size of the field `cf.random_seed`, in bytes (observed).
const SEED_BYTES: usize = 16;

/// Derives the value of `cf.random_seed` from the seed of a record.
pub(crate) fn seed_bytes(seed: u64) -> [u8; SEED_BYTES] {
    let mut hasher = Sha256::new();
    hasher.update(seed.to_be_bytes());
    digest_prefix(&hasher.finalize())
}

/// Formats the first 16 random bytes as a UUID; returns `None` if there are fewer (assumption function-edges).
pub(super) fn uuidv4(arguments: Arguments<'_>) -> Option<Value> {
    let random: [u8; 16] = *arguments.text(0)?.first_chunk()?;
    // Version 4 and variant 1 (RFC 9562).
    let bits = u128::from_be_bytes(random) & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let group = |shift: u32, mask: u128| bits >> shift & mask;
    let uuid = format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        group(96, 0xffff_ffff),
        group(80, 0xffff),
        group(64, 0xffff),
        group(48, 0xffff),
        group(0, 0xffff_ffff_ffff)
    );
    Some(Value::Text(uuid.into_bytes()))
}

/// Hashes the values to an integer in the half-open range from `start` to `end`.
///
/// The real hash is not public: results differ from those of the service, but have the same distribution (assumption
/// function-edges).
pub(super) fn hash_in_range(arguments: Arguments<'_>) -> Option<Value> {
    let (start, end) = (arguments.integer(0)?, arguments.integer(1)?);
    let size = i128::from(end) - i128::from(start);
    if size <= 0 {
        return None;
    }
    let mut hasher = Sha256::new();
    for value in arguments.iter_from(2) {
        hash_value(value?, &mut hasher);
    }
    let hash = u64::from_be_bytes(digest_prefix(&hasher.finalize()));
    i64::try_from(i128::from(start) + i128::from(hash) % size).ok().map(Value::Integer)
}

/// Feeds a value with its kind and length to the hasher, so that different values give different inputs.
fn hash_value(value: &Value, hasher: &mut Sha256) {
    let mut update = |kind: u8, bytes: &[u8]| {
        hasher.update([kind]);
        hasher.update((bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    match value {
        Value::Text(text) => update(b't', text),
        Value::Integer(integer) => update(b'i', &integer.to_be_bytes()),
        Value::Ip(address) => update(b'a', address.to_string().as_bytes()),
        Value::Boolean(boolean) => update(b'b', &[u8::from(*boolean)]),
        Value::Array(elements) => {
            update(b'[', &(elements.len() as u64).to_be_bytes());
            elements.iter().for_each(|element| hash_value(element, hasher));
        }
        Value::Map(members) => {
            update(b'{', &(members.len() as u64).to_be_bytes());
            for (key, member) in members {
                hash_value(&Value::Text(key.clone()), hasher);
                hash_value(member, hasher);
            }
        }
    }
}

/// Returns the first `N` bytes of a digest, which has at least as many.
fn digest_prefix<const N: usize>(digest: &[u8]) -> [u8; N] {
    digest.first_chunk().copied().unwrap_or([0; N])
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{MISSING, assert_results, boolean, integer, map, text, texts};
    use super::*;

    #[test]
    fn different_seeds_give_different_bytes() {
        assert_eq!(seed_bytes(7), seed_bytes(7));
        assert_ne!(seed_bytes(7), seed_bytes(8));
    }

    /// Without a seed, the field is unknown like any other.
    #[test]
    fn seed_sets_random_seed_field_unless_given() {
        let mut record = crate::Record::default();
        assert_eq!(record.get("cf.random_seed"), None);
        for seed in [7, 8] {
            record.set_seed(seed);
            assert_eq!(record.get("cf.random_seed"), text(seed_bytes(seed)).as_ref());
        }
        record.set("cf.random_seed", Value::Text(b"given".to_vec())).unwrap();
        record.set_seed(9);
        assert_eq!(record.get("cf.random_seed"), text("given").as_ref());
    }

    #[test]
    fn uuidv4_formats_first_bytes_and_needs_sixteen() {
        let bytes = b"\x49\x88\x73\x98\x6b\xcf\xf8\x5f\x08\x99\xf1\x5d\xbe\xf4\xd1\xd5";
        assert_results(
            "uuidv4",
            [
                (vec![text(bytes)], text("49887398-6bcf-485f-8899-f15dbef4d1d5")),
                (vec![text([0; 16])], text("00000000-0000-4000-8000-000000000000")),
                (vec![text([255; 40])], text("ffffffff-ffff-4fff-bfff-ffffffffffff")),
                (vec![text("too short")], MISSING),
                (vec![MISSING], MISSING),
            ],
        );
    }

    #[test]
    fn hash_in_range_stays_in_range_and_separates_arguments() {
        let range = |start, end, values: &[Option<Value>]| [&[integer(start), integer(end)], values].concat();
        assert_results(
            "hash_in_range",
            [
                (range(0, 100, &[text("a")]), integer(20)),
                (range(0, 100, &[text("b")]), integer(41)),
                (range(0, 100, &[text("a"), text("b")]), integer(95)),
                (range(0, 100, &[text("ab"), text("")]), integer(22)),
                (range(0, 100, &[integer(97), boolean(true)]), integer(87)),
                (range(0, 100, &[texts(&["a", "b"]), map(&[("a", text("b"))])]), integer(75)),
                (range(-5, -4, &[text("a")]), integer(-5)),
                (range(i64::MIN, i64::MAX, &[text("a")]), integer(-1201979241571551688)),
                (range(5, 5, &[text("a")]), MISSING),
                (range(5, 4, &[text("a")]), MISSING),
                (range(0, 100, &[text("a"), MISSING]), MISSING),
            ],
        );
    }

    #[test]
    fn hash_in_range_is_evenly_distributed() {
        let function = crate::schema::function("hash_in_range").unwrap();
        let mut counts = [0_u32; 10];
        for number in 0..10_000 {
            let arguments = [integer(0), integer(10), integer(number)].map(|value| value.map(std::borrow::Cow::Owned));
            let Some(Value::Integer(bucket)) = super::super::test_support::call(function, &arguments) else {
                panic!("{number}")
            };
            counts[bucket as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
