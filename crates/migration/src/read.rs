//! Reads the bodies of requests to the previous API and to entry points from JSON, and reports every error in them.
//!
//! Service and browser call the same functions, so both reject the same input with the same messages.

mod overrides;
mod page_rule;
mod page_rule_settings;

pub use crate::entry_point::{MAX_ENTRY_POINT_RULES, PHASE, entry_point_context, read_entry_point};
pub use overrides::{MAX_OVERRIDES, read_override, read_override_update};
pub use page_rule::{page_rule_quota, read_page_rule, read_page_rule_change};

use serde_json::Value;
use zonewright_api::legacy_waf::{ActionMode, DetectionMode, Group, Package, RuleMode, Sensitivity, Switch, WafRule};
use zonewright_api::{ObjectReader, ValidationError, describe_value, error_code, join_names};
use zonewright_expression::schema::Tier;

/// A change of a package; a member that is `None` keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackageChange {
    /// The new sensitivity.
    pub sensitivity: Option<Sensitivity>,
    /// The new action.
    pub action_mode: Option<ActionMode>,
}

/// Read-only members of a package, which clients send back.
const READ_ONLY_PACKAGE_MEMBERS: [&str; 6] = ["id", "name", "description", "detection_mode", "zone_id", "status"];
/// Read-only members of a group.
const READ_ONLY_GROUP_MEMBERS: [&str; 7] =
    ["id", "name", "description", "rules_count", "modified_rules_count", "package_id", "allowed_modes"];
/// Read-only members of a rule.
const READ_ONLY_RULE_MEMBERS: [&str; 7] =
    ["id", "description", "priority", "package_id", "group", "allowed_modes", "default_mode"];
/// Read-only members of a setting.
const READ_ONLY_SETTING_MEMBERS: [&str; 3] = ["id", "editable", "modified_on"];

/// Reads the body of `PATCH …/packages/{id}`. Only anomaly packages can be changed (observed).
pub fn read_package_change(body: &Value, package: &Package) -> Result<PackageChange, Vec<ValidationError>> {
    if package.detection_mode != DetectionMode::Anomaly {
        let message = "Only anomaly WAF packages can have their package attributes updated";
        return Err(vec![ValidationError {
            code: error_code::NOT_ANOMALY_PACKAGE,
            ..ValidationError::invalid_value("", message)
        }]);
    }
    let mut members =
        ObjectReader::new(body, "a package", &["sensitivity", "action_mode"], &READ_ONLY_PACKAGE_MEMBERS)?;
    let sensitivity = read_choice(
        &mut members,
        "sensitivity",
        &Sensitivity::ALL.iter().map(|value| value.name()).collect::<Vec<_>>(),
    );
    let action_mode =
        read_choice(&mut members, "action_mode", &ActionMode::ALL.iter().map(|value| value.name()).collect::<Vec<_>>());
    let change = PackageChange {
        sensitivity: sensitivity.and_then(Sensitivity::from_name),
        action_mode: action_mode.and_then(ActionMode::from_name),
    };
    if members.errors.is_empty() && change == (PackageChange { sensitivity: None, action_mode: None }) {
        let message = "the body contains no changes; send `sensitivity`, `action_mode` or both";
        members.errors.push(ValidationError::invalid_shape("", message));
    }
    if members.errors.is_empty() { Ok(change) } else { Err(members.errors) }
}

/// Reads the new mode of a group from the body of `PATCH …/groups/{id}`.
pub fn read_group_mode(body: &Value, group: &Group) -> Result<Switch, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a group", &["mode"], &READ_ONLY_GROUP_MEMBERS)?;
    let allowed: Vec<&str> = group.allowed_modes.iter().map(|mode| mode.name()).collect();
    members.required("mode");
    let mode = read_choice(&mut members, "mode", &allowed).and_then(Switch::from_name);
    mode.filter(|_| members.errors.is_empty()).ok_or(members.errors)
}

