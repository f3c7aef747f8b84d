//! A timestamp in the user's locale.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// Shows the date in the user's locale, and the exact time on hover.
#[component]
pub(crate) fn LocalTime(
    /// An RFC 3339 timestamp; shown verbatim if the browser cannot parse it.
    time: String,
    /// Whether the time of day is shown too.
    #[prop(optional)]
    clock: bool,
) -> impl IntoView {
    let date = js_sys::Date::new(&JsValue::from_str(&time));
    let (day, exact) = if date.get_time().is_nan() {
        (time.clone(), time.clone())
    } else {
        let locale = window().navigator().language().unwrap_or_else(|| "en".to_owned());
        let options = js_sys::Object::new();
        let day = String::from(date.to_locale_date_string(&locale, &options));
        (day, String::from(date.to_locale_string(&locale, &options)))
    };
    let text = if clock { exact.clone() } else { day };
    view! { <time datetime=time title=exact>{text}</time> }
}
