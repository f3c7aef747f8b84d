//! The expression in other languages.

use crate::components::code_view::CodeView;
use crate::export;
use crate::state::expression::ExpressionContext;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use zonewright_expression::Kind;

/// Exports the expression to other languages.
#[component]
pub(crate) fn CopyAsPanel() -> impl IntoView {
    let service = ServiceContext::get();
    let expression = ExpressionContext::get();
    let convert = move |write: fn(&str) -> String| Signal::derive(move || write(expression.source.read().trim()));
    let curl = Signal::derive(move || {
        let connection = service.connection.read();
        export::to_curl_command(expression.source.read().trim(), &connection.absolute_root(), &connection.zone)
    });
    view! {
        <div class="code-views">
            <CodeView title="Plain text" text=convert(str::to_owned) />
            <CodeView title="JSON string" text=convert(export::to_json_string) />
            <CodeView title="HCL string" note="For Terraform and OpenTofu." text=convert(export::to_hcl_string) />
            <CodeView title="HCL heredoc" note="Preserves line breaks." text=convert(export::to_hcl_heredoc) />
            <CodeView title="YAML" text=convert(export::to_yaml_scalar) />
            <div class="code-views-more" hidden=move || expression.scope.get().kind == Kind::Value>
            <CodeView
                title="curl"
                note="Creates a rule that blocks matching requests. The token comes from the shell variable TOKEN, never from this page."
                text=curl
            />
            </div>
        </div>
    }
}
