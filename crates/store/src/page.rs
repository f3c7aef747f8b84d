//! Pages of lists.

use zonewright_api::ResultInfo;

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// From 1.
    number: u64,
    /// Items.
    size: u64,
}

impl Page {
    /// The page of this number, from 1, with this many items.
    pub fn new(number: u64, size: u64) -> Page {
        Page { number: number.max(1), size: size.max(1) }
    }

    /// The first page, with this many items.
    pub fn first(size: u64) -> Page {
        Page::new(1, size)
    }

    /// The most items of the page.
    pub fn limit(self) -> i64 {
        i64::try_from(self.size).unwrap_or(i64::MAX)
    }

    /// How many items are on the pages before.
    pub fn offset(self) -> i64 {
        i64::try_from((self.number - 1).saturating_mul(self.size)).unwrap_or(i64::MAX)
    }

    /// The items of a whole list that are on the page.
    pub fn select<T>(self, items: Vec<T>) -> Vec<T> {
        let [skipped, taken] =
            [self.offset(), self.limit()].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        items.into_iter().skip(skipped).take(taken).collect()
    }

    /// Describes the page, which has `count` of `total` items.
    pub fn info(self, count: usize, total: u64) -> ResultInfo {
        ResultInfo {
            page: self.number,
            per_page: self.size,
            count: count as u64,
            total_count: total,
            total_pages: total.div_ceil(self.size),
        }
    }
}
