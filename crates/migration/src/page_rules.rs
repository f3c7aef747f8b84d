//! Migrates page rules that switch the previous managed rules: they become skip rules, or the expressions of execute
//! rules.
//!
//! Of the active page rules that match a request, only the one with the highest priority takes effect. A page rule that
//! leaves the managed rules unchanged therefore takes precedence for its URLs over page rules of lower priority. The
//! expressions exclude those URLs: `e and not (exclusion or exclusion)`.
//!
//! If an expression with exclusions would be too long, the page rules of higher priority are
//! [settled](PageRulePlanner::settle) first: earlier rules decide all their requests, so that no exclusion remains
//! necessary (assumption page-rules-settled). Until then, [`Coverage`] computes the exclusions.

mod coverage;
mod findings;
mod pattern;
mod read;

pub(crate) use pattern::Pattern;
pub use pattern::{PatternError, matches_pattern, pattern_expression};
pub(crate) use read::{Effect, Read, in_order, is_active, is_to_migrate};

use crate::ZoneConfig;
use crate::duplicates::repeated;
use crate::entry_point::MAX_ENTRY_POINT_RULES;
use crate::limits::MAX_EXPRESSION_BYTES;
use crate::skip::{refused, skip};
use coverage::Coverage;
use zonewright_api::finding::Finding;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::RulesetRule;
use zonewright_expression::schema::Tier;

/// The result of migrating the page rules.
pub(crate) struct PageRuleMigration {
    /// The steps after the skip rules of the firewall rules, including those that execute managed rulesets.
    pub(crate) steps: Vec<Step>,
    /// Whether managed rulesets are executed for any request: they are on, or a page rule turns them on.
    pub(crate) enabled: bool,
    /// One finding for each page rule, in the order of the list.
    pub(crate) findings: Vec<Finding>,
}

/// A part of the new entry point.
pub(crate) enum Step {
    /// A skip rule.
    Skip(Box<RulesetRule>),
    /// An execute rule with this expression for each managed ruleset.
    Execute(String),
}

/// The maximum number of bytes of rules that page rules become, so that the update stays well below 4 MiB. An execute
/// rule counts with [`OVERRIDES`] bytes more, which is about the maximum that the known rules can need.
const MAX_RULES_BYTES: usize = 1 << 20;
const OVERRIDES: usize = 8 << 10;

/// The managed rulesets that a zone executes.
#[derive(Clone, Copy)]
pub(crate) struct Deployment {
    /// The number of rulesets.
    pub(crate) rulesets: usize,
    /// Whether the package of any of them is active.
    pub(crate) active: bool,
}

/// Migrates the page rules. `first` is the index of their first rule in the entry point.
pub(crate) fn carried(config: &ZoneConfig, first: usize, deployed: Deployment) -> PageRuleMigration {
    let order = in_order(&config.page_rules);
    let mut maker = PageRulePlanner::new(config, &order, first, deployed);
    for place in 0..order.len() {
        maker.judge(place);
        if maker.is_full() {
            order.iter().for_each(|read| maker.say(read, findings::too_many(read)));
            let findings = told(config, maker.findings);
            return PageRuleMigration { findings, ..PageRulePlanner::new(config, &[], first, deployed).finish() };
        }
    }
    maker.finish()
}

/// Processes the page rules in order of priority.
struct PageRulePlanner<'a> {
    config: &'a ZoneConfig,
    order: &'a [Read<'a>],
    land: Coverage<'a>,
    deployed: Deployment,
    /// The index after the last page rule that switches the managed rules.
    last: usize,
    steps: Vec<Step>,
    /// The index of the next rule in the entry point.
    next: usize,
    bytes: usize,
    /// The index of the first page rule that is not settled. Page rules before it need no exclusions, because earlier
    /// steps already decide their requests.
    settled: usize,
    /// Page rules that turn managed rules on, with the expressions of their requests; no step executes them yet.
    pending: Vec<(usize, String)>,
    pending_bytes: usize,
    /// One finding for each page rule of the list, as far as they are processed.
    findings: Vec<Option<Finding>>,
}