/// Reads the new mode of a rule from the body of `PATCH …/rules/{id}`. The rule must allow it.
pub fn read_rule_mode(body: &Value, rule: &WafRule) -> Result<RuleMode, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a rule", &["mode"], &READ_ONLY_RULE_MEMBERS)?;
    let allowed: Vec<&str> = rule.allowed_modes.iter().map(|mode| mode.name()).collect();
    // The beginning of the message is observed.
    let mismatch = |found: &str| {
        format!("Invalid or missing WAF Rule mode: {found}; the rule `{}` allows {}", rule.id, join_names(&allowed))
    };
    let mode = match members.get("mode") {
        None => Err(ValidationError::invalid_shape("/mode", mismatch("`mode` is missing"))),
        Some(Value::String(name)) => {
            let mode = RuleMode::from_name(name).filter(|mode| rule.allowed_modes.contains(mode));
            mode.ok_or_else(|| ValidationError::invalid_value("/mode", mismatch(&format!("found `{}`", shorten(name)))))
        }
        Some(other) => {
            Err(ValidationError::invalid_shape("/mode", mismatch(&format!("found {}", describe_value(other)))))
        }
    };
    match mode {
        Ok(mode) if members.errors.is_empty() => Ok(mode),
        Ok(_) => Err(members.errors),
        Err(error) => {
            members.errors.push(error);
            Err(members.errors)
        }
    }
}

/// Reads the switch of the previous managed rules from the body of `PATCH …/settings/waf`. The codes and the beginnings
/// of the messages are observed.
pub fn read_waf_setting(body: &Value, tier: Tier) -> Result<Switch, Vec<ValidationError>> {
    if tier == Tier::Free {
        let message = "Not allowed to edit setting for waf: the previous managed rules require the Pro plan or higher";
        return Err(vec![ValidationError {
            code: error_code::SETTING_NOT_EDITABLE,
            ..ValidationError::invalid_value("", message)
        }]);
    }
    let members = ObjectReader::new(body, "a setting", &["value"], &READ_ONLY_SETTING_MEMBERS)?;
    let value = members.get("value");
    let mut errors = members.errors;
    let switch = value.and_then(Value::as_str).and_then(Switch::from_name);
    if switch.is_none() {
        let found = match value {
            None => "nothing".to_owned(),
            Some(Value::String(text)) => format!("`{}`", shorten(text)),
            Some(other) => describe_value(other),
        };
        let message = format!("Invalid value for zone setting waf: expected `on` or `off`, found {found}");
        errors.push(ValidationError {
            code: error_code::INVALID_SETTING_VALUE,
            ..ValidationError::invalid_value("/value", message)
        });
    }
    switch.filter(|_| errors.is_empty()).ok_or(errors)
}

/// Reads an optional member whose value is one of the allowed names.
fn read_choice<'a>(members: &mut ObjectReader<'a>, name: &str, allowed: &[&str]) -> Option<&'a str> {
    match members.get(name)? {
        Value::String(text) if allowed.contains(&text.as_str()) => Some(text),
        Value::String(text) => {
            let message = format!("`{name}` cannot be `{}`; allowed values: {}", shorten(text), join_names(allowed));
            members.errors.push(ValidationError::invalid_value(format!("/{name}"), message));
            None
        }
        other => members.type_error(name, "a string", other),
    }
}

/// Returns at most the first 64 characters of a text, for a message.
fn shorten(text: &str) -> String {
    text.chars().take(64).collect()
}

