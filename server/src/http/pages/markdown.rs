//! Renders Markdown as HTML: the operator's texts, without active content, and the project's documents.

use pulldown_cmark::{
    Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream, html,
};

/// The URL schemes that a link may have.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Renders an operator's text, with `title` as the first-level heading where the text begins with none.
///
/// HTML is shown as text, links with other schemes than [`SCHEMES`] become text, and images become their
/// descriptions. Table columns have no alignment.
pub fn render(markdown: &str, title: &str) -> String {
    let mut leads = Vec::new();
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| {
        Some(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            // Aligned cells would carry inline styles, which the pages' security policy forbids.
            Event::Start(Tag::Table(columns)) => {
                Event::Start(Tag::Table(vec![Alignment::None; columns.len()]))
            }
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
            Event::Start(Tag::Link { ref dest_url, .. }) => {
                leads.push(is_harmless(dest_url));
                return leads.last().is_some_and(|it| *it).then_some(event);
            }
            Event::End(TagEnd::Link) => return leads.pop().is_some_and(|it| it).then_some(event),
            event => event,
        })
    });
    let events: Vec<_> = events.collect();
    let mut page = String::new();
    let headed = Event::Start(Tag::Heading {
        level: HeadingLevel::H1,
        id: None,
        classes: Vec::new(),
        attrs: Vec::new(),
    });
    if events.first() != Some(&headed) {
        let heading = [
            headed,
            Event::Text(CowStr::from(title)),
            Event::End(TagEnd::Heading(HeadingLevel::H1)),
        ];
        html::push_html(&mut page, heading.into_iter());
    }
    html::push_html(&mut page, events.into_iter());
    page
}

/// Renders one of the project's documents, HTML included.
///
/// The result holds the text before the first second-level heading, a list of these headings, and a section for
/// each. A heading's anchor is its `{#id}`, or is derived from its text.
pub fn document(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut in_code = false;
    let events =
        TextMergeStream::new(Parser::new_ext(markdown, options)).map(|event| match event {
            Event::Start(Tag::CodeBlock(_)) => {
                in_code = true;
                // A scrollable element needs to be focusable.
                Event::Html("<pre class=\"code\" tabindex=\"0\"><code>".into())
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = false;
                Event::Html("</code></pre>\n".into())
            }
            // A pasted command that ends with a line break would run at once.
            Event::Text(text) if in_code => Event::Text(text.trim_end().to_owned().into()),
            event => event,
        });
    let mut html = String::new();
    html::push_html(&mut html, events);
    let mut parts = html.split("<h2");
    let opening = parts.next().unwrap_or_default();
    let (mut contents, mut sections) = (String::new(), String::new());
    for part in parts {
        let (heading, text) = part.split_once("</h2>").unwrap_or_default();
        let (attributes, name) = heading.split_once('>').unwrap_or_default();
        let anchor = match attributes.split('"').nth(1) {
            Some(id) => id.to_owned(),
            None => name.to_lowercase().replace(' ', "-"),
        };
        let route = text.trim_start().strip_prefix("<p class=\"route\">");
        let route = route.and_then(|it| Some(it.split_once("</p>")?.0));
        let route = route.map_or_else(String::new, |it| format!("<span>{it}</span>"));
        contents += &format!("<li><a href=\"#{anchor}\">{name}</a>{route}</li>");
        sections += &format!(
            "<section class=\"operation\" aria-labelledby=\"{anchor}\">\
             <h2 id=\"{anchor}\">{name}</h2>{text}</section>"
        );
    }
    format!(
        "<section class=\"hero\">{opening}<nav aria-label=\"On this page\">\
         <ul class=\"contents\">{contents}</ul></nav></section>{sections}"
    )
}

/// Renders one paragraph without the enclosing `<p>` element.
pub fn inline(markdown: &str) -> String {
    let paragraph = |it: &Event| {
        matches!(
            it,
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
        )
    };
    let mut html = String::new();
    html::push_html(&mut html, Parser::new(markdown).filter(|it| !paragraph(it)));
    html
}

fn is_harmless(address: &str) -> bool {
    SCHEMES.iter().any(|scheme| {
        let begin = address.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_operator_writes_says_something_and_does_nothing() {
        for (markdown, want) in [
            (
                "# T\n\n*a* **b**",
                "<h1>T</h1>\n<p><em>a</em> <strong>b</strong></p>\n",
            ),
            ("a", "<h1>Title</h1>\n<p>a</p>\n"),
            (
                "# T\n\n<script>alert(1)</script>",
                "<h1>T</h1>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
            ),
            (
                "# T\n\na <b onclick=\"x\">b</b>",
                "<h1>T</h1>\n<p>a &lt;b onclick=\"x\"&gt;b&lt;/b&gt;</p>\n",
            ),
            (
                "# T\n\n[a](HTTPS://example.org) [b](mailto:b@example.org)",
                "<h1>T</h1>\n<p><a href=\"HTTPS://example.org\">a</a> <a href=\"mailto:b@example.org\">b</a></p>\n",
            ),
            (
                "# T\n\n[a](javascript:alert(1)) [b](data:text/html,x) [c](//evil.example) <vbscript:x>",
                "<h1>T</h1>\n<p>a b c vbscript:x</p>\n",
            ),
            (
                "# T\n\n[![a](https://example.org/a.png)](javascript:x)",
                "<h1>T</h1>\n<p>a</p>\n",
            ),
            (
                "# T\n\n[a](https://example.org/\"onclick=\"x)",
                "<h1>T</h1>\n<p><a href=\"https://example.org/%22onclick=%22x\">a</a></p>\n",
            ),
            (
                "# T\n\n|a|b|\n|:-:|--:|\n|c|d|",
                "<h1>T</h1>\n<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n\
                 <tr><td>c</td><td>d</td></tr>\n</tbody></table>\n",
            ),
        ] {
            assert_eq!(render(markdown, "Title"), want, "{markdown}");
        }
    }

    #[test]
    fn a_document_of_ours_has_its_contents_and_sections() {
        let markdown = "# T\n\n## A b\n\n```sh\na\n\nb\n```\n\n## C {#d}\n\n\
                        <p class=\"route\">GET</p>\n\n`e` *f*\n: g\n\n`h`\n: i\n";
        let want = "<section class=\"hero\"><h1>T</h1>\n<nav aria-label=\"On this page\"><ul class=\"contents\">\
                    <li><a href=\"#a-b\">A b</a></li><li><a href=\"#d\">C</a><span>GET</span></li></ul></nav></section>\
                    <section class=\"operation\" aria-labelledby=\"a-b\"><h2 id=\"a-b\">A b</h2>\n\
                    <pre class=\"code\" tabindex=\"0\"><code>a\n\nb</code></pre>\n</section>\
                    <section class=\"operation\" aria-labelledby=\"d\"><h2 id=\"d\">C</h2>\n\
                    <p class=\"route\">GET</p>\n<dl>\n<dt><code>e</code> <em>f</em></dt>\n<dd>g</dd>\n\
                    <dt><code>h</code></dt>\n<dd>i</dd>\n</dl>\n</section>";
        assert_eq!(document(markdown), want);
        assert_eq!(inline("a `b` <c>"), "a <code>b</code> <c>");
    }
}
