//! Reads the old configuration of a zone, in the shapes that the legacy API returns.
//!
//! [`read_config`] reads a JSON document into a [`ZoneConfig`]. It rejects envelopes that report an error or
//! contain only one of several pages, because a plan of an incomplete configuration would lose settings.

use crate::section::Section;
use serde::de::DeserializeOwned;
use serde_json::Value;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::legacy_waf::{Group, Package, Switch, UrlOverride, WafRule};
use zonewright_api::page_rule::PageRule;
use zonewright_api::ruleset::Ruleset;
use zonewright_api::{ObjectReader, ValidationError, describe_value, join_alternatives, read_object};
use zonewright_expression::schema::Tier;

/// The number of errors after which the remaining items are not read.
const MAX_ERRORS: usize = 100;

/// Everything about a zone that the migration depends on. A JSON pointer into it, such as `/rules/3/mode`, points into
/// the document that [`read_config`] reads, as if every list were a plain array and not an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneConfig {
    /// The ID of the zone; empty if unknown.
    pub zone_id: String,
    /// The domain name of the zone; empty if unknown.
    pub name: String,
    /// The plan of the zone.
    pub tier: Tier,
    /// The switch for all previous managed rules: `/settings/waf`.
    pub waf: Switch,
    /// `/packages`.
    pub packages: Vec<Package>,
    /// `/groups`, of all packages.
    pub groups: Vec<Group>,
    /// `/rules`, of all packages.
    pub rules: Vec<WafRule>,
    /// `/overrides`.
    pub overrides: Vec<UrlOverride>,
    /// `/firewall_rules`.
    pub firewall_rules: Vec<FirewallRule>,
    /// `/page_rules`.
    pub page_rules: Vec<PageRule>,
    /// `/entry_point`: the existing entry point of the managed rules, if there is one.
    pub entry_point: Option<Ruleset>,
    /// The sections that were not provided.
    pub missing_sections: Vec<Section>,
}

/// The members of the document that are not a [`Section`].
const OTHER_MEMBERS: [&str; 3] = ["zone", "plan", "entry_point"];

/// Reads a configuration from JSON.
///
/// Its members are responses of the legacy API: arrays, or whole envelopes whose `result` is read. `zone` is a zone
/// object or its name. `plan` is the name of a plan, and is required unless the zone object has it. `settings` is
/// `{"waf": "on"}`, or the setting as the service returns it.
///
/// # Errors
///
/// Returns every unreadable item, with a pointer to it, up to a limit.
pub fn read_config(document: &Value) -> Result<ZoneConfig, Vec<ValidationError>> {
    let names: Vec<&str> = OTHER_MEMBERS.into_iter().chain(Section::ALL.map(Section::name)).collect();
    let mut members = ObjectReader::new(document, "the zone configuration", &names, &[])?;
    let mut config = ZoneConfig {
        zone_id: String::new(),
        name: String::new(),
        tier: Tier::Enterprise,
        waf: Switch::On,
        packages: read_list(&mut members, "packages"),
        groups: read_list(&mut members, "groups"),
        rules: read_list(&mut members, "rules"),
        overrides: read_list(&mut members, "overrides"),
        firewall_rules: read_list(&mut members, "firewall_rules"),
        page_rules: read_list(&mut members, "page_rules"),
        entry_point: None,
        missing_sections: Section::ALL.into_iter().filter(|section| members.get(section.name()).is_none()).collect(),
    };
    for name in names {
        check_complete_envelope(&mut members, name);
    }
    read_zone(&mut members, &mut config);
    read_setting(&mut members, &mut config);
    // The response for a zone without an entry point is a 404 whose `result` is null.
    if let Some((pointer, value)) = member_content(&members, "entry_point").filter(|(_, value)| !value.is_null()) {
        config.entry_point = read_item(&mut members, pointer, value);
    }
    if members.errors.is_empty() { Ok(config) } else { Err(members.errors) }
}

