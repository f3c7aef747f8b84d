//! Checks of names: resolves fields and indexes, and checks the phase and the plan of fields and functions.

use super::{Checker, ValueType, condition::excerpt, foreign_syntax::rewrite_property};
use crate::{
    Container, Kind, Type,
    ast::{Comparison, Index, IndexKind, Name, Value},
    code,
    schema::{self, Availability, Certainty, Field, Function, Phase, PlanRequirement, Tier, Traffic},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Checker<'_> {
    /// Returns the type of a field or call with its indexes.
    pub(super) fn check_value(&mut self, value: &Value, span: Span) -> Option<ValueType> {
        self.check_value_in_comparison(value, span, None)
    }

    /// Returns the type of a field or call with its indexes. If the value is the left side of a comparison,
    /// `comparison` is that comparison with its span.
    pub(super) fn check_value_in_comparison(
        &mut self,
        value: &Value,
        span: Span,
        comparison: Option<(&Comparison, Span)>,
    ) -> Option<ValueType> {
        let base = match &value.call {
            Some(call) => self.check_call(&value.name, call),
            None => self.check_field(value, span, comparison).map(|field| field.ty),
        };
        let mut typed = ValueType::scalar(base?);
        for index in &value.indexes {
            typed = self.check_index(typed, index, Span::new(span.start, index.span.start))?;
        }
        Some(typed)
    }

    fn check_index(&mut self, typed: ValueType, index: &Index, indexed_span: Span) -> Option<ValueType> {
        let container = typed.ty.container();
        let element = typed.ty.element();
        match (&index.kind, container) {
            (IndexKind::Invalid, _) => None,
            (IndexKind::Element(_), Some(Container::Array)) | (IndexKind::Key(_), Some(Container::Map)) => {
                Some(ValueType { ty: element, maps_each: typed.maps_each })
            }
            (IndexKind::Each, Some(_)) => Some(ValueType { ty: element, maps_each: true }),
            _ => {
                let text = excerpt(self.text(indexed_span));
                let help = match container {
                    Some(Container::Array) => {
                        "arrays are indexed by number: `[0]`, or `[*]` for all elements".to_owned()
                    }
                    Some(Container::Map) => "maps are indexed by key: `[\"name\"]`, or `[*]` for all values".to_owned(),
                    None => format!("{} is a single value and cannot be indexed", typed.ty),
                };
                self.report(
                    Diagnostic::error(code::INDEX_TYPE, index.span, format!("this index cannot be used with `{text}`"))
                        .with_related(indexed_span, format!("this is {}", typed.ty))
                        .with_help(help),
                );
                None
            }
        }
    }

    fn check_field(
        &mut self,
        value: &Value,
        span: Span,
        comparison: Option<(&Comparison, Span)>,
    ) -> Option<&'static Field> {
        let name = &value.name;
        let repeated_field = self.last_field.filter(|field| field.name == name.text);
        let known_field =
            repeated_field.or_else(|| schema::field(&name.text)).or_else(|| self.find_field_ignoring_invisible(name));
        let Some(field) = known_field else {
            let entry = self.foreign_entry_error(value, span, comparison);
            let diagnostic = entry.unwrap_or_else(|| self.unknown_field_error(name));
            self.report(diagnostic);
            return None;
        };
        self.last_field = known_field;
        if let Some(deprecated) = field.deprecated {
            self.report(deprecated_field_warning(name, deprecated.replacement));
        }
        if field.certainty == Certainty::Unconfirmed && field.deprecated.is_none() {
            self.report(undocumented_hint(name.span, &format!("`{}`", field.name)));
        }
        self.check_field_phase(field, name.span);
        if let Some(needs) = field.needs {
            self.require_plan(needs, name.span, &format!("`{}`", field.name));
        }
        Some(field)
    }

    fn unknown_field_error(&mut self, name: &Name) -> Diagnostic {
        let text = name.text.as_str();
        if schema::function(text).is_some() {
            return Diagnostic::error(
                code::UNCALLED_FUNCTION,
                name.span,
                format!("`{text}` is a function and needs arguments"),
            )
            .with_help(format!("call it: `{text}(…)`"));
        }
        if let Some(call) = rewrite_property(text) {
            let edits = vec![Edit::replace(name.span, call.as_str())];
            return Diagnostic::error(code::UNKNOWN_FIELD, name.span, format!("unknown field `{}`", excerpt(text)))
                .with_help("values have no properties; call a function instead")
                .with_fix(Fix::unsafe_edits(format!("use `{}`", excerpt(&call)), edits));
        }
        let is_malformed = text.split('.').any(str::is_empty);
        let code = if is_malformed { code::MALFORMED_NAME } else { code::UNKNOWN_FIELD };
        let message = if is_malformed {
            format!("`{}` has an extra dot", excerpt(text))
        } else {
            format!("unknown field `{}`", excerpt(text))
        };
        let normalized = text.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let mut diagnostic = Diagnostic::error(code, name.span, message);
        for candidate in self.suggest_fields(&normalized) {
            diagnostic = diagnostic
                .with_fix(Fix::unsafe_edits(format!("use `{candidate}`"), vec![Edit::replace(name.span, candidate)]));
        }
        if diagnostic.fixes.is_empty() && !text.contains('.') {
            diagnostic =
                diagnostic.with_help("most field names have dots, such as `http.host`; strings must be quoted");
        }
        diagnostic
    }

    /// Returns the fields that were probably intended: the field with this alias, otherwise fields with similar names.
    fn suggest_fields(&mut self, name: &str) -> Vec<&'static str> {
        if let Some(field) = schema::FIELDS.iter().find(|field| field.aliases.contains(&name)) {
            return vec![field.name];
        }
        self.find_similar_names(
            name,
            schema::FIELDS.iter().filter(|field| field.deprecated.is_none()).map(|field| field.name),
        )
    }

    /// Returns the field with this name after removal of invisible characters, which the parser already reported.
    fn find_field_ignoring_invisible(&self, name: &Name) -> Option<&'static Field> {
        schema::field(&self.text(name.span).replace(['\u{200b}', '\u{feff}'], ""))
    }

    fn check_field_phase(&mut self, field: &Field, span: Span) {
        let Some(phase) = self.options.phase else { return };
        let kind = self.options.kind;
        if is_available_in(field, phase, kind) {
            return;
        }
        let is_countable = field.available == Availability::Response && is_available_in(field, phase, Kind::Counting);
        let help = match (field.only_in, field.available) {
            (Some(phases), _) => only_in_phases_text(phases),
            (_, Availability::Response) if is_countable => match kind {
                Kind::Value => "only the counting expression of a rate limit can use the response".to_owned(),
                _ => "move this comparison to the counting expression, which can use the response".to_owned(),
            },
            (_, Availability::Response) => "it is only available in phases that handle the response".to_owned(),
            (_, Availability::Packet) => "it is only available in network-layer phases".to_owned(),
            _ => "it is only available for HTTP requests".to_owned(),
        };
        let mut diagnostic = not_in_phase_error(span, field.name, phase);
        if is_countable {
            diagnostic.message =
                format!("`{}` is only available in counting expressions of {}", field.name, phase.name());
        }
        self.report(diagnostic.with_help(help));
    }

    pub(super) fn check_function_phase(&mut self, function: &Function, span: Span) {
        let (Some(phase), Some(phases)) = (self.options.phase, function.only_in) else { return };
        if !phases.contains(&phase) {
            self.report(not_in_phase_error(span, function.name, phase).with_help(only_in_phases_text(phases)));
        }
    }

    /// Reports a feature that the plan does not include.
    pub(super) fn require_plan(&mut self, needs: PlanRequirement, span: Span, subject: &str) {
        let Some(plan) = self.options.plan else { return };
        let (tier, product) = minimum_plan(needs);
        if plan < tier {
            self.report(
                Diagnostic::error(code::NOT_IN_PLAN, span, format!("{subject} requires the {tier} plan{product}"))
                    .with_label(format!("the zone is on the {plan} plan")),
            );
        }
    }
}

