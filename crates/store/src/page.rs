//! Pages of lists.

use zonewright_api::ResultInfo;

/// A page of a list.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The number of the page, from 1.
    number: u64,
    /// The number of items per page.
    size: u64,
}

impl Page {
    /// Creates a page by its number, from 1, and its size.
    pub fn new(number: u64, size: u64) -> Page {
        Page { number: number.max(1), size: size.max(1) }
    }

    /// Creates the first page with this size.
    pub fn first(size: u64) -> Page {
        Page::new(1, size)
    }

    /// Returns the maximum number of items on the page.
    pub fn limit(self) -> i64 {
        i64::try_from(self.size).unwrap_or(i64::MAX)
    }

    /// Returns the number of items on the previous pages.
    pub fn offset(self) -> i64 {
        i64::try_from((self.number - 1).saturating_mul(self.size)).unwrap_or(i64::MAX)
    }

    /// Returns the items of a complete list that are on the page.
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
