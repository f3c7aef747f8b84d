//! A button that opens a menu of actions.

use crate::components::icon::{Icon, IconView};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Height of an item, in CSS pixels. The style sheet sets it too.
const ITEM_HEIGHT_PX: f64 = 32.0;
/// Width of the menu, in CSS pixels. The style sheet sets it too.
const MENU_WIDTH_PX: f64 = 224.0;
/// Distance between the menu and its button, and padding of the menu, in CSS pixels.
const GAP_PX: f64 = 4.0;

/// An item of a menu.
#[derive(Clone, Copy)]
pub(crate) struct MenuItem {
    /// The label.
    pub(crate) label: &'static str,
    /// The keyboard shortcut of the same action.
    pub(crate) keys: &'static str,
    /// The action.
    pub(crate) act: Callback<()>,
}

/// A button with three dots. The items are computed when the menu opens, so that only available actions are offered.
#[component]
pub(crate) fn Menu(
    /// The ID of the button.
    #[prop(into)]
    id: Signal<String>,
    /// The accessible name of the button.
    #[prop(into)]
    label: Signal<String>,
    /// Returns the available actions.
    available_items: Callback<(), Vec<MenuItem>>,
) -> impl IntoView {
    let button = NodeRef::<html::Button>::new();
    let list = NodeRef::<html::Div>::new();
    let items: RwSignal<Vec<MenuItem>> = RwSignal::new(Vec::new());
    let position = RwSignal::new((0.0, 0.0));
    let open = move |_| {
        let (Some(button), Some(list)) = (button.get_untracked(), list.get_untracked()) else { return };
        let available = available_items.run(());
        position.set(menu_position(&button, available.len()));
        items.set(available);
        drop(list.show_popover());
        request_animation_frame(move || move_focus(&list, FocusMove::First));
    };
    let close = move || {
        if let Some(list) = list.get_untracked() {
            drop(list.hide_popover());
        }
        items.set(Vec::new());
    };
    let press = move |event: ev::KeyboardEvent| {
        let Some(list) = list.get_untracked() else { return };
        let to = match event.key().as_str() {
            "ArrowDown" => FocusMove::Next,
            "ArrowUp" => FocusMove::Previous,
            "Home" => FocusMove::First,
            "End" => FocusMove::Last,
            "Tab" => return close(),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        move_focus(&list, to);
    };
    // The browser also closes the menu, on Escape and on a click outside it.
    let on_toggle = move |_: ev::Event| {
        if list.get_untracked().is_some_and(|list| !list.matches(":popover-open").unwrap_or_default()) {
            items.set(Vec::new());
        }
    };
    let rows = move || {
        let row = |item: MenuItem| {
            let run = move |_| {
                close();
                item.act.run(());
            };
            view! {
                <button type="button" role="menuitem" class="menu-item" tabindex="-1" on:click=run>
                    <span>{item.label}</span>
                    <kbd hidden=item.keys.is_empty()>{item.keys}</kbd>
                </button>
            }
        };
        items.get().into_iter().map(row).collect_view()
    };
    view! {
        <button
            type="button"
            class="button quiet square small"
            node_ref=button
            id=id
            aria-label=label
            aria-haspopup="menu"
            aria-expanded=move || if items.read().is_empty() { "false" } else { "true" }
            on:click=open
        >
            <IconView icon=Icon::More />
        </button>
        <div
            class="menu"
            popover="auto"
            role="menu"
            node_ref=list
            aria-label=label
            style:left=move || format!("{:.0}px", position.get().0)
            style:top=move || format!("{:.0}px", position.get().1)
            on:keydown=press
            on:toggle=on_toggle
        >
            {rows}
        </div>
    }
}

enum FocusMove {
    First,
    Previous,
    Next,
    Last,
}

/// Moves the focus to another item.
fn move_focus(list: &HtmlElement, to: FocusMove) {
    let items = list.query_selector_all("[role=menuitem]");
    let Ok(items) = items else { return };
    let count = items.length();
    let item_at = |index: u32| items.get(index).and_then(|node| node.dyn_into::<HtmlElement>().ok());
    let focused = document().active_element();
    let now = (0..count).find(|index| item_at(*index).map(web_sys::Element::from) == focused).unwrap_or(0);
    let index = match to {
        FocusMove::First => 0,
        FocusMove::Last => count.saturating_sub(1),
        FocusMove::Next => (now + 1) % count.max(1),
        FocusMove::Previous => (now + count.saturating_sub(1)) % count.max(1),
    };
    if let Some(item) = item_at(index) {
        drop(item.focus());
    }
}

/// Returns the position of the menu: below the button and aligned with its right edge, or above it if there is no space
/// below.
fn menu_position(button: &HtmlElement, count: usize) -> (f64, f64) {
    let area = button.get_bounding_client_rect();
    #[allow(clippy::cast_precision_loss)]
    let height = ITEM_HEIGHT_PX * count as f64 + 2.0 * GAP_PX;
    let window_height = window().inner_height().ok().and_then(|value| value.as_f64()).unwrap_or(f64::MAX);
    let below = area.bottom() + GAP_PX;
    let top = if below + height > window_height { (area.top() - GAP_PX - height).max(GAP_PX) } else { below };
    ((area.right() - MENU_WIDTH_PX).max(GAP_PX), top)
}
