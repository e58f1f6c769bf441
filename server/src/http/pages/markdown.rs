//! Renders Markdown as HTML: the operator's texts, without active content, and single paragraphs.

use pulldown_cmark::{Alignment, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

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
    fn operator_texts_are_rendered_without_scripts() {
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
    fn a_paragraph_is_rendered_without_its_element() {
        assert_eq!(inline("a `b` <c>"), "a <code>b</code> <c>");
    }
}