/// The error codes of responses for a missing entry point (observed). One of them equals the HTTP status.
const NOT_FOUND_CODES: [u64; 2] = [10003, 404];

/// Rejects an envelope that reports an error or has only one of several pages, because its missing items would be read
/// as nonexistent.
fn check_complete_envelope(members: &mut ObjectReader, name: &str) {
    let Some(Value::Object(envelope)) = members.get(name) else { return };
    if !envelope.contains_key("result") {
        return;
    }
    let failed = envelope.get("success") == Some(&Value::Bool(false));
    // A 404 for the entry point is a valid response.
    let absent = envelope.get("errors").and_then(Value::as_array).is_some_and(|errors| {
        errors
            .iter()
            .any(|error| error.get("code").and_then(Value::as_u64).is_some_and(|code| NOT_FOUND_CODES.contains(&code)))
    });
    if failed && !(name == "entry_point" && absent) {
        let message = "this response reports an error; repeat the request and provide a successful response";
        members.errors.push(ValidationError::invalid_value(format!("/{name}/success"), message));
        return;
    }
    let number = |name: &str| envelope.get("result_info")?.get(name)?.as_u64();
    let item_count = envelope.get("result").and_then(Value::as_array).map_or(0, Vec::len) as u64;
    // Some lists report only the number of pages, not the total. An array with more items than one page counts
    // as all pages combined.
    let page_size = number("count").or(number("per_page")).unwrap_or(item_count);
    if let Some(pages) = number("total_pages").filter(|pages| *pages > 1 && item_count <= page_size)
        && number("total_count").is_none()
    {
        let message = format!("this is one page of {pages}; combine all pages into one array");
        members.errors.push(ValidationError::invalid_value(format!("/{name}/result_info"), message));
    }
    if let Some(total) = number("total_count").filter(|total| *total > item_count) {
        let message = format!("this page has {item_count} of {total} items; combine all pages into one array");
        members.errors.push(ValidationError::invalid_value(format!("/{name}/result_info"), message));
    }
}

fn read_setting(members: &mut ObjectReader, config: &mut ZoneConfig) {
    let Some((pointer, setting)) = member_content(members, "settings") else { return };
    check_setting(members, &pointer, setting);
    let (name, value) = match (setting.get("waf"), setting.get("value")) {
        (Some(value), _) => ("waf", value),
        (None, Some(value)) => ("value", value),
        (None, None) => ("waf", setting),
    };
    match value.as_str().and_then(Switch::from_name) {
        Some(switch) => config.waf = switch,
        None => {
            let message = format!("the setting `waf` must be `on` or `off`, not {}", quote_value(value));
            members.errors.push(ValidationError::invalid_value(format!("{pointer}/{name}"), message));
        }
    }
}

/// Rejects settings other than `waf`, because their values would be read as that of `waf`. Also rejects contradictory
/// values.
fn check_setting(members: &mut ObjectReader, pointer: &str, value: &Value) {
    let Value::Object(setting) = value else { return };
    if let Some(id) = setting.get("id").filter(|id| *id != "waf") {
        let message = format!("expected the setting `waf`, found {}", quote_value(id));
        members.errors.push(ValidationError::invalid_value(format!("{pointer}/id"), message));
    }
    if setting.get("waf").zip(setting.get("value")).is_some_and(|(waf, value)| waf != value) {
        let message = "`waf` and `value` contradict each other";
        members.errors.push(ValidationError::invalid_value(format!("{pointer}/value"), message));
    }
    let known = ["waf", "id", "value", "editable", "modified_on"];
    let unknown = setting.keys().find(|name| !known.contains(&name.as_str()));
    if let Some(name) = unknown {
        let excerpt: String = name.chars().take(64).collect();
        let message = format!("unknown member `{excerpt}`; only the setting `waf` is used");
        members.errors.push(ValidationError::invalid_shape(pointer, message));
    }
}

