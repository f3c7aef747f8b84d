//! The command palette: searches all commands, and runs one from the keyboard.

use crate::commands::{self, Command, CommandContext, DiagnosticCode, PaletteItem};
use crate::components::code_explanation::{CodeExplanation, CodeLanguage};
use crate::components::dialog::sync_open;
use crate::components::live_region::LiveRegion;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

/// The dialog. Ctrl-K or Cmd-K toggles it on every page.
#[component]
pub(crate) fn CommandPalette(
    /// Whether the dialog is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let commands = CommandContext::get();
    let (code, filter_code) = (RwSignal::new(None), RwSignal::new(None));
    let explain = Callback::new(move |diagnostic_code| match diagnostic_code {
        DiagnosticCode::Expression(name) => code.set(Some(name)),
        DiagnosticCode::Filter(name) => filter_code.set(Some(name)),
    });
    let resolve = move |command: Command| commands.resolve(command, explain);
    let query = RwSignal::new(String::new());
    let items = Memo::new(move |_| if open.get() { commands::search(&query.read(), resolve) } else { Vec::new() });
    let dialog = NodeRef::<html::Dialog>::new();
    // The dialog closes before its `close` event.
    let is_open = move || dialog.get_untracked().is_some_and(|dialog| dialog.open());
    sync_open(dialog, open);
    Effect::new(move || {
        if open.get() {
            query.set(String::new());
        }
    });
    toggle_by_key(open, is_open);
    let run = Callback::new(move |index: usize| {
        let command = items.read_untracked().get(index).map(|item| item.command);
        let Some(act) = command.and_then(|command| untrack(move || resolve(command))) else { return };
        // The dialog closes first, which restores the focus: the command may move the focus from there.
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
        act();
    });
    // The content covers the box of the dialog, so a click on the box is a click on the backdrop.
    let close_on_backdrop = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            open.set(false);
        }
    };
    view! {
        <dialog node_ref=dialog class="dialog palette" aria-label="Commands" on:close=move |_| open.set(is_open()) on:click=close_on_backdrop>
            <div class="palette-box">
                <CommandSearch query items run />
                <LiveRegion text=Signal::derive(move || {
                    match items.read().len() {
                        0 if open.get() => "No commands found".to_owned(),
                        0 => String::new(),
                        1 => "1 command".to_owned(),
                        count => format!("{count} commands"),
                    }
                }) />
            </div>
        </dialog>
        <CodeExplanation code />
        <CodeExplanation code=filter_code language=CodeLanguage::Filter />
    }
}

/// Toggles the dialog with Ctrl-K or Cmd-K, unless another dialog is open.
fn toggle_by_key(open: RwSignal<bool>, is_open: impl Fn() -> bool + 'static) {
    let listener = window_event_listener(ev::keydown, move |event| {
        let is_k = event.key().eq_ignore_ascii_case("k") && !event.shift_key() && !event.alt_key();
        if !is_k || !(event.ctrl_key() || event.meta_key()) || event.default_prevented() {
            return;
        }
        event.prevent_default();
        if matches!(document().query_selector("dialog[open]:not(.palette)"), Ok(None)) {
            open.set(!is_open());
        }
    });
    on_cleanup(move || listener.remove());
}

/// The search field with the commands that it finds.
#[component]
fn CommandSearch(
    /// The text of the field.
    query: RwSignal<String>,
    /// The commands.
    items: Memo<Vec<PaletteItem>>,
    /// Runs the command at an index of `items`.
    run: Callback<usize>,
) -> impl IntoView {
    let active = RwSignal::new(0_usize);
    let has_items = move || !items.read().is_empty();
    Effect::new(move || {
        items.track();
        active.set(0);
    });
    Effect::new(move || {
        let id = option_id(active.get());
        items.track();
        // The list is rendered by the next frame.
        request_animation_frame(move || scroll_to(&id));
    });
    let press = move |event: ev::KeyboardEvent| {
        let count = items.read_untracked().len().max(1);
        match event.key().as_str() {
            "ArrowDown" => active.update(|active| *active = (*active + 1) % count),
            "ArrowUp" => active.update(|active| *active = (*active + count - 1) % count),
            "Enter" if !event.is_composing() => run.run(active.get_untracked()),
            _ => return,
        }
        event.prevent_default();
    };
    let options = move || {
        let row = |(index, item): (usize, PaletteItem)| {
            view! {
                <li
                    role="option"
                    class="command"
                    id=option_id(index)
                    aria-selected=move || if active.get() == index { "true" } else { "false" }
                    on:mousemove=move |_| active.set(index)
                    on:click=move |_| run.run(index)
                >
                    <span>{item.title}</span>
                    <span class="command-note">{item.note}</span>
                </li>
            }
        };
        items.get().into_iter().enumerate().map(row).collect_view()
    };
    view! {
        <input
            class="palette-input"
            type="text"
            role="combobox"
            aria-label="Command"
            aria-autocomplete="list"
            aria-controls="commands"
            aria-expanded=move || if has_items() { "true" } else { "false" }
            aria-activedescendant=move || has_items().then(|| option_id(active.get()))
            placeholder="Type a command"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            prop:value=query
            on:input=move |event| query.set(event_target_value(&event))
            on:keydown=press
        />
        <ul class="commands" id="commands" role="listbox" aria-label="Commands" hidden=move || !has_items()>
            {options}
        </ul>
        <p class="pad quiet" hidden=has_items>"No matching commands. Try fewer words."</p>
    }
}

fn option_id(index: usize) -> String {
    format!("command-{index}")
}

fn scroll_to(id: &str) {
    let Some(option) = document().get_element_by_id(id) else { return };
    let nearest = ScrollIntoViewOptions::new();
    nearest.set_block(ScrollLogicalPosition::Nearest);
    option.scroll_into_view_with_scroll_into_view_options(&nearest);
}
