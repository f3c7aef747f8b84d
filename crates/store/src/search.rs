//! Searches in lists.

use crate::page::Page;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::{QueryAs, QueryScalar};
use sqlx::{Any, AssertSqlSafe, FromRow};

/// The conditions of a search, with their parameters. Texts of clients are only ever bound, so there are few distinct
/// statements.
pub(crate) struct Conditions {
    text: String,
    values: Vec<String>,
    is_unfiltered: bool,
}

impl Conditions {
    /// Creates the condition on the owner, such as `zone_id = ?`.
    pub(crate) fn new(condition: &'static str, owner: &str) -> Self {
        let mut conditions = Conditions { text: String::new(), values: Vec::new(), is_unfiltered: true };
        conditions.push("where ", condition, owner.to_owned());
        conditions.is_unfiltered = true;
        conditions
    }

    /// Adds a condition in which `?` is `value`, unless `value` is empty.
    pub(crate) fn and(mut self, condition: &'static str, value: &str) -> Self {
        if !value.is_empty() {
            self.push(" and ", condition, value.to_owned());
        }
        self
    }

    /// Adds a condition that a column contains the text, case-insensitive for the letters A to Z, unless the text is
    /// empty. The database lowercases the column, which has the collation `C`. The text is lowercased here, because the
    /// database would lowercase a parameter by its own locale, which has more letters.
    pub(crate) fn containing(mut self, condition: &'static str, text: &str) -> Self {
        if !text.is_empty() {
            let escaped = text.to_ascii_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            self.push(" and ", condition, format!("%{escaped}%"));
        }
        self
    }

    /// Adds a condition on a flag, unless `flag` is `None`.
    pub(crate) fn flag(mut self, column: &'static str, flag: Option<bool>) -> Self {
        if let Some(flag) = flag {
            self.text.push_str(&format!(" and {column} = {}", i64::from(flag)));
            self.is_unfiltered = false;
        }
        self
    }

    fn push(&mut self, prefix: &str, condition: &'static str, value: String) {
        self.values.push(value);
        self.is_unfiltered = false;
        self.text.push_str(prefix);
        self.text.push_str(&condition.replace('?', &format!("${}", self.values.len())));
    }

    /// Returns whether there is no condition besides the owner.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.is_unfiltered
    }

    /// Returns the query for the number of items. `select` is its beginning, such as `select count(*) from filters`.
    pub(crate) fn count(&self, select: &'static str) -> QueryScalar<'static, Any, i64, AnyArguments> {
        let query = sqlx::query_scalar(AssertSqlSafe(format!("{select} {}", self.text)));
        self.values.iter().fold(query, |query, value| query.bind(value.clone()))
    }

    /// Returns the query for a page of the items in this order.
    pub(crate) fn page<T: for<'r> FromRow<'r, AnyRow>>(
        &self,
        select: &'static str,
        order: &'static str,
        page: Page,
    ) -> QueryAs<'static, Any, T, AnyArguments> {
        let query = self.build(|conditions, next| {
            format!("{select} {conditions} order by {order} limit ${next} offset ${}", next + 1)
        });
        query.bind(page.limit()).bind(page.offset())
    }

    /// Returns a query with a text that `build_text` builds from the conditions and the number of the first free
    /// parameter. The text contains no input of clients.
    pub(crate) fn build<T: for<'r> FromRow<'r, AnyRow>>(
        &self,
        build_text: impl FnOnce(&str, usize) -> String,
    ) -> QueryAs<'static, Any, T, AnyArguments> {
        let query = sqlx::query_as(AssertSqlSafe(build_text(&self.text, self.values.len() + 1)));
        self.values.iter().fold(query, |query, value| query.bind(value.clone()))
    }
}