/// Reads zone and plan. The member `plan` takes precedence over the plan of the zone object.
fn read_zone(members: &mut ObjectReader, config: &mut ZoneConfig) {
    let mut plan = None;
    match member_content(members, "zone") {
        Some((_, Value::String(name))) => config.name.clone_from(name),
        Some((pointer, zone @ Value::Object(_))) => {
            let text = |pointer| zone.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
            config.zone_id = text("/id");
            config.name = text("/name");
            plan = zone.pointer("/plan/legacy_id").map(|value| (format!("{pointer}/plan/legacy_id"), value));
        }
        Some((pointer, other)) => push_type_error(members, "zone", pointer, "a zone or its name", other),
        None => {}
    }
    if let Some(value) = members.get("plan") {
        plan = Some(("/plan".to_owned(), value));
    }
    if let Some((pointer, value)) = plan {
        match value.as_str().and_then(Tier::from_name) {
            Some(tier) => config.tier = tier,
            None => {
                let names = Tier::ALL.map(Tier::name);
                let message =
                    format!("the plan must be one of {}, not {}", join_alternatives(&names), quote_value(value));
                members.errors.push(ValidationError::invalid_value(pointer, message));
            }
        }
    } else {
        let message = "`plan` is missing; it determines what can be migrated";
        members.errors.push(ValidationError::invalid_shape("/plan", message));
    }
}

fn read_list<T: DeserializeOwned>(members: &mut ObjectReader, name: &str) -> Vec<T> {
    match member_content(members, name) {
        None => Vec::new(),
        Some((pointer, Value::Array(values))) => {
            let mut items = Vec::with_capacity(values.len());
            for (index, value) in values.iter().enumerate() {
                if members.errors.len() >= MAX_ERRORS {
                    break;
                }
                items.extend(read_item(members, format!("{pointer}/{index}"), value));
            }
            items
        }
        Some((pointer, other)) => {
            push_type_error(members, name, pointer, "an array or an envelope that contains an array", other);
            Vec::new()
        }
    }
}

fn read_item<T: DeserializeOwned>(members: &mut ObjectReader, pointer: String, value: &Value) -> Option<T> {
    read_object(value).map_err(|message| members.errors.push(ValidationError::invalid_shape(pointer, message))).ok()
}

/// Returns the content of a member with the JSON pointer to it: the result of an envelope, or the member itself.
fn member_content<'a>(members: &ObjectReader<'a>, name: &str) -> Option<(String, &'a Value)> {
    let value = members.get(name)?;
    Some(match value.get("result") {
        Some(result) => (format!("/{name}/result"), result),
        None => (format!("/{name}"), value),
    })
}

fn push_type_error(members: &mut ObjectReader, name: &str, pointer: String, expected: &str, value: &Value) {
    let message = format!("`{name}` must be {expected}, not {}", describe_value(value));
    members.errors.push(ValidationError::invalid_shape(pointer, message));
}

