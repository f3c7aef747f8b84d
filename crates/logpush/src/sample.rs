//! Samples the lines of a job, after its filter.

/// Decides which lines are delivered. A decision depends only on the seed, the rate and the position of the line, so a
/// batch that is delivered again has the same lines.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    rate: f64,
    seed: u64,
}

impl Sampler {
    /// Creates a sampler that selects the proportion `rate` of the lines: all from 1 on, none at 0. Samplers with
    /// different seeds decide independently of each other.
    pub fn new(rate: f64, seed: u64) -> Self {
        Sampler { rate, seed }
    }

    /// Returns whether the line at this position is sampled. The parts of a position are its coordinates, such as a
    /// segment, an offset and a line.
    pub fn is_sampled(&self, position: &[u64]) -> bool {
        self.rate >= 1.0 || self.hash_to_unit_interval(position) < self.rate
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive): the upper 53 bits of a hash of seed and position.
    fn hash_to_unit_interval(&self, position: &[u64]) -> f64 {
        let hash = position.iter().fold(mix(self.seed), |hash, part| mix(hash ^ part));
        #[allow(clippy::cast_precision_loss)]
        let chance = (hash >> 11) as f64 / (1_u64 << 53) as f64;
        chance
    }
}

/// Applies one step of SplitMix64, a bijection in which every output bit depends on every input bit.
fn mix(value: u64) -> u64 {
    let mut mixed = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampler_approximates_the_rate() {
        for (rate, min, max) in [(0.0, 0, 0), (0.01, 60, 140), (0.5, 4_800, 5_200), (1.0, 10_000, 10_000)] {
            let sampler = Sampler::new(rate, 7);
            let lines = (0..100).flat_map(|frame| (0..100).map(move |line| [1, 64 * frame, line]));
            let sampled = lines.filter(|position| sampler.is_sampled(position)).count();
            assert!((min..=max).contains(&sampled), "{rate}: {sampled}");
        }
    }

    #[test]
    fn seeds_sample_different_lines() {
        let sampled =
            |seed| (0..64).map(|line| Sampler::new(0.5, seed).is_sampled(&[1, 0, line])).collect::<Vec<bool>>();
        assert_eq!(sampled(1), sampled(1));
        assert_ne!(sampled(1), sampled(2));
    }
}
