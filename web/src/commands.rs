//! The commands of the palette.
//!
//! A [`Command`] names an action. [`CommandContext::resolve`] returns its handler. The app handles commands that work
//! on every page; the current page registers handlers for the others with [`register_page_commands`] while it is
//! mounted.

use crate::route::Route;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ToolPanel;
use crate::state::log_filter_draft::LogFilterPanel;
use crate::state::page_request::PageRequests;
use crate::state::theme::{Theme, ThemeContext};
use leptos::prelude::*;
use zonewright_expression::Kind;
use zonewright_expression::schema::{Phase, Tier};

/// An action of the app or of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Applies all safe fixes.
    FixAll,
    /// Copies the expression.
    Copy,
    /// Opens the share dialog.
    Share,
    /// Opens the recipe gallery.
    Recipes,
    /// Shows a tool next to the editor.
    Tool(ToolPanel),
    /// Formats the expression in lines.
    Format,
    /// Minifies the expression.
    Compact,
    /// Opens the form of a new rule with the expression.
    CreateRule,
    /// Sets the kind of the expression.
    Kind(Kind),
    /// Loads the example into the editor.
    Example,
    /// Clears the editor.
    Clear,
    /// A command of the Log filters page.
    LogFilter(LogFilterCommand),
    /// Opens the form of a new job.
    NewJob,
    /// Reloads the list.
    Refresh,
    /// Lists the rules.
    ShowRules,
    /// Lists the filters.
    ShowFilters,
    /// Tests the connection, which lists the zones.
    TestConnection,
    /// Clears the credentials.
    ForgetCredentials,
    /// Navigates to a page.
    Go(Route),
    /// Selects the theme.
    Theme(Theme),
    /// Selects the plan to check against.
    Plan(Option<Tier>),
    /// Selects the phase to check against.
    Phase(Option<Phase>),
    /// Opens the explanation of a diagnostic code.
    Explain(DiagnosticCode),
}

/// A diagnostic code with its language, because some names exist in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticCode {
    /// A code of expressions.
    Expression(&'static str),
    /// A code of log filters.
    Filter(&'static str),
}

/// A command that only the Log filters page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFilterCommand {
    /// Copies the filter.
    Copy,
    /// Opens the share dialog.
    Share,
    /// Formats the JSON in lines.
    Pretty,
    /// Minifies the JSON.
    Compact,
    /// Simplifies the filter.
    Simplify,
    /// Adds a condition.
    AddCondition,
    /// Clears the editor, so that every line matches.
    Clear,
    /// Shows a panel next to the editor.
    Panel(LogFilterPanel),
}

/// A function that runs a command; `None` while the command is unavailable.
pub(crate) type CommandHandler = Option<Box<dyn FnOnce()>>;

/// An item of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PaletteItem {
    /// The command.
    pub(crate) command: Command,
    /// The title.
    pub(crate) title: String,
    /// A text after the title that the search includes: the name of a phase in requests, or the language of a code.
    pub(crate) note: &'static str,
}

/// The commands with a fixed title, in the order of the palette.
const STATIC_COMMANDS: [(Command, &str); 35] = [
    (Command::FixAll, "Apply all safe fixes"),
    (Command::Copy, "Copy expression"),
    (Command::Format, "Format expression"),
    (Command::Compact, "Minify expression"),
    (Command::Share, "Share expression"),
    (Command::Recipes, "Show recipes"),
    (Command::CreateRule, "Create rule from expression"),
    (Command::Kind(Kind::Expression), "Check as a condition"),
    (Command::Kind(Kind::Value), "Check as a value"),
    (Command::Kind(Kind::Counting), "Check as a counting expression"),
    (Command::Example, "Load example"),
    (Command::Clear, "New expression"),
    (Command::LogFilter(LogFilterCommand::Copy), "Copy filter"),
    (Command::LogFilter(LogFilterCommand::Pretty), "Format filter"),
    (Command::LogFilter(LogFilterCommand::Compact), "Minify filter"),
    (Command::LogFilter(LogFilterCommand::Share), "Share filter"),
    (Command::LogFilter(LogFilterCommand::Simplify), "Simplify filter"),
    (Command::LogFilter(LogFilterCommand::AddCondition), "Add condition"),
    (Command::LogFilter(LogFilterCommand::Clear), "New filter"),
    (Command::NewJob, "New job"),
    (Command::Refresh, "Refresh list"),
    (Command::ShowRules, "Show rules"),
    (Command::ShowFilters, "Show filters"),
    (Command::TestConnection, "Test connection"),
    (Command::ForgetCredentials, "Forget credentials"),
    (Command::Go(Route::Expressions), "Go to Expressions"),
    (Command::Go(Route::LogFilters), "Go to Log filters"),
    (Command::Go(Route::Jobs), "Go to Jobs"),
    (Command::Go(Route::Rules), "Go to Rules"),
    (Command::Go(Route::Migration), "Go to Migration"),
    (Command::Go(Route::Settings), "Go to Settings"),
    (Command::Theme(Theme::System), "Theme: system"),
    (Command::Theme(Theme::Light), "Theme: light"),
    (Command::Theme(Theme::Dark), "Theme: dark"),
    (Command::Plan(None), "Plan: any"),
];