fn quote_value(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", text.chars().take(64).collect::<String>()),
        other => describe_value(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn incomplete_failed_and_wrong_responses_are_rejected() {
        let cases = [
            (json!({"overrides": {"success": false, "errors": [{"code": 1}], "result": []}}), "/overrides/success"),
            (json!({"rules": {"result": [], "result_info": {"page": 1, "total_count": 250}}}), "/rules/result_info"),
            (json!({"settings": {"id": "always_online", "value": "off"}}), "/settings/id"),
            (json!({"settings": {"waf": "on", "security_level": "high"}}), "/settings"),
            (json!({"settings": {"id": "waf", "waf": "on", "value": "off"}}), "/settings/value"),
            (json!({"groups": {"result": [], "result_info": {"count": 20, "total_pages": 3}}}), "/groups/result_info"),
            (
                json!({"entry_point": {"success": false, "errors": [{"code": 10000}], "result": null}}),
                "/entry_point/success",
            ),
            (json!({"entry_point": {"success": false, "errors": [], "result": null}}), "/entry_point/success"),
        ];
        for (mut document, pointer) in cases {
            document["plan"] = json!("pro");
            let errors = read_config(&document).unwrap_err();
            assert_eq!(errors.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(), [pointer], "{document}");
        }
        let response = json!({"plan": "pro",
            "groups": {"result": [], "success": true, "result_info": {"total_count": 0}},
            "entry_point": {"result": null, "success": false, "errors": [{"code": 10003}]}});
        assert!(read_config(&response).unwrap().entry_point.is_none());
    }

    #[test]
    fn envelopes_and_arrays_are_read_alike() {
        let group = json!({"id": "a", "mode": "on"});
        let plain = json!({"plan": "pro", "groups": [group], "settings": {"waf": "off"}});
        let responses = json!({
            "zone": {"result": {"id": "", "name": "", "plan": {"legacy_id": "pro"}}, "success": true},
            "groups": {"result": [group], "success": true, "errors": [], "messages": []},
            "settings": {"result": {"id": "waf", "value": "off", "editable": true}},
        });
        let config = read_config(&plain).unwrap();
        assert_eq!(read_config(&responses).unwrap(), config);
        assert_eq!((config.waf, config.tier, config.groups.len()), (Switch::Off, Tier::Pro, 1));
        let absent: Vec<&str> = config.missing_sections.iter().map(|section| section.name()).collect();
        assert_eq!(absent, ["packages", "rules", "overrides", "firewall_rules", "page_rules"]);
    }

    #[test]
    fn errors_have_pointers() {
        let cases = [
            (json!([]), vec![""]),
            (json!({}), vec!["/plan"]),
            (json!({"plan": "gold"}), vec!["/plan"]),
            (json!({"plan": "pro", "package": []}), vec!["/package"]),
            (json!({"plan": "pro", "packages": {}}), vec!["/packages"]),
            (
                json!({"plan": "pro", "groups": [{"id": "a", "mode": "maybe"}, 7, ["a"]]}),
                vec!["/groups/0", "/groups/1", "/groups/2"],
            ),
            (json!({"plan": "pro", "settings": {"waf": true}}), vec!["/settings/waf"]),
            (json!({"plan": "pro", "zone": 7}), vec!["/zone"]),
        ];
        for (document, expected) in cases {
            let errors = read_config(&document).unwrap_err();
            let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
            assert_eq!(pointers, expected, "{document}");
        }
    }

    #[test]
    fn pointers_lead_into_envelopes() {
        let cases = [
            (json!({"groups": {"result": [{"id": "a", "mode": "on"}, 7]}}), "/groups/result/1"),
            (json!({"packages": {"result": {}}}), "/packages/result"),
            (json!({"settings": {"result": {"id": "waf", "value": "maybe"}}}), "/settings/result/value"),
            (json!({"settings": {"result": {"id": "minify", "value": "on"}}}), "/settings/result/id"),
            (json!({"settings": {"result": {"waf": "on", "value": "off"}}}), "/settings/result/value"),
            (json!({"settings": {"result": {"waf": "on", "minify": "on"}}}), "/settings/result"),
            (json!({"settings": {"id": "waf", "value": "maybe"}}), "/settings/value"),
            (json!({"entry_point": {"result": [], "success": true}}), "/entry_point/result"),
            (json!({"zone": {"result": 7}}), "/zone/result"),
        ];
        for (mut document, pointer) in cases {
            document["plan"] = json!("pro");
            let pointers: Vec<String> =
                read_config(&document).unwrap_err().into_iter().map(|error| error.pointer).collect();
            assert_eq!(pointers, [pointer], "{document}");
        }
        let zone = json!({"zone": {"result": {"plan": {"legacy_id": "gold"}}}});
        assert_eq!(read_config(&zone).unwrap_err()[0].pointer, "/zone/result/plan/legacy_id");
    }
}