/// Returns the lowest plan that includes a feature, and the additional product that it requires.
fn minimum_plan(needs: PlanRequirement) -> (Tier, &'static str) {
    match needs {
        PlanRequirement::Tier(tier) => (tier, ""),
        // It is unknown whether the zone has the add-on (assumption add-ons).
        PlanRequirement::AddOn => (Tier::Enterprise, " with an add-on"),
    }
}

/// Returns whether the plan satisfies the requirement; without a plan, every requirement is satisfied.
pub(crate) fn is_in_plan(needs: PlanRequirement, options: &crate::Options) -> bool {
    options.plan.is_none_or(|plan| plan >= minimum_plan(needs).0)
}

/// Returns whether expressions of this kind, in rules of the phase, can read the field.
pub(super) fn is_available_in(field: &Field, phase: Phase, kind: Kind) -> bool {
    let traffic = phase.traffic();
    let is_visible = match field.available {
        Availability::Request => traffic != Traffic::Packet,
        Availability::Response => match traffic {
            Traffic::Response => true,
            Traffic::RequestAndResponse => kind == Kind::Counting,
            Traffic::Packet | Traffic::Request => false,
        },
        Availability::Packet => traffic == Traffic::Packet,
        Availability::RequestAndPacket => true,
    };
    is_visible && field.only_in.is_none_or(|phases| phases.contains(&phase))
}

fn only_in_phases_text(phases: &[Phase]) -> String {
    let names: Vec<&str> = phases.iter().map(|phase| phase.name()).collect();
    format!("it is only available in {}", names.join(", "))
}

fn not_in_phase_error(span: Span, name: &str, phase: Phase) -> Diagnostic {
    Diagnostic::error(code::NOT_IN_PHASE, span, format!("`{name}` is not available in {}", phase.name()))
}

pub(super) fn undocumented_hint(span: Span, subject: &str) -> Diagnostic {
    Diagnostic::hint(code::UNDOCUMENTED, span, format!("{subject} is not in the public documentation"))
        .with_help("it is known only from other sources; test it on your zone before you rely on it")
}

fn deprecated_field_warning(name: &Name, replacement: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(code::DEPRECATED, name.span, format!("`{}` is deprecated", name.text));
    match replacement {
        Some(new) => diagnostic
            .with_help(format!("use `{new}`, which has the same value"))
            .with_fix(Fix::safe_edits(format!("use `{new}`"), vec![Edit::replace(name.span, new)])),
        None => diagnostic.with_help("its value is always 0"),
    }
}

/// Formats types for a message.
pub(super) fn join_types(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use crate::{Options, check, code};

    #[test]
    fn undocumented_fields_and_operators_have_a_help() {
        let cases = ["cf.edge.client_port eq 1024", "tcp.flags & 2"];
        for source in cases {
            let diagnostics = check(source, &Options::default()).diagnostics;
            let undocumented = diagnostics.iter().find(|diagnostic| diagnostic.code == code::UNDOCUMENTED);
            let help = undocumented.and_then(|diagnostic| diagnostic.help.as_deref());
            let expected = "it is known only from other sources; test it on your zone before you rely on it";
            assert_eq!(help, Some(expected), "{source}");
        }
    }
}
