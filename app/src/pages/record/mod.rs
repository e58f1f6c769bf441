//! The page that a person gets the link to: all that there is to read and to press in every state, in their
//! language. The island of [`crate::recorder`] shows what belongs to a state, by the names of
//! [`crate::recorder::bindings`]; here stands what is shown, and how it begins.

mod browser;
mod button;
mod controls;
mod fallback;
mod icon;
mod live_region;
mod outcome;
mod permissions;
mod preview;
mod privacy_notes;
mod prompt;
mod review;
mod send_status;
mod sources;
mod template;
mod visibility;

use leptos::prelude::*;

pub use browser::Browser;
pub use fallback::VIDEO_FIELD;
pub use template::Until;

use crate::locale::{Locale, Message};
use crate::recorder::Recorder;
use controls::Controls;
use fallback::Fallback;
use live_region::Announced;
use outcome::{Elsewhere, Over, Sent};
use permissions::{Asking, Blocked};
use preview::Stage;
use privacy_notes::Trust;
use prompt::Ask;
use review::Review;
use sources::{Others, Sources};

/// What the page is about.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The request's id.
    pub request: String,
    /// The instruction, shown as inert text.
    pub prompt: String,
    /// When the link closes.
    pub until: Until,
    /// What time it is, by the clock that closes it: RFC 3339. The device's own may be wrong.
    pub now: String,
    /// How many bytes a recording may have.
    pub max_bytes: u64,
}

/// The title of the page. A link's preview in a messenger shows it.
pub fn record_title(locale: Locale) -> &'static str {
    locale.text(Message::RecordTitle)
}

/// What is asked for, until when, and everything that it takes to record it; where that can't run, a form
/// that takes a file.
#[component]
pub fn Record(
    /// What for.
    wish: Wish,
    /// The person's language.
    locale: Locale,
    /// What they look at it with.
    browser: Browser,
) -> impl IntoView {
    view! {
        <Recorder>
            <Contents wish locale browser/>
        </Recorder>
    }
}

