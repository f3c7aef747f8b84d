//! Everything the palette offers, in one table. A [`Deed`] names what is to be done; what only one
//! page can do, that page says how to do while it is shown.

use crate::log_filter::Panel;
use crate::pages::expressions::ToolPanel;
use crate::route::Route;
use crate::session::Session;
use crate::theme::Theme;
use leptos::prelude::*;
use zonewright_expression::Kind;
use zonewright_expression::schema::{Phase, Tier};

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Mends all that can be mended safely.
    FixAll,
    /// Copies the expression.
    Copy,
    /// Shows a link to the expression.
    Share,
    /// Shows the recipes.
    Recipes,
    /// Shows a tool beside the editor.
    Tool(ToolPanel),
    /// Arranges the expression in lines.
    Format,
    /// Makes the expression as short as it can be.
    Compact,
    /// Takes the expression to the form of a new rule.
    CreateRule,
    /// Condition or value.
    Kind(Kind),
    /// Puts the example into the editor.
    Example,
    /// Empties the editor.
    Empty,
    /// Something that the page of log filters does.
    LogFilter(FilterDeed),
    /// Shows the form of a new job.
    NewJob,
    /// Reads the list again.
    Refresh,
    /// Lists the rules.
    ShowRules,
    /// Lists the filters.
    ShowFilters,
    /// Asks the service for the zones.
    TestConnection,
    /// Forgets the credentials.
    Forget,
    /// Goes to a page.
    Go(Route),
    /// Chooses the look.
    Theme(Theme),
    /// Chooses the plan that is checked against.
    Plan(Option<Tier>),
    /// Chooses the phase that is checked against.
    Phase(Option<Phase>),
    /// Opens the page of a diagnostic's code.
    Explain(Code),
}

/// A diagnostic's code with the language it belongs to: some names stand in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Of an expression.
    Expression(&'static str),
    /// Of a log push filter.
    Filter(&'static str),
}

/// What the page of log filters does, besides what it shares with other pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilterDeed {
    /// Copies the filter.
    Copy,
    /// Shows a link to the filter.
    Share,
    /// Lays the JSON out in lines.
    Pretty,
    /// Writes the JSON without blanks.
    Compact,
    /// Writes the same filter with fewer operators.
    Simplify,
    /// Adds a condition.
    Add,
    /// Empties the editor: everything is sent.
    Empty,
    /// Shows a panel beside the editor.
    Panel(Panel),
}

/// How a deed is done; `None` while it cannot be done.
pub(crate) type Way = Option<Box<dyn FnOnce()>>;

/// A line of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// What it does.
    pub(crate) deed: Deed,
    /// Its words.
    pub(crate) title: String,
    /// Another name for the same, such as the one in requests.
    pub(crate) note: &'static str,
}

/// What has fixed words, in the order of the palette: first what the page itself does.
const FIXED: [(Deed, &str); 35] = [
    (Deed::FixAll, "Fix all safe problems"),
    (Deed::Copy, "Copy the expression"),
    (Deed::Format, "Format the expression"),
    (Deed::Compact, "Make the expression compact"),
    (Deed::Share, "Share the expression"),
    (Deed::Recipes, "Show recipes"),
    (Deed::CreateRule, "Create rule from the expression"),
    (Deed::Kind(Kind::Expression), "Check as a condition"),
    (Deed::Kind(Kind::Value), "Check as a value"),
    (Deed::Kind(Kind::Counting), "Check as a counting expression"),
    (Deed::Example, "Load the example"),
    (Deed::Empty, "New expression"),
    (Deed::LogFilter(FilterDeed::Copy), "Copy the filter"),
    (Deed::LogFilter(FilterDeed::Pretty), "Format the filter"),
    (Deed::LogFilter(FilterDeed::Compact), "Make the filter compact"),
    (Deed::LogFilter(FilterDeed::Share), "Share the filter"),
    (Deed::LogFilter(FilterDeed::Simplify), "Simplify the filter"),
    (Deed::LogFilter(FilterDeed::Add), "Add a condition"),
    (Deed::LogFilter(FilterDeed::Empty), "New filter"),
    (Deed::NewJob, "New job"),
    (Deed::Refresh, "Refresh the list"),
    (Deed::ShowRules, "Show rules"),
    (Deed::ShowFilters, "Show filters"),
    (Deed::TestConnection, "Test connection"),
    (Deed::Forget, "Forget credentials"),
    (Deed::Go(Route::Expressions), "Go to Expressions"),
    (Deed::Go(Route::LogFilters), "Go to Log filters"),
    (Deed::Go(Route::Jobs), "Go to Jobs"),
    (Deed::Go(Route::Rules), "Go to Rules"),
    (Deed::Go(Route::Migration), "Go to Migration"),
    (Deed::Go(Route::Settings), "Go to Settings"),
    (Deed::Theme(Theme::System), "Theme: system"),
    (Deed::Theme(Theme::Light), "Theme: light"),
    (Deed::Theme(Theme::Dark), "Theme: dark"),
    (Deed::Plan(None), "Plan: any"),
];