/// Validates a required single-line text of at most `max_chars` characters.
fn check_single_line(pointer: &str, noun: &str, text: &str, max_chars: usize) -> Option<ValidationError> {
    let problem = if text.is_empty() {
        format!("{noun} is empty")
    } else if text.chars().any(char::is_control) {
        format!("{noun} contains a control character")
    } else if text.chars().count() > max_chars {
        format!("{noun} has {} characters; at most {max_chars} are allowed", text.chars().count())
    } else {
        return None;
    };
    Some(ValidationError::invalid_value(pointer, problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use zonewright_api::legacy_waf::GroupReference;

    fn package(detection_mode: DetectionMode) -> Package {
        let (id, name, description) = ("a".repeat(32), String::new(), String::new());
        let status = "active".to_owned();
        let zone_id = String::new();
        Package { id, name, description, detection_mode, zone_id, status, sensitivity: None, action_mode: None }
    }

    fn rule(allowed_modes: &[RuleMode]) -> WafRule {
        WafRule {
            id: "100015".to_owned(),
            description: String::new(),
            priority: "1".to_owned(),
            package_id: String::new(),
            group: GroupReference::default(),
            mode: RuleMode::Default,
            allowed_modes: allowed_modes.to_vec(),
            default_mode: None,
        }
    }

    fn error_pointers<T: std::fmt::Debug>(read: Result<T, Vec<ValidationError>>) -> Vec<(u32, String)> {
        read.unwrap_err().into_iter().map(|error| (error.code, error.pointer)).collect()
    }

    #[test]
    fn package_changes_are_read() {
        let anomaly = package(DetectionMode::Anomaly);
        let read = |body| read_package_change(&body, &anomaly);
        let both = PackageChange { sensitivity: Some(Sensitivity::Low), action_mode: Some(ActionMode::Block) };
        assert_eq!(read(json!({"sensitivity": "low", "action_mode": "block", "name": "x"})).unwrap(), both);
        let cases = [
            (json!([]), vec![(10014, "")]),
            (json!({}), vec![(10014, "")]),
            (json!({"sensitivity": null}), vec![(10014, "")]),
            (json!({"sensitivity": "max", "action_mode": 1}), vec![(10015, "/sensitivity"), (10014, "/action_mode")]),
            (json!({"sensitivity": "low", "mode": "on"}), vec![(10014, "/mode")]),
        ];
        for (body, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(code, pointer)| (code, pointer.to_owned())).collect();
            assert_eq!(error_pointers(read(body.clone())), expected, "{body}");
        }
        let traditional = package(DetectionMode::Traditional);
        assert_eq!(error_pointers(read_package_change(&json!(1), &traditional)), [(1027, String::new())]);
    }

    #[test]
    fn rule_modes_are_read() {
        let blocking = rule(&[RuleMode::Default, RuleMode::Block]);
        assert_eq!(read_rule_mode(&json!({"mode": "block", "id": "x"}), &blocking), Ok(RuleMode::Block));
        let cases = [
            (json!({}), "`mode` is missing"),
            (json!({"mode": "on"}), "found `on`"),
            (json!({"mode": "Block"}), "found `Block`"),
            (json!({"mode": 3}), "found 3"),
        ];
        for (body, found) in cases {
            let errors = read_rule_mode(&body, &blocking).unwrap_err();
            let expected =
                format!("Invalid or missing WAF Rule mode: {found}; the rule `100015` allows `default` and `block`");
            assert_eq!(errors.first().map(|error| error.message.as_str()), Some(expected.as_str()));
        }
        let unknown_member = error_pointers(read_rule_mode(&json!({"mode": "block", "x": 1}), &blocking));
        assert_eq!(unknown_member, [(10014, "/x".to_owned())]);
    }

    #[test]
    fn waf_switch_is_read() {
        assert_eq!(read_waf_setting(&json!({"value": "off", "id": "waf"}), Tier::Pro), Ok(Switch::Off));
        for body in [json!({}), json!({"value": true}), json!({"value": "ON"}), json!({"value": null})] {
            assert_eq!(error_pointers(read_waf_setting(&body, Tier::Pro)), [(1007, "/value".to_owned())], "{body}");
        }
        assert_eq!(error_pointers(read_waf_setting(&json!({"value": "on"}), Tier::Free)), [(1015, String::new())]);
    }

    #[test]
    fn arbitrary_bodies_yield_short_messages() {
        let long = "x".repeat(100_000);
        let many: serde_json::Map<_, _> = (0..5000).map(|number| (number.to_string(), json!("block"))).collect();
        let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
        let values = [
            json!(null),
            json!(true),
            json!(-1),
            json!(1e300),
            json!(u64::MAX),
            json!(""),
            json!("\0"),
            json!(long),
            json!([]),
            json!(vec![0; 5000]),
            json!({}),
            json!({"id": "waf", "value": {"id": 1}}),
            json!(many),
            deep,
        ];
        let names = [
            "sensitivity",
            "mode",
            "value",
            "urls",
            "groups",
            "rules",
            "rewrite_action",
            "priority",
            "description",
            "paused",
            "id",
            "targets",
            "actions",
            "status",
            "a~/b",
        ];
        let anomaly = package(DetectionMode::Anomaly);
        let page_rule = read_page_rule(
            &json!({
                "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "a"}}],
                "actions": [{"id": "disable_security"}]
            }),
            Tier::Pro,
        )
        .unwrap();
        let objects = names.iter().flat_map(|name| values.iter().map(move |value| json!({ *name: value })));
        for body in values.iter().cloned().chain(objects) {
            let results = [
                read_package_change(&body, &anomaly).err(),
                read_rule_mode(&body, &rule(&[RuleMode::On])).err(),
                read_waf_setting(&body, Tier::Pro).err(),
                read_override(&body, Tier::Enterprise).err(),
                read_override_update(&body, "a", Tier::Enterprise).err(),
                read_page_rule(&body, Tier::Enterprise).err(),
                read_page_rule_change(&body, &page_rule, Tier::Enterprise).err(),
            ];
            for error in results.into_iter().flatten().flatten() {
                assert!(error.message.len() < 4000 && !error.message.is_empty(), "{error:?}");
            }
        }
    }
}
