//! The functions of the member `migration`.

use crate::arguments::migration as arguments;
use crate::convert::migration as shapes;
use crate::{about_no_text, answer, both, give};
use wasm_bindgen::prelude::*;

/// What becomes of every setting of a zone, and the new configuration.
#[wasm_bindgen(js_name = migration_plan)]
pub fn plan(config: JsValue, options: JsValue) -> JsValue {
    let given = both(arguments::config(&config), arguments::plan(&options));
    answer(about_no_text(given), |_, (config, tier)| shapes::planned(config, tier))
}

/// Whether a zone can migrate, and what is in the way.
#[wasm_bindgen(js_name = migration_check)]
pub fn check(config: JsValue, options: JsValue) -> JsValue {
    let given = both(arguments::config(&config), arguments::check(&options));
    answer(about_no_text(given), |_, (config, (tier, phase))| shapes::checked(config, tier, phase))
}

/// The plan as a paper.
#[wasm_bindgen(js_name = migration_report)]
pub fn report(config: JsValue, options: JsValue) -> JsValue {
    let given = both(arguments::config(&config), arguments::report(&options));
    answer(about_no_text(given), |_, (config, (tier, format))| shapes::reported(config, tier, format))
}

/// Firewall rules as custom rules of a ruleset.
#[wasm_bindgen(js_name = migration_convert)]
pub fn convert(rules: JsValue, options: JsValue) -> JsValue {
    let given = both(arguments::rules(&rules), arguments::plan(&options));
    answer(about_no_text(given), |_, (rules, tier)| shapes::converted(&rules, tier))
}

/// What saving a new configuration would change.
#[wasm_bindgen(js_name = migration_diff)]
pub fn diff(current: JsValue, ruleset: JsValue) -> JsValue {
    let given = both(arguments::current(&current), arguments::ruleset(&ruleset));
    answer(about_no_text(given), |_, (current, new)| shapes::differences(current, new))
}

/// Sample requests before and after.
#[wasm_bindgen(js_name = migration_rehearse)]
pub fn rehearse(config: JsValue, requests: JsValue, options: JsValue) -> JsValue {
    let call = both(arguments::config(&config), arguments::rehearse(&options));
    give(match (call, arguments::requests(&requests)) {
        (Ok((config, (tier, new))), Ok(requests)) => shapes::rehearsal(config, tier, new, requests),
        (call, requests) => {
            let of_call = call.err().map(|refusal| (None, refusal));
            shapes::refused(of_call.into_iter().chain(requests.err().unwrap_or_default()))
        }
    })
}