/// What the island drives.
#[component]
fn Contents(wish: Wish, locale: Locale, browser: Browser) -> impl IntoView {
    let Wish {
        request,
        prompt,
        until,
        now,
        max_bytes,
    } = wish;
    let action = format!("/r/{request}?lang={}", locale.code());
    let code = format!("/r/{request}/qr.svg");
    let (id, expires_at) = (request, until.at.clone());
    view! {
        <main
            class="page page--record"
            data-state="idle"
            data-request=id
            data-expires-at=expires_at
            data-now=now
            data-max-bytes=max_bytes.to_string()
        >
            <Ask locale prompt/>
            <Stage locale/>
            <div class="panel" tabindex="-1">
                <Others locale/>
                <Sources locale browser code=code.clone()/>
                <Asking locale/>
                <Blocked locale browser code/>
                <Controls locale/>
                <Review locale/>
                <Sent locale until=until.clone()/>
                <Over locale/>
                <Elsewhere locale/>
            </div>
            <Fallback locale action/>
            <Trust locale until/>
            <Announced locale/>
        </main>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::bindings::{Action, Element, Flag, Slot};

    const STATES: &str = "idle elsewhere asking blocked blocked-denied blocked-no-camera blocked-busy \
                          blocked-insecure blocked-unsupported blocked-no-picture blocked-no-screen preview \
                          countdown recording paused stopping review reconsidering submitting sent over \
                          over-expired over-submitted over-withdrawn over-taken-down \
                          over-too-large over-unreadable over-refused over-unplayable";

    fn page(locale: Locale, browser: Browser) -> String {
        let wish = Wish {
            request: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            prompt: "Walk around the car.\n\nShow the <b>dent</b>.".to_owned(),
            until: Until {
                at: "2026-11-21T17:05:00Z".to_owned(),
                text: "21 November, 17:05 UTC".to_owned(),
            },
            now: "2026-11-21T16:35:00.25Z".to_owned(),
            max_bytes: 1 << 30,
        };
        let owner = Owner::new();
        // Without the island around it, which needs a server's answer to be part of.
        owner.with(|| view! { <Contents wish locale browser/> }.to_html())
    }

    /// What all attributes with this name hold.
    fn values<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
        let mark = format!(" {name}=\"");
        html.split(&mark)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect()
    }

    #[test]
    fn every_mark_has_a_meaning() {
        let html = page(Locale::English, Browser::AndroidChrome);
        for states in values(&html, "data-when") {
            for state in states.split(' ') {
                assert!(STATES.split(' ').any(|it| it == state), "{state}");
            }
        }
        for said in values(&html, "data-said") {
            let known = STATES.split(' ').any(|it| it == said) || Flag::named(said).is_some();
            assert!(known, "{said}");
        }
    }

    #[test]
    fn every_deed_has_a_button_and_every_figure_a_place() {
        let html = page(Locale::English, Browser::AndroidChrome);
        let (deeds, figures) = (values(&html, "data-do"), values(&html, "data-show"));
        let (parts, conditions) = (values(&html, "data-part"), values(&html, "data-if"));
        for deed in Action::ALL {
            assert!(deeds.contains(&deed.name()), "{deed:?}");
        }
        for figure in Slot::ALL {
            assert!(figures.contains(&figure.name()), "{figure:?}");
        }
        for part in Element::ALL {
            assert!(parts.contains(&part.name()), "{part:?}");
        }
        for flag in Flag::ALL {
            let told = conditions
                .iter()
                .flat_map(|it| it.split(' '))
                .any(|it| it.trim_start_matches('!') == flag.name());
            assert!(told, "{flag:?}");
        }
    }

    #[test]
    fn what_can_be_pressed_waits_for_the_island() {
        let html = page(Locale::English, Browser::DesktopFirefox);
        for button in html.split("<button").skip(1) {
            let (tag, _) = button.split_once('>').expect("an end");
            let by_itself = tag.contains("type=\"submit\"");
            assert_ne!(tag.contains(" disabled"), by_itself, "{tag}");
        }
        let files = html
            .split("<input")
            .skip(1)
            .filter_map(|it| it.split_once('>'));
        for (tag, _) in files.filter(|(tag, _)| tag.contains("type=\"file\"")) {
            let of_the_form = tag.contains(" name=");
            assert_ne!(tag.contains(" disabled"), of_the_form, "{tag}");
        }
    }

    #[test]
    fn a_link_is_open_as_long_as_the_clock_of_the_server_says() {
        let html = page(Locale::English, Browser::Other);
        assert_eq!(values(&html, "data-now"), ["2026-11-21T16:35:00.25Z"]);
        assert_eq!(values(&html, "data-expires-at"), ["2026-11-21T17:05:00Z"]);
    }

    #[test]
    fn nothing_is_said_to_be_kept_by_a_browser_that_keeps_nothing() {
        for locale in Locale::ALL {
            let html = page(locale, Browser::Other);
            let kept = locale.text(Message::UploadKept);
            let said = html.matches(kept).count();
            let only_while_kept = format!("data-if=\"!unkept\">{kept}");
            assert_eq!(html.matches(&only_while_kept).count(), said, "{locale:?}");
            assert_ne!(said, 0, "{locale:?}");
        }
    }

    #[test]
    fn an_instruction_is_text_and_nothing_else() {
        let html = page(Locale::English, Browser::Other);
        assert!(html.contains("Show the &lt;b&gt;dent&lt;/b&gt;."), "{html}");
        let (checklist, _) = html.split_once("</section>").expect("an end");
        assert_eq!(checklist.matches("type=\"checkbox\"").count(), 2, "{html}");
    }

    #[test]
    fn no_language_leaves_a_gap_unfilled() {
        for locale in Locale::ALL {
            let html = page(locale, Browser::IosChrome);
            assert!(!html.contains('{'), "{locale:?}: {html}");
        }
    }
}