/// The reason why a page rule cannot become a rule.
enum RuleError {
    TooLong,
    Refused(String),
}

impl<'a> PageRulePlanner<'a> {
    fn new(config: &'a ZoneConfig, order: &'a [Read<'a>], first: usize, deployed: Deployment) -> Self {
        PageRulePlanner {
            config,
            order,
            land: Coverage::new(order),
            deployed,
            last: order.iter().rposition(|read| read.effect != Effect::None).map_or(0, |place| place + 1),
            steps: Vec::new(),
            next: first,
            bytes: 0,
            settled: 0,
            pending: Vec::new(),
            pending_bytes: 0,
            findings: vec![None; config.page_rules.len()],
        }
    }

    fn say(&mut self, read: &Read<'_>, found: Finding) {
        if let Some(place) = self.findings.get_mut(read.index) {
            *place = Some(found);
        }
    }

    /// Returns whether the managed rules run for requests that no page rule decides.
    fn by_default(&self) -> bool {
        self.config.waf == Switch::On
    }

    fn judge(&mut self, place: usize) {
        let order = self.order;
        let Some(read) = order.get(place) else { return };
        let found = match (&read.pattern, read.effect) {
            (Err(error), Effect::None) if !error.fits_nothing() && is_active(read.rule) && place < self.last => {
                findings::unknown_shield(read, error)
            }
            (_, Effect::None) => findings::unaffected(read),
            (Err(error), _) if error.fits_nothing() => findings::odd(read, error),
            (Err(_), Effect::On) if self.deployed.rulesets == 0 => findings::nothing_to_run(read),
            (Err(_), Effect::On) if !is_active(read.rule) && self.by_default() => findings::runs(read, self.deployed),
            (Err(_), Effect::On) if !is_active(read.rule) => findings::disabled_on(read),
            (Err(error), Effect::On) if self.by_default() && self.is_off_below(place) => {
                findings::unknown_shield(read, error)
            }
            (Err(error), Effect::On) if self.by_default() => findings::unknown_on(read, error),
            (Err(error), _) => findings::unknown_target(read, error),
            (Ok(_), _) if self.land.left(place).is_empty() => findings::never(read),
            (Ok(_), Effect::Unreadable) => findings::unreadable(read),
            (Ok(_), Effect::Off) => match self.off(read, place) {
                Ok(became) => findings::skips(read, became),
                Err(unusable) => findings::unusable(read, &unusable),
            },
            (Ok(_), Effect::On) if self.deployed.rulesets == 0 => findings::nothing_to_run(read),
            (Ok(_), Effect::On) if self.by_default() => findings::runs(read, self.deployed),
            (Ok(_), Effect::On) if !is_active(read.rule) => findings::disabled_on(read),
            (Ok(_), Effect::On) => match self.on(place) {
                // `execute` creates the finding, together with the rules.
                Ok(()) => return,
                Err(unusable) => findings::unusable(read, &unusable),
            },
        };
        self.say(read, found);
    }

    /// Returns whether a page rule of lower priority switches the managed rules off.
    fn is_off_below(&self, place: usize) -> bool {
        self.order.iter().skip(place + 1).any(|read| is_active(read.rule) && read.effect == Effect::Off)
    }

    /// Adds skip rules for a page rule that switches the managed rules off, and returns pointers to them.
    fn off(&mut self, read: &Read<'_>, place: usize) -> Result<Vec<String>, RuleError> {
        let by_default = self.by_default();
        let mut became = Vec::new();
        for expression in self.region(place, |above| above.runs().unwrap_or(by_default))? {
            became.push(format!("/rules/{}", self.next));
            self.skip(expression, &findings::origin(read), is_active(read.rule));
        }
        Ok(became)
    }

    /// Records the requests for which a page rule turns on managed rules that are off for the zone. Page rules of
    /// higher priority that switch them off need no exclusion, because their skip rules come first.
    fn on(&mut self, place: usize) -> Result<(), RuleError> {
        for expression in self.region(place, |above| above.runs().is_none())? {
            self.pending_bytes += expression.len() + BETWEEN.len() + 2;
            self.pending.push((place, expression));
        }
        Ok(())
    }

    /// Returns expressions for the requests that a page rule decides: a single one if possible.
    fn region(&mut self, place: usize, keeps: impl Fn(&Read<'_>) -> bool) -> Result<Vec<String>, RuleError> {
        let own = self.land.own(place);
        let shields = self.land.shields(self.settled, place, keeps);
        let alone = |own: Vec<String>| -> Result<Vec<String>, RuleError> {
            let parts = own.into_iter().map(|comparison| (place, comparison)).collect();
            Ok(chunks(parts, self.config.tier)?.into_iter().map(|(_, expression)| expression).collect())
        };
        if let Some(shields) = shields {
            if shields.is_empty() {
                return alone(own);
            }
            let expression = format!("{}{WITHOUT}{}", bracketed(&own), bracketed(&shields));
            if expression.len() <= MAX_EXPRESSION_BYTES {
                return usable(expression, self.config.tier).map(|expression| vec![expression]);
            }
        }
        let alone = alone(own)?;
        self.settle(place)?;
        Ok(alone)
    }

    /// Decides the requests of page rules of higher priority than `place`, in order of priority, except those that
    /// already have skip rules. Where managed rules run, the rulesets are executed; the remaining rules are then
    /// skipped.
    fn settle(&mut self, place: usize) -> Result<(), RuleError> {
        let mut groups: Vec<(bool, Vec<(usize, String)>)> = Vec::new();
        for (above, read) in self.order.iter().enumerate().take(place).skip(self.settled) {
            if !is_active(read.rule) || read.effect == Effect::Off {
                continue;
            }
            let runs = read.runs().unwrap_or_else(|| self.by_default());
            let parts = self.land.own(above).into_iter().map(|comparison| (above, comparison));
            match groups.last_mut() {
                Some((same, group)) if *same == runs => group.extend(parts),
                _ => groups.push((runs, parts.collect())),
            }
        }
        let mut made = Vec::new();
        for (runs, parts) in groups {
            made.extend(chunks(parts, self.config.tier)?.into_iter().map(|chunk| (runs, chunk)));
        }
        for (runs, (places, expression)) in made {
            if runs {
                self.execute(expression.clone(), &places);
            }
            self.skip_rest(expression, &places);
        }
        self.settled = place;
        self.pending.clear();
        self.pending_bytes = 0;
        Ok(())
    }

    /// Adds the last steps: for requests that no page rule decides, and for pending page rules.
    fn finish(mut self) -> PageRuleMigration {
        // Each expression was validated separately.
        let chunks = chunks(std::mem::take(&mut self.pending), self.config.tier).unwrap_or_default();
        let narrowed = !chunks.is_empty() || self.steps.iter().any(|step| matches!(step, Step::Execute(_)));
        if self.by_default() || !narrowed {
            self.execute("true".to_owned(), &[]);
        }
        let mut rest = chunks.as_slice();
        while let [(places, expression), later @ ..] = rest {
            self.execute(expression.clone(), places);
            let below: Vec<usize> = later.iter().flat_map(|(places, _)| places).copied().collect();
            // A request never executes a ruleset twice.
            if self.land.may_meet(places, &below) {
                self.skip_rest(expression.clone(), places);
            }
            rest = later;
        }
        let enabled = self.by_default() || narrowed;
        PageRuleMigration { steps: self.steps, enabled, findings: told(self.config, self.findings) }
    }

    /// Executes the managed rulesets, and reports that for the page rules that turn them on.
    fn execute(&mut self, expression: String, places: &[usize]) {
        let order = self.order;
        let executed = self.next..self.next + self.deployed.rulesets;
        let pointers: Vec<String> = executed.map(|place| format!("/rules/{place}/expression")).collect();
        for place in places {
            let Some(read) = order.get(*place) else { continue };
            if read.effect != Effect::On || self.by_default() {
                continue;
            }
            match self.findings.get_mut(read.index) {
                Some(Some(found)) => found.became.extend(pointers.iter().cloned()),
                _ => self.say(read, findings::executes(read, self.deployed, pointers.clone())),
            }
        }
        self.next += self.deployed.rulesets;
        self.bytes += self.deployed.rulesets * (expression.len() + OVERRIDES);
        self.steps.push(Step::Execute(expression));
    }

    /// Adds a rule that skips all later rules for requests that are decided.
    fn skip_rest(&mut self, expression: String, places: &[usize]) {
        let Some(first) = places.first().and_then(|place| self.order.get(*place)) else { return };
        self.skip(expression, &findings::decided(first, places.len() - 1), true);
    }

    fn skip(&mut self, expression: String, description: &str, enabled: bool) {
        self.next += 1;
        self.bytes += expression.len();
        self.steps.push(Step::Skip(Box::new(skip(expression, description, enabled))));
    }

    /// Returns whether all rules, including the pending ones, would exceed the limits of an update. The estimate of
    /// pending rules doubles their bytes, because any two consecutive expressions are longer than one expression can
    /// be.
    fn is_full(&self) -> bool {
        let pending = self.pending_bytes * 2 / MAX_EXPRESSION_BYTES + 1;
        let executed = self.deployed.rulesets;
        let rules = self.next + pending * (executed + 1);
        let bytes = self.bytes + self.pending_bytes * (executed + 1) + pending * executed * OVERRIDES;
        rules > MAX_ENTRY_POINT_RULES || bytes > MAX_RULES_BYTES
    }
}

/// Completes the findings with those of duplicates.
fn told(config: &ZoneConfig, mut findings: Vec<Option<Finding>>) -> Vec<Finding> {
    let rules = &config.page_rules;
    let switched = rules.iter().any(|rule| is_active(rule) && is_to_migrate(rule));
    for (index, before) in repeated(rules.iter().map(|rule| rule.id.as_str())).into_iter().enumerate() {
        let read = |index: usize| rules.get(index).map(|rule| Read::new((index, rule)));
        let Some(before) = before else { continue };
        let (Some(first), Some(found)) = (findings.get(before).cloned().flatten(), findings.get_mut(index)) else {
            continue;
        };
        *found = read(index).zip(read(before)).map(|(read, before)| findings::again(&read, &before, first, switched));
    }
    findings.into_iter().flatten().collect()
}

const BETWEEN: &str = " or ";
/// The separator of exclusions. A pattern contains no spaces, so an expression contains it only for exclusions.
const WITHOUT: &str = " and not ";

/// Joins parts to as few expressions as possible, each with the indexes of its page rules.
fn chunks(parts: Vec<(usize, String)>, tier: Tier) -> Result<Vec<(Vec<usize>, String)>, RuleError> {
    let mut joined: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    let mut length = 0;
    for (place, part) in parts {
        let more = part.len() + BETWEEN.len() + 2;
        length += more;
        match joined.last_mut().filter(|_| length <= MAX_EXPRESSION_BYTES) {
            Some((places, parts)) => {
                parts.push(part);
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
            None => {
                joined.push((vec![place], vec![part]));
                length = more;
            }
        }
    }
    let closed = |part: &String| if part.contains(WITHOUT) { format!("({part})") } else { part.clone() };
    let expression = |parts: &[String]| match parts {
        [one] => one.clone(),
        several => several.iter().map(closed).collect::<Vec<_>>().join(BETWEEN),
    };
    joined.into_iter().map(|(places, parts)| Ok((places, usable(expression(&parts), tier)?))).collect()
}

/// Returns the expression if it is valid and not too long.
fn usable(expression: String, tier: Tier) -> Result<String, RuleError> {
    if expression.len() > MAX_EXPRESSION_BYTES {
        return Err(RuleError::TooLong);
    }
    match refused(&expression, tier) {
        Some(reason) => Err(RuleError::Refused(reason)),
        None => Ok(expression),
    }
}

fn bracketed(comparisons: &[String]) -> String {
    match comparisons {
        [one] => one.clone(),
        several => format!("({})", several.join(BETWEEN)),
    }
}

#[cfg(test)]
mod tests;
