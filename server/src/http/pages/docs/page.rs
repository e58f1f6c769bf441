//! Renders one of the project's documents as the content of a page.
//!
//! The page holds the text before the first second-level heading, the contents, and a section for each of these
//! headings. A heading's anchor is its `{#id}`, or is derived from its text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, TextMergeStream, html};

/// In a section, the third-level headings behind this comment are choices, and one of them is shown at a time.
const CHOICE: &str = "<!-- choice -->";

/// Renders a document, HTML included.
pub fn render_page(markdown: &str) -> String {
    let html = html(markdown);
    let mut parts = html.split("<h2");
    let opening = parts.next().unwrap_or_default();
    let (mut contents, mut sections) = (String::new(), String::new());
    for part in parts {
        let (heading, text) = part.split_once("</h2>").unwrap_or_default();
        let (attributes, name) = heading.split_once('>').unwrap_or_default();
        let anchor = match attributes.split('"').nth(1) {
            Some(id) => id.to_owned(),
            None => anchor(name),
        };
        let text = match text.split_once(CHOICE) {
            Some((before, choices)) => format!("{before}{}", choice(&anchor, name, choices)),
            None => text.to_owned(),
        };
        contents += &format!("<li><a href=\"#{anchor}\">{name}</a></li>");
        sections += &format!(
            "<section class=\"operation\" aria-labelledby=\"{anchor}\">\
             <h2 id=\"{anchor}\">{name}</h2>{text}</section>"
        );
    }
    format!(
        "<header class=\"hero\">{opening}</header>\
         <nav class=\"contents\" aria-label=\"On this page\"><ul>{contents}</ul></nav>\
         <div class=\"sections\">{sections}</div>"
    )
}

fn html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut in_code = false;
    let events =
        TextMergeStream::new(Parser::new_ext(markdown, options)).map(|event| match event {
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                // A scrollable element needs to be focusable.
                Event::Html(
                    "<div class=\"code-block\"><pre class=\"code\" tabindex=\"0\"><code>".into(),
                )
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                Event::Html("</code></pre></div>\n".into())
            }
            // A pasted command that ends with a line break would run at once.
            Event::Text(text) if in_code => Event::Text(text.trim_end().to_owned().into()),
            event => event,
        });
    let mut html = String::new();
    html::push_html(&mut html, events);
    html
}

/// Radio buttons, each with its label and the panel that it shows, by styles alone.
fn choice(group: &str, label: &str, html: &str) -> String {
    let choices = html.split("<h3>").skip(1).enumerate();
    let choices = choices.map(|(index, choice)| {
        let (name, text) = choice.split_once("</h3>").unwrap_or_default();
        let (anchor, checked) = (anchor(name), if index == 0 { " checked" } else { "" });
        format!(
            "<input type=\"radio\" name=\"{group}-choice\" id=\"choose-{anchor}\"{checked}>\
             <label for=\"choose-{anchor}\">{name}</label>\
             <section class=\"choice__panel\" id=\"{anchor}\" aria-label=\"{name}\">\
             <h3 class=\"visually-hidden\">{name}</h3>{text}</section>"
        )
    });
    let choices: String = choices.collect();
    format!("<div class=\"choice\" role=\"group\" aria-label=\"{label}\">{choices}</div>")
}

fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_its_contents_and_sections() {
        let markdown = "# T\n\n## A b\n\n```sh\na\n\nb\n```\n\n## C {#d}\n\n\
                        <p class=\"route\">GET</p>\n\n`e` *f*\n: g\n\n`h`\n: i\n";
        let want = "<header class=\"hero\"><h1>T</h1>\n</header><nav class=\"contents\" aria-label=\"On this page\"><ul>\
                    <li><a href=\"#a-b\">A b</a></li><li><a href=\"#d\">C</a></li></ul></nav><div class=\"sections\">\
                    <section class=\"operation\" aria-labelledby=\"a-b\"><h2 id=\"a-b\">A b</h2>\n\
                    <div class=\"code-block\"><pre class=\"code\" tabindex=\"0\"><code>a\n\nb</code></pre></div>\n</section>\
                    <section class=\"operation\" aria-labelledby=\"d\"><h2 id=\"d\">C</h2>\n\
                    <p class=\"route\">GET</p>\n<dl>\n<dt><code>e</code> <em>f</em></dt>\n<dd>g</dd>\n\
                    <dt><code>h</code></dt>\n<dd>i</dd>\n</dl>\n</section></div>";
        assert_eq!(render_page(markdown), want);
    }

    #[test]
    fn the_first_of_several_choices_is_visible() {
        let html =
            render_page("# T\n\n## A\n\nb\n\n<!-- choice -->\n\n### C d\n\ne\n\n### F\n\ng\n");
        let (_, section) = html.split_once("<h2 id=\"a\">").expect("the section");
        let want = "A</h2>\n<p>b</p>\n<div class=\"choice\" role=\"group\" aria-label=\"A\">\
                    <input type=\"radio\" name=\"a-choice\" id=\"choose-c-d\" checked>\
                    <label for=\"choose-c-d\">C d</label>\
                    <section class=\"choice__panel\" id=\"c-d\" aria-label=\"C d\">\
                    <h3 class=\"visually-hidden\">C d</h3>\n<p>e</p>\n</section>\
                    <input type=\"radio\" name=\"a-choice\" id=\"choose-f\">\
                    <label for=\"choose-f\">F</label>\
                    <section class=\"choice__panel\" id=\"f\" aria-label=\"F\">\
                    <h3 class=\"visually-hidden\">F</h3>\n<p>g</p>\n</section></div></section></div>";
        assert_eq!(section, want);
    }
}
