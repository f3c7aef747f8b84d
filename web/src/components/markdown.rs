//! A renderer of the Markdown subset of the diagnostic pages: headings, paragraphs, lists, code.
//!
//! It creates elements, never HTML text, so that a page cannot inject markup.

use leptos::prelude::*;

/// A block of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    Heading(String),
    Paragraph(String),
    Item(String),
    Code(String),
}

/// Renders a page.
#[component]
pub(crate) fn Markdown(
    /// The Markdown. The first-level heading is omitted, because the container has a heading.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let blocks = parse_blocks(&text).into_iter().map(|block| match block {
        Block::Heading(text) => view! { <h3>{text}</h3> }.into_any(),
        Block::Paragraph(text) => view! { <p><InlineCode text /></p> }.into_any(),
        Block::Item(text) => view! { <p class="item"><InlineCode text /></p> }.into_any(),
        // Long lines scroll, so the block is focusable for the keyboard.
        Block::Code(text) => view! { <pre class="code-block" tabindex="0"><code>{text}</code></pre> }.into_any(),
    });
    view! { <div class="page-text">{blocks.collect_view()}</div> }
}

/// Renders text with `code` between backticks.
#[component]
pub(crate) fn InlineCode(
    /// The text.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let count = text.split('`').count();
    text.split('`')
        .enumerate()
        .map(|(index, segment)| {
            let segment = segment.to_owned();
            // An unpaired backtick is literal.
            if index % 2 == 1 && index + 1 < count {
                view! { <code>{segment}</code> }.into_any()
            } else if index % 2 == 1 {
                format!("`{segment}").into_any()
            } else {
                segment.into_any()
            }
        })
        .collect_view()
}

fn parse_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph = String::new();
    let mut code: Option<String> = None;
    for line in text.lines() {
        if line.starts_with("```") {
            end_paragraph(&mut paragraph, &mut blocks);
            code = match code.take() {
                Some(text) => {
                    blocks.push(Block::Code(text.trim_end().to_owned()));
                    None
                }
                None => Some(String::new()),
            };
        } else if let Some(code) = &mut code {
            code.push_str(line);
            code.push('\n');
        } else if let Some(heading) = line.strip_prefix("## ") {
            end_paragraph(&mut paragraph, &mut blocks);
            blocks.push(Block::Heading(heading.to_owned()));
        } else if line.starts_with("# ") || line.trim().is_empty() {
            end_paragraph(&mut paragraph, &mut blocks);
        } else if let Some(item) = line.strip_prefix("- ") {
            end_paragraph(&mut paragraph, &mut blocks);
            blocks.push(Block::Item(item.to_owned()));
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim());
        }
    }
    end_paragraph(&mut paragraph, &mut blocks);
    blocks
}

fn end_paragraph(paragraph: &mut String, blocks: &mut Vec<Block>) {
    if !paragraph.is_empty() {
        blocks.push(Block::Paragraph(std::mem::take(paragraph)));
    }
}
