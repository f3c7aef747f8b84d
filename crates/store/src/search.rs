//! Searches in a list of a zone or an account.

use crate::page::Page;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AssertSqlSafe};

/// The conditions of a search in a list, with the values of their parameters.
pub(crate) struct Conditions {
    text: String,
    values: Vec<String>,
    whole: bool,
}

impl Conditions {
    /// The condition about the zone, as `zone_id = ?`, or the account.
    pub(crate) fn new(condition: &'static str, owner: &str) -> Self {
        let mut conditions = Conditions { text: String::new(), values: Vec::new(), whole: true };
        conditions.push("where ", condition, owner.to_owned());
        conditions.whole = true;
        conditions
    }

    /// Another condition, in which `?` stands for `value`; none when that is empty.
    pub(crate) fn and(mut self, condition: &'static str, value: &str) -> Self {
        if !value.is_empty() {
            self.push(" and ", condition, value.to_owned());
        }
        self
    }

    /// A condition that a column has the text in it, in any case of the letters A to Z; none when it is empty. The
    /// column is lowered by the database, where it has the collation `C`, the text here: the locale of the database,
    /// which knows of more letters, would lower a parameter.
    pub(crate) fn containing(mut self, condition: &'static str, text: &str) -> Self {
        if !text.is_empty() {
            let escaped = text.to_ascii_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            self.push(" and ", condition, format!("%{escaped}%"));
        }
        self
    }

    /// A condition about a flag; none when it does not matter.
    pub(crate) fn flag(mut self, column: &'static str, flag: Option<bool>) -> Self {
        if let Some(flag) = flag {
            self.text.push_str(&format!(" and {column} = {}", i64::from(flag)));
            self.whole = false;
        }
        self
    }

    fn push(&mut self, before: &str, condition: &'static str, value: String) {
        self.values.push(value);
        self.whole = false;
        self.text.push_str(before);
        self.text.push_str(&condition.replace('?', &format!("${}", self.values.len())));
    }

    /// Whether the whole list is asked for.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// How many items there are: `select`, such as `select count(*) from filters`, under the conditions.
    pub(crate) fn count(&self, select: &'static str) -> Query<'static, Any, AnyArguments> {
        self.bound(format!("{select} {}", self.text))
    }

    /// A page of the items in their order.
    pub(crate) fn page(
        &self,
        select: &'static str,
        order: &'static str,
        page: Page,
    ) -> Query<'static, Any, AnyArguments> {
        let next = self.values.len() + 1;
        let text = format!("{select} {} order by {order} limit ${next} offset ${}", self.text, next + 1);
        self.bound(text).bind(page.limit()).bind(page.offset())
    }

    /// Another statement, made of the conditions and the number of its first parameter that is not theirs.
    pub(crate) fn statement(&self, make: impl FnOnce(&str, usize) -> String) -> Query<'static, Any, AnyArguments> {
        self.bound(make(&self.text, self.values.len() + 1))
    }

    /// Values of callers are only ever bound, so the text is one of a few.
    fn bound(&self, text: String) -> Query<'static, Any, AnyArguments> {
        let query = sqlx::query(AssertSqlSafe(text));
        self.values.iter().fold(query, |query, value| query.bind(value.clone()))
    }
}
