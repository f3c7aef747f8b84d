//! The palette: every command, found by its words and given with the keyboard.

use crate::commands::{self, Command, CommandContext, DiagnosticCode, PaletteItem};
use crate::components::code_page::CodePage;
use crate::components::dialog::keep_open;
use crate::components::live::Live;
use crate::language::Language;
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

/// The dialog of the palette, which Ctrl-K or Cmd-K opens and closes everywhere.
#[component]
pub(crate) fn Palette(
    /// Whether it is shown.
    open: RwSignal<bool>,
) -> impl IntoView {
    let commands = CommandContext::get();
    let query = RwSignal::new(String::new());
    let active = RwSignal::new(0_usize);
    let (code, filter_code) = (RwSignal::new(None), RwSignal::new(None));
    let page_of_filter = <zonewright_logpush::Options as Language>::page;
    let explain = Callback::new(move |asked| match asked {
        DiagnosticCode::Expression(name) => code.set(Some(name)),
        DiagnosticCode::Filter(name) => filter_code.set(Some(name)),
    });
    let dialog = NodeRef::<html::Dialog>::new();
    let resolve = move |command: Command| commands.resolve(command, explain);
    let found = Memo::new(move |_| if open.get() { commands::search(&query.read(), resolve) } else { Vec::new() });
    // The dialog closes before it says so.
    let is_shown = move || dialog.get_untracked().is_some_and(|dialog| dialog.open());
    let some = move || !found.read().is_empty();

    keep_open(dialog, open);
    Effect::new(move || {
        if open.get() {
            query.set(String::new());
        }
    });
    Effect::new(move || {
        found.track();
        active.set(0);
    });
    Effect::new(move || {
        let id = option_id(active.get());
        found.track();
        // The list is drawn by then.
        request_animation_frame(move || show(&id));
    });
    let listener = window_event_listener(ev::keydown, move |event| {
        let with_k = event.key().eq_ignore_ascii_case("k") && !event.shift_key() && !event.alt_key();
        if !with_k || !(event.ctrl_key() || event.meta_key()) || event.default_prevented() {
            return;
        }
        event.prevent_default();
        // Another dialog waits for its answer first.
        if matches!(document().query_selector("dialog[open]:not(.palette)"), Ok(None)) {
            open.set(!is_shown());
        }
    });
    on_cleanup(move || listener.remove());

    let give = move |index: usize| {
        let command = found.read_untracked().get(index).map(|command| command.command);
        let Some(act) = command.and_then(|command| untrack(move || resolve(command))) else { return };
        // Closed first: the focus goes back to where it was, and the command may move it from there.
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
        act();
    };
    let press = move |event: ev::KeyboardEvent| {
        let count = found.read_untracked().len().max(1);
        match event.key().as_str() {
            "ArrowDown" => active.update(|active| *active = (*active + 1) % count),
            "ArrowUp" => active.update(|active| *active = (*active + count - 1) % count),
            "Enter" if !event.is_composing() => give(active.get_untracked()),
            _ => return,
        }
        event.prevent_default();
    };
    // The dialog's own box is covered by what is in it: a click on it is a click beside it.
    let beside = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            open.set(false);
        }
    };
    let options = move || {
        let row = |(index, command): (usize, PaletteItem)| {
            view! {
                <li
                    role="option"
                    class="command"
                    id=option_id(index)
                    aria-selected=move || if active.get() == index { "true" } else { "false" }
                    on:mousemove=move |_| active.set(index)
                    on:click=move |_| give(index)
                >
                    <span>{command.title}</span>
                    <span class="command-note">{command.note}</span>
                </li>
            }
        };
        found.get().into_iter().enumerate().map(row).collect_view()
    };
    view! {
        <dialog node_ref=dialog class="dialog palette" aria-label="Commands" on:close=move |_| open.set(is_shown()) on:click=beside>
            <div class="palette-box">
                <input
                    class="palette-input"
                    type="text"
                    role="combobox"
                    aria-label="PaletteItem"
                    aria-autocomplete="list"
                    aria-controls="commands"
                    aria-expanded=move || if some() { "true" } else { "false" }
                    aria-activedescendant=move || some().then(|| option_id(active.get()))
                    placeholder="Search by words"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    prop:value=query
                    on:input=move |event| query.set(event_target_value(&event))
                    on:keydown=press
                />
                <ul class="commands" id="commands" role="listbox" aria-label="Commands" hidden=move || !some()>
                    {options}
                </ul>
                <p class="pad quiet" hidden=some>"No command has these words. Fewer letters find more."</p>
                <Live text=Signal::derive(move || {
                    match found.read().len() {
                        0 if open.get() => "No command found".to_owned(),
                        0 => String::new(),
                        1 => "1 command".to_owned(),
                        more => format!("{more} commands"),
                    }
                }) />
            </div>
        </dialog>
        <CodePage code />
        <CodePage code=filter_code page=page_of_filter />
    }
}

fn option_id(index: usize) -> String {
    format!("command-{index}")
}

fn show(id: &str) {
    let Some(option) = document().get_element_by_id(id) else { return };
    let nearest = ScrollIntoViewOptions::new();
    nearest.set_block(ScrollLogicalPosition::Nearest);
    option.scroll_into_view_with_scroll_into_view_options(&nearest);
}
