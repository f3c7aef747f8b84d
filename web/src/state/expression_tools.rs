//! The input of the tools next to the expression editor.

use crate::storage::{self, Item, Workspace};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
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
    /// The question to prove.
    pub(crate) question: RwSignal<ProofQuestion>,
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

    /// Returns the tool with a title.
    fn from_title(title: &str) -> Option<Self> {
        ToolPanel::ALL.iter().find(|(_, candidate)| *candidate == title).map(|(panel, _)| *panel)
    }
}

/// A question to prove about all requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ProofQuestion {
    /// Whether both expressions match the same requests.
    #[default]
    Equivalent,
    /// Whether the other expression matches every request that the editor's expression matches.
    Subsumes,
    /// Whether the editor's expression matches any request.
    Satisfiable,
    /// Which rules of a list never fire.
    RuleList,
}

impl ProofQuestion {
    /// All questions with their titles, in the order of the control.
    pub(crate) const ALL: [(ProofQuestion, &'static str); 4] = [
        (ProofQuestion::Equivalent, "Equivalent"),
        (ProofQuestion::Subsumes, "Covers editor expression"),
        (ProofQuestion::Satisfiable, "Can match"),
        (ProofQuestion::RuleList, "Rule list"),
    ];

    /// Returns the title.
    fn title(self) -> &'static str {
        ProofQuestion::ALL.iter().find(|(question, _)| *question == self).map_or("", |(_, title)| title)
    }

    /// Returns the question with a title.
    fn from_title(title: &str) -> Option<Self> {
        ProofQuestion::ALL.iter().find(|(_, candidate)| *candidate == title).map(|(question, _)| *question)
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

/// The stored form of a sample request. The text may contain a secret that the user typed, as any text may.
#[derive(Serialize, Deserialize)]
#[serde(default)]
struct StoredSample {
    text: String,
    entry: usize,
    fields: BTreeMap<String, String>,
    missing_fields: String,
}

impl Default for StoredSample {
    /// Creates the example, with an IP address outside of the networks in the example expression.
    fn default() -> Self {
        StoredSample {
            text: EXAMPLE.to_owned(),
            entry: 0,
            fields: BTreeMap::from([("ip.src".to_owned(), "198.51.100.7".to_owned())]),
            missing_fields: String::new(),
        }
    }
}

impl SampleInput {
    /// Restores the input of the last visit, or creates the example.
    fn restore() -> Self {
        let stored: StoredSample = storage::restore_json(Item::SampleRequest).unwrap_or_default();
        SampleInput {
            text: RwSignal::new(stored.text),
            entry: RwSignal::new(stored.entry),
            fields: RwSignal::new(stored.fields),
            missing_fields: RwSignal::new(MissingPolicy::from_name(&stored.missing_fields).unwrap_or_default()),
        }
    }

    fn to_stored(self) -> String {
        storage::to_json(&StoredSample {
            text: self.text.get(),
            entry: self.entry.get(),
            fields: self.fields.get(),
            missing_fields: self.missing_fields.get().name().to_owned(),
        })
    }
}

impl ExpressionToolsContext {
    /// Provides the input of the last visit, and stores every change of it.
    pub(crate) fn provide() -> Self {
        let text = |item: Item| RwSignal::new(item.restore().unwrap_or_default());
        let panel = Item::ExpressionTool.restore().and_then(|title| ToolPanel::from_title(&title));
        let question = Item::ProofQuestion.restore().and_then(|title| ProofQuestion::from_title(&title));
        let tools = ExpressionToolsContext {
            panel: RwSignal::new(panel.unwrap_or_default()),
            sample_input: SampleInput::restore(),
            question: RwSignal::new(question.unwrap_or_default()),
            compared_expression: text(Item::ComparedExpression),
            rule_list: text(Item::RuleList),
            test_cases: text(Item::TestCases),
        };
        let workspace = Workspace::get();
        workspace.persist(Item::ExpressionTool, move || tools.panel.get().title().to_owned());
        workspace.persist(Item::SampleRequest, move || tools.sample_input.to_stored());
        workspace.persist(Item::ProofQuestion, move || tools.question.get().title().to_owned());
        workspace.persist_text(Item::ComparedExpression, tools.compared_expression);
        workspace.persist_text(Item::RuleList, tools.rule_list);
        workspace.persist_text(Item::TestCases, tools.test_cases);
        provide_context(tools);
        tools
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }
}
