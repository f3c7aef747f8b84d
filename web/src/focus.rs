//! Moves the keyboard focus, and restores it after its element disappears.
//!
//! A browser moves the focus to `<body>` when the focused element is removed, hidden or disabled, and a keyboard user
//! starts again at the top. [`install_focus_guard`] moves it to the nearest focusable ancestor instead.

use leptos::ev;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlElement, MutationObserver, MutationObserverInit};

/// Focuses the element with this ID in the next frame, after pending changes are rendered.
pub(crate) fn focus_by_id(id: impl Into<String>) {
    let id = id.into();
    request_animation_frame(move || {
        if let Some(element) = document().get_element_by_id(&id) {
            focus_element(element);
        }
    });
}

/// Focuses the first field of a form that has an error. Returns false if no field has one.
pub(crate) fn focus_first_invalid(form: &Element) -> bool {
    let Ok(found) = form.query_selector_all(".field.wrong, .field-error:not([hidden])") else { return false };
    let elements = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<Element>().ok());
    let fields = elements.filter_map(|element| element.closest(".field, fieldset").ok().flatten());
    fields.into_iter().any(|field| focus_first_control(&field))
}

/// Focuses a control, or the first one of a group, and opens the `<details>` that contains it. Returns false if there
/// is no visible control.
pub(crate) fn focus_first_control(element: &Element) -> bool {
    if let Ok(Some(details)) = element.closest("details") {
        drop(details.set_attribute("open", ""));
    }
    let host = element.query_selector(".editor-host").ok().flatten().filter(can_take_focus);
    let control = match host.and_then(|host| host.shadow_root()) {
        Some(root) => root.query_selector(".cm-content").ok().flatten(),
        None if element.matches(CONTROLS).unwrap_or_default() => Some(element.clone()),
        None => element.query_selector(CONTROLS).ok().flatten(),
    };
    let Some(control) = control.filter(can_take_focus) else { return false };
    control.scroll_into_view_with_bool(false);
    focus_element(control);
    true
}

/// The selector of form controls.
const CONTROLS: &str = "input, select, textarea, button";

/// The last focused element and its ancestors, innermost first; empty after the user moved the focus away.
type FocusPath = Rc<RefCell<Vec<Element>>>;

/// Restores a lost focus for as long as the page is open. The listeners are never removed.
pub(crate) fn install_focus_guard() {
    let path = FocusPath::default();
    let scheduled = Rc::new(Cell::new(false));
    let check = {
        let path = path.clone();
        move || {
            if scheduled.replace(true) {
                return;
            }
            let (path, scheduled) = (path.clone(), scheduled.clone());
            request_animation_frame(move || {
                scheduled.set(false);
                restore_focus(&path);
            });
        }
    };
    let on_blur = Closure::<dyn Fn()>::new(check.clone());
    let on_focus = Closure::<dyn Fn(ev::FocusEvent)>::new(move |event: ev::FocusEvent| {
        let focused = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        *path.borrow_mut() = std::iter::successors(focused, |element| element.parent_element()).collect();
    });
    let page = document();
    drop(page.add_event_listener_with_callback("focusin", on_focus.as_ref().unchecked_ref()));
    drop(page.add_event_listener_with_callback("focusout", on_blur.as_ref().unchecked_ref()));
    observe_changes(check);
    on_focus.forget();
    on_blur.forget();
}

/// Calls `check` after every change that can remove the focus.
fn observe_changes(check: impl Fn() + 'static) {
    let on_change = Closure::<dyn Fn()>::new(check);
    if let (Ok(observer), Some(body)) = (MutationObserver::new(on_change.as_ref().unchecked_ref()), document().body()) {
        let options = MutationObserverInit::new();
        options.set_child_list(true);
        options.set_subtree(true);
        // On a narrow window, `data-active` hides a pane.
        let attributes = ["disabled", "hidden", "data-active"].map(wasm_bindgen::JsValue::from);
        options.set_attribute_filter(&js_sys::Array::from_iter(attributes));
        drop(observer.observe_with_options(&body, &options));
    }
    on_change.forget();
}

/// Moves a lost focus to the nearest ancestor that can receive it.
fn restore_focus(path: &FocusPath) {
    let Some(lost) = path.borrow().first().cloned() else { return };
    let active = document().active_element();
    let has_no_focus = active.as_ref().is_none_or(|active| Some(active) == document().body().as_deref());
    if can_take_focus(&lost) {
        // The user moved the focus away, for example by a click on the background.
        if has_no_focus {
            path.borrow_mut().clear();
        }
        return;
    }
    if !has_no_focus && active.as_ref() != Some(&lost) {
        return;
    }
    let ancestors = path.borrow().iter().skip(1).cloned().collect::<Vec<_>>();
    let target = ancestors.into_iter().filter(can_take_focus).find_map(|ancestor| focusable_in(&ancestor));
    if let Some(target) = target.or_else(|| document().get_element_by_id("main")) {
        focus_element(target);
    }
}

/// Returns the element that receives the focus for an ancestor: in a dialog, its first control, because a dialog itself
/// is not focusable.
fn focusable_in(ancestor: &Element) -> Option<Element> {
    if ancestor.matches("dialog").unwrap_or_default() {
        return ancestor.query_selector("[data-focus], button, input").ok().flatten();
    }
    ancestor.matches("[tabindex]").unwrap_or_default().then(|| ancestor.clone())
}

fn can_take_focus(element: &Element) -> bool {
    element.is_connected()
        && element.get_client_rects().length() > 0
        && !element.matches(":disabled").unwrap_or_default()
}

fn focus_element(element: Element) {
    if let Ok(element) = element.dyn_into::<HtmlElement>() {
        drop(element.focus());
    }
}