/// Returns the available commands that match `query`: each of its words is a prefix of a word of the title or note, in
/// any order.
pub(crate) fn search(query: &str, resolve: impl Fn(Command) -> CommandHandler) -> Vec<PaletteItem> {
    let terms: Vec<String> = words(query).collect();
    let is_match = |item: &PaletteItem| {
        let item_words: Vec<String> = words(&item.title).chain(words(item.note)).collect();
        terms.iter().all(|prefix| item_words.iter().any(|candidate| candidate.starts_with(prefix.as_str())))
    };
    // There are many codes, so an empty query does not list them.
    let items =
        all_items().into_iter().filter(|item| !terms.is_empty() || !matches!(item.command, Command::Explain(_)));
    items.filter(|item| is_match(item) && resolve(item.command).is_some()).collect()
}

fn all_items() -> Vec<PaletteItem> {
    let item = |command, title: String, note| PaletteItem { command, title, note };
    let mut items: Vec<PaletteItem> =
        STATIC_COMMANDS.iter().map(|(command, title)| item(*command, (*title).to_owned(), "")).collect();
    let plan = |tier: Tier| item(Command::Plan(Some(tier)), format!("Plan: {}", tier.display_name()), "");
    items.extend(Tier::ALL.into_iter().map(plan));
    let tool = |(panel, name): &(ToolPanel, &'static str)| item(Command::Tool(*panel), format!("Tool: {name}"), "");
    items.extend(ToolPanel::ALL.iter().map(tool));
    let panel = |(panel, name): &(LogFilterPanel, &'static str)| {
        item(Command::LogFilter(LogFilterCommand::Panel(*panel)), format!("Tool: {name}"), "")
    };
    items.extend(LogFilterPanel::ALL.iter().map(panel));
    items.push(item(Command::Phase(None), "Phase: any".to_owned(), ""));
    let phase = |phase: &Phase| item(Command::Phase(Some(*phase)), format!("Phase: {}", phase.title()), phase.name());
    items.extend(Phase::ALL.iter().map(phase));
    let explain =
        |code: DiagnosticCode, name: &str, subject| item(Command::Explain(code), format!("Explain {name}"), subject);
    let codes = zonewright_expression::code::NAMES.iter();
    let expression_codes = codes.map(|name| explain(DiagnosticCode::Expression(name), name, "expressions"));
    let codes = zonewright_logpush::code::NAMES.iter();
    let filter_codes = codes.map(|name| explain(DiagnosticCode::Filter(name), name, "log filters"));
    // Some names exist in both languages: those of the current page come first.
    match Route::from_location() {
        Route::LogFilters | Route::Jobs => items.extend(filter_codes.chain(expression_codes)),
        _ => items.extend(expression_codes.chain(filter_codes)),
    }
    items
}

/// Splits a text into lowercase words.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The handlers of the commands.
#[derive(Clone, Copy)]
pub(crate) struct CommandContext {
    expression: ExpressionContext,
    requests: PageRequests,
    theme: ThemeContext,
    /// The handlers of the current page.
    page_handlers: RwSignal<Option<Callback<Command, CommandHandler>>>,
}

impl CommandContext {
    /// Creates the context and provides it to the app.
    pub(crate) fn provide(expression: ExpressionContext, requests: PageRequests, theme: ThemeContext) -> Self {
        let commands = CommandContext { expression, requests, theme, page_handlers: RwSignal::new(None) };
        provide_context(commands);
        commands
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns the handler of a command, or `None` if the command is not available now. `explain` opens the page of a
    /// diagnostic code.
    pub(crate) fn resolve(self, command: Command, explain: Callback<DiagnosticCode>) -> CommandHandler {
        let CommandContext { expression, requests, theme, page_handlers } = self;
        match command {
            Command::Go(route) => handler(move || route.navigate()),
            Command::NewJob => handler(move || requests.open_new_job()),
            Command::Theme(selected) => handler(move || theme.theme.set(selected)),
            Command::Plan(plan) => handler(move || expression.scope.update(|scope| scope.tier = plan)),
            Command::Phase(phase) => handler(move || expression.scope.update(|scope| scope.phase = phase)),
            Command::Explain(code) => handler(move || explain.run(code)),
            page_command => page_handlers.get()?.try_run(page_command)?,
        }
    }
}

/// Wraps a function as a handler. It is a shorthand for match arms, which all have the type [`CommandHandler`].
// The return type is that of the match arms.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn handler(act: impl FnOnce() + 'static) -> CommandHandler {
    Some(Box::new(act))
}

/// Registers the commands of the current page until its component is unmounted.
pub(crate) fn register_page_commands(handlers: impl Fn(Command) -> CommandHandler + Send + Sync + 'static) {
    let page_handlers = CommandContext::get().page_handlers;
    page_handlers.set(Some(Callback::new(handlers)));
    on_cleanup(move || {
        page_handlers.try_set(None);
    });
}
