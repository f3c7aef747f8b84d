//! The input of the tools next to the expression editor.

use crate::storage;
use leptos::prelude::*;
use std::collections::BTreeMap;
use zonewright_expression::MissingPolicy;

/// The initial sample request, which belongs to the example expression.
const EXAMPLE: &str = "GET /admin/users HTTP/1.1\nHost: shop.example.com\nUser-Agent: Mozilla/5.0\n";

/// The input of the tools.
#[derive(Clone, Copy)]
pub(crate) struct ExpressionToolsContext {
    /// The visible tool.
    pub(crate) panel: RwSignal<ToolPanel>,
    /// The request that the expression is evaluated on.
    pub(crate) sample_input: SampleInput,
    /// The expression to compare with.
    pub(crate) compared_expression: RwSignal<String>,
    /// The list of rules to check for unreachable ones, as text.
    pub(crate) rule_list: RwSignal<String>,
    /// The test cases, as TOML.
    pub(crate) test_cases: RwSignal<String>,
}

/// A tool next to the editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ToolPanel {
    /// The expression in English.
    #[default]
    Explain,
    /// The decision diagram.
    Diagram,
    /// A sample request.
    TestRequest,
    /// Test cases.
    TestCases,
    /// Proofs about the expression, another expression, or a list of rules.
    Compare,
    /// The expression in other languages.
    CopyAs,
}

impl ToolPanel {
    /// All tools with their titles, in the order of the tabs.
    pub(crate) const ALL: [(ToolPanel, &'static str); 6] = [
        (ToolPanel::Explain, "Explain"),
        (ToolPanel::Diagram, "Diagram"),
        (ToolPanel::TestRequest, "Test request"),
        (ToolPanel::TestCases, "Test cases"),
        (ToolPanel::Compare, "Compare"),
        (ToolPanel::CopyAs, "Copy as"),
    ];

    /// Returns the title.
    pub(crate) fn title(self) -> &'static str {
        ToolPanel::ALL.iter().find(|(panel, _)| *panel == self).map_or("", |(_, title)| title)
    }
}

/// A sample request as the user entered it.
#[derive(Clone, Copy)]
pub(crate) struct SampleInput {
    /// A request in any supported format.
    pub(crate) text: RwSignal<String>,
    /// The index of the request in a HAR file.
    pub(crate) entry: RwSignal<usize>,
    /// Values of fields, and of lists (named with `$`), that replace those of the request. Empty values are ignored.
    pub(crate) fields: RwSignal<BTreeMap<String, String>>,
    /// The value of fields that neither the request nor the user provides.
    pub(crate) missing_fields: RwSignal<MissingPolicy>,
}

impl SampleInput {
    /// Creates the example, with an IP address outside of the networks in the example expression.
    fn new() -> Self {
        SampleInput {
            text: RwSignal::new(EXAMPLE.to_owned()),
            entry: RwSignal::new(0),
            fields: RwSignal::new(BTreeMap::from([("ip.src".to_owned(), "198.51.100.7".to_owned())])),
            missing_fields: RwSignal::new(MissingPolicy::Unknown),
        }
    }
}

impl ExpressionToolsContext {
    /// Provides the input of the tools, with the test cases of the last visit, and stores every change of the test
    /// cases.
    pub(crate) fn provide() -> Self {
        let test_cases = RwSignal::new(storage::get(storage::TEST_CASES_KEY).unwrap_or_default());
        Effect::new(move || storage::set(storage::TEST_CASES_KEY, &test_cases.read()));
        let tools = ExpressionToolsContext {
            panel: RwSignal::new(ToolPanel::default()),
            sample_input: SampleInput::new(),
            compared_expression: RwSignal::new(String::new()),
            rule_list: RwSignal::new(String::new()),
            test_cases,
        };
        provide_context(tools);
        tools
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}
