//! Sampling: which lines of a job are sent, after its filter.

/// Keeps a part of the lines by chance. The same seed always keeps the same ones.
#[derive(Clone, Debug)]
pub struct Sampler {
    rate: f64,
    state: u64,
}

impl Sampler {
    /// One that keeps `rate` of the lines: all from 1 on, none up to 0.
    pub fn new(rate: f64, seed: u64) -> Self {
        Sampler { rate, state: seed }
    }

    /// Whether the next line is kept.
    pub fn keeps(&mut self) -> bool {
        self.rate >= 1.0 || self.chance() < self.rate
    }

    /// The next number from 0 up to but without 1 (SplitMix64, of which every double takes 53 bits).
    fn chance(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        #[allow(clippy::cast_precision_loss)]
        let chance = (mixed >> 11) as f64 / (1_u64 << 53) as f64;
        chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_about_the_part_that_was_asked_for_and_always_the_same() {
        for (rate, least, most) in [(0.0, 0, 0), (0.01, 60, 140), (0.5, 4_800, 5_200), (1.0, 10_000, 10_000)] {
            let kept = || {
                let mut sampler = Sampler::new(rate, 7);
                (0..10_000).map(|_| sampler.keeps()).collect::<Vec<bool>>()
            };
            let count = kept().into_iter().filter(|kept| *kept).count();
            assert!((least..=most).contains(&count), "{rate}: {count}");
            assert_eq!(kept(), kept());
        }
    }
}
