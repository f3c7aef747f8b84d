//! Defines the options that the subcommands for the Rules language share.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::collections::BTreeSet;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, LintOptions, Options, code};

/// The kind, the phase and the plan of an expression.
#[derive(Args, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LanguageArgs {
    /// Kind of the expression.
    #[arg(long, value_parser = kind_parser(), default_value = "expression")]
    pub(crate) kind: Kind,
    /// Phase of the rule; if omitted, every field and function is available.
    #[arg(long, value_parser = phase_parser())]
    pub(crate) phase: Option<Phase>,
    /// Plan of the zone; if omitted, no plan restrictions apply.
    #[arg(long, value_parser = plan_parser())]
    pub(crate) plan: Option<Tier>,
}

impl LanguageArgs {
    /// Converts the arguments to options of the engine.
    pub(crate) fn to_options(self) -> Options {
        Options { kind: self.kind, phase: self.phase, plan: self.plan, ..Options::default() }
    }
}

/// The options that turn off lints.
#[derive(Args, Clone, Default)]
pub(crate) struct LintArgs {
    /// Turn off all lints.
    #[arg(long, conflicts_with = "allow")]
    no_lint: bool,
    /// Turn off the lint with this code; repeatable.
    #[arg(long, value_name = "CODE", value_parser = PossibleValuesParser::new(code::LINTS), hide_possible_values = true)]
    allow: Vec<String>,
}

impl LintArgs {
    /// Converts the arguments to lint options of the engine; `None` turns lints off.
    pub(crate) fn to_lint(&self) -> Option<LintOptions> {
        let allow: BTreeSet<String> = self.allow.iter().cloned().collect();
        (!self.no_lint).then_some(LintOptions { allow })
    }
}

fn kind_parser() -> impl TypedValueParser<Value = Kind> {
    let values = [
        PossibleValue::new("expression").help("A condition that is true or false"),
        PossibleValue::new("value").help("A computed value, as in rewrites and redirects"),
        PossibleValue::new("counting")
            .help("The counting expression of a rate limit, which can also read the response"),
    ];
    PossibleValuesParser::new(values).try_map(|name| Kind::from_name(&name).ok_or("unknown kind"))
}

fn phase_parser() -> impl TypedValueParser<Value = Phase> {
    let values = Phase::ALL.iter().map(|phase| PossibleValue::new(phase.name()).help(phase.title()));
    PossibleValuesParser::new(values).try_map(|name| Phase::from_name(&name).ok_or("unknown phase"))
}

pub(crate) fn plan_parser() -> impl TypedValueParser<Value = Tier> {
    PossibleValuesParser::new(Tier::ALL.map(Tier::name)).try_map(|name| Tier::from_name(&name).ok_or("unknown plan"))
}