/// The commands that can be given now and whose words start with those of `query`, in any order.
pub(crate) fn find(query: &str, way: impl Fn(Deed) -> Way) -> Vec<Command> {
    let asked: Vec<String> = words(query).collect();
    let fits = |command: &Command| {
        let own: Vec<String> = words(&command.title).chain(words(command.note)).collect();
        asked.iter().all(|word| own.iter().any(|one| one.starts_with(word.as_str())))
    };
    // The codes are many: they come once something is asked for.
    let commands = all().into_iter().filter(|command| !asked.is_empty() || !matches!(command.deed, Deed::Explain(_)));
    commands.filter(|command| fits(command) && way(command.deed).is_some()).collect()
}

fn all() -> Vec<Command> {
    let command = |deed, title: String, note| Command { deed, title, note };
    let mut commands: Vec<Command> =
        FIXED.iter().map(|(deed, title)| command(*deed, (*title).to_owned(), "")).collect();
    let plan = |tier: Tier| command(Deed::Plan(Some(tier)), format!("Plan: {}", tier.title()), "");
    commands.extend(Tier::ALL.into_iter().map(plan));
    let tool = |(panel, name): &(ToolPanel, &'static str)| command(Deed::Tool(*panel), format!("Tool: {name}"), "");
    commands.extend(ToolPanel::ALL.iter().map(tool));
    let panel = |(panel, name): &(Panel, &'static str)| {
        command(Deed::LogFilter(FilterDeed::Panel(*panel)), format!("Tool: {name}"), "")
    };
    commands.extend(Panel::ALL.iter().map(panel));
    commands.push(command(Deed::Phase(None), "Phase: any".to_owned(), ""));
    let phase = |phase: &Phase| command(Deed::Phase(Some(*phase)), format!("Phase: {}", phase.title()), phase.name());
    commands.extend(Phase::ALL.iter().map(phase));
    let explain = |code: Code, name: &str, of| command(Deed::Explain(code), format!("Explain {name}"), of);
    let codes = zonewright_expression::code::ALL.iter();
    let of_expressions = codes.map(|(name, _)| explain(Code::Expression(name), name, "expressions"));
    let codes = zonewright_logpush::code::ALL.iter();
    let of_filters = codes.map(|(name, _)| explain(Code::Filter(name), name, "log filters"));
    // Some names stand in both: those of the page that is shown come first.
    match Route::now() {
        Route::LogFilters | Route::Jobs => commands.extend(of_filters.chain(of_expressions)),
        _ => commands.extend(of_expressions.chain(of_filters)),
    }
    commands
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// How a deed is done here and now; `page` is asked for the page of a code.
pub(crate) fn way(deed: Deed, session: Session, page: Callback<Code>) -> Way {
    match deed {
        Deed::Go(route) => does(move || route.go()),
        Deed::NewJob => does(move || {
            session.job.start();
            Route::Jobs.go();
        }),
        Deed::Theme(theme) => does(move || session.theme.set(theme)),
        Deed::Plan(tier) => does(move || session.scope.update(|scope| scope.tier = tier)),
        Deed::Phase(phase) => does(move || session.scope.update(|scope| scope.phase = phase)),
        Deed::Explain(code) => does(move || page.run(code)),
        of_page => session.ways.get()?.try_run(of_page)?,
    }
}

/// The way that is this function.
// A shorthand for the arms of a match, which are all a `Way`.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn does(act: impl FnOnce() + 'static) -> Way {
    Some(Box::new(act))
}

/// Says how the page that is shown does its deeds, for as long as it is shown.
pub(crate) fn offer(how: impl Fn(Deed) -> Way + Send + Sync + 'static) {
    let ways = Session::get().ways;
    ways.set(Some(Callback::new(how)));
    on_cleanup(move || {
        ways.try_set(None);
    });
}
