//! Defines the options of every verb over the Rules language.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::collections::BTreeSet;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, Lint, Options, code};

/// What an expression is checked against.
#[derive(Args, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LanguageArgs {
    /// What the expression is for.
    #[arg(long, value_parser = kind_parser(), default_value = "expression")]
    pub(crate) kind: Kind,
    /// Phase that the rule runs in; without it, every field and function is available.
    #[arg(long, value_parser = phase_parser())]
    pub(crate) phase: Option<Phase>,
    /// Plan of the zone; without it, nothing is refused for the plan's sake.
    #[arg(long, value_parser = plan_parser())]
    pub(crate) plan: Option<Tier>,
}

impl LanguageArgs {
    /// Converts the arguments to options of the engine.
    pub(crate) fn to_options(self) -> Options {
        Options { kind: self.kind, phase: self.phase, plan: self.plan, ..Options::default() }
    }
}

/// Which lints are reported.
#[derive(Args, Clone, Default)]
pub(crate) struct LintArgs {
    /// Report errors only, and warnings that are no lints.
    #[arg(long, conflicts_with = "allow")]
    no_lint: bool,
    /// Code of a lint that is not reported; may be given several times.
    #[arg(long, value_name = "CODE", value_parser = PossibleValuesParser::new(code::LINTS), hide_possible_values = true)]
    allow: Vec<String>,
}

impl LintArgs {
    /// Converts the arguments to lint options of the engine; `None` turns lints off.
    pub(crate) fn wanted(&self) -> Option<Lint> {
        let allow: BTreeSet<String> = self.allow.iter().cloned().collect();
        (!self.no_lint).then_some(Lint { allow })
    }
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let values = [
        PossibleValue::new("expression").help("A condition: true or false"),
        PossibleValue::new("value").help("A computed value, as rewrites and redirects use it"),
        PossibleValue::new("counting").help("The counting condition of a rate limit, which sees the response too"),
    ];
    PossibleValuesParser::new(values).try_map(|name| Kind::from_name(&name).ok_or("no such kind"))
}

fn phase_parser() -> impl TypedValueParser<Value = Phase> {
    let values = Phase::ALL.iter().map(|phase| PossibleValue::new(phase.name()).help(phase.title()));
    PossibleValuesParser::new(values).try_map(|name| Phase::from_name(&name).ok_or("no such phase"))
}

pub(crate) fn plan_parser() -> impl TypedValueParser<Value = Tier> {
    PossibleValuesParser::new(Tier::ALL.map(Tier::name)).try_map(|name| Tier::from_name(&name).ok_or("no such plan"))
}
