//! Two panes with a divider that the user moves by pointer or keyboard. A narrow screen shows one pane at a time;
//! buttons at the bottom select it.

use crate::components::segmented_control::SegmentedControl;
use crate::storage;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;

const MIN_PANE_PERCENT: f64 = 25.0;
const MAX_PANE_PERCENT: f64 = 75.0;
/// Distance that an arrow key moves the divider, in percent of the width.
const STEP_PERCENT: f64 = 2.0;

/// Two panes side by side.
#[component]
pub(crate) fn SplitPane(
    /// The name under which the position of the divider is stored.
    name: &'static str,
    /// Initial width of the first pane, in percent.
    initial_percent: f64,
    /// Labels of the panes on narrow screens.
    labels: [&'static str; 2],
    /// The index of the pane that a narrow screen shows: 0 or 1.
    active: RwSignal<u8>,
    /// The left pane.
    first: AnyView,
    /// The right pane.
    second: AnyView,
) -> impl IntoView {
    let key = format!("zonewright.split.{name}");
    let clamp = |value: f64| value.clamp(MIN_PANE_PERCENT, MAX_PANE_PERCENT);
    let remembered = storage::get(&key).and_then(|text| text.parse().ok()).filter(|value: &f64| value.is_finite());
    let split = RwSignal::new(clamp(remembered.unwrap_or(initial_percent)));
    let panes = NodeRef::<html::Div>::new();
    let dragging = RwSignal::new(false);

    let stored_key = StoredValue::new(key);
    let finish = move || {
        dragging.set(false);
        stored_key.with_value(|key| storage::set(key, &format!("{:.1}", split.get_untracked())));
    };
    let grab = move |event: ev::PointerEvent| {
        event.prevent_default();
        if let Some(divider) =
            event.target().and_then(|target| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(target).ok())
        {
            drop(divider.set_pointer_capture(event.pointer_id()));
        }
        dragging.set(true);
    };
    let drag = move |event: ev::PointerEvent| {
        let Some(panes) = panes.get_untracked().filter(|_| dragging.get_untracked()) else { return };
        let area = panes.get_bounding_client_rect();
        split.set(clamp((f64::from(event.client_x()) - area.left()) * 100.0 / area.width().max(1.0)));
    };
    let press = move |event: ev::KeyboardEvent| {
        let next = match event.key().as_str() {
            "ArrowLeft" => split.get_untracked() - STEP_PERCENT,
            "ArrowRight" => split.get_untracked() + STEP_PERCENT,
            "Home" => MIN_PANE_PERCENT,
            "End" => MAX_PANE_PERCENT,
            _ => return,
        };
        event.prevent_default();
        split.set(clamp(next));
        finish();
    };
    let [first_label, second_label] = labels;
    view! {
        <div
            class="panes"
            class:dragging=dragging
            node_ref=panes
            style:--split=move || format!("{:.1}%", split.get())
            data-active=move || active.get().to_string()
        >
            <div class="pane first">{first}</div>
            <div
                class="divider"
                role="separator"
                tabindex="0"
                aria-orientation="vertical"
                aria-label="Resize panes"
                aria-valuemin=MIN_PANE_PERCENT.to_string()
                aria-valuemax=MAX_PANE_PERCENT.to_string()
                aria-valuenow=move || format!("{:.0}", split.get())
                on:pointerdown=grab
                on:pointermove=drag
                on:pointerup=move |_| finish()
                on:pointercancel=move |_| finish()
                on:keydown=press
            ></div>
            <div class="pane second">{second}</div>
            <div class="pane-tabs">
                <SegmentedControl label="Pane" choices=vec![(0, first_label), (1, second_label)] value=active choose=move |pane| active.set(pane) />
            </div>
        </div>
    }
}
