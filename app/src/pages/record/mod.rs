//! The recording page: all texts and controls of all states, in the person's language.
//!
//! The island of [`crate::recorder`] shows what belongs to the current state, by the names in
//! [`crate::recorder::bindings`]. The page is rendered in its initial state.

mod browser;
mod fallback;
mod live_region;
mod markup;
mod privacy_notes;
mod prompt;
mod steps;

use leptos::prelude::*;

pub use browser::Browser;
pub use fallback::{MAY_TRANSCRIBE, VIDEO_FIELD};
pub(super) use markup::receipt::Receipt;
pub use markup::template::DisplayTime;
pub(super) use markup::template::text_with_slots;

use crate::locale::{Locale, Message};
use crate::recorder::Recorder;
use fallback::Fallback;
use live_region::LiveRegion;
use markup::report::ReportLink;
use markup::visibility::shown_in;
use privacy_notes::PrivacyNotes;
use prompt::Prompt;
use steps::outcome::{Ended, OpenElsewhere, Submitted};
use steps::permissions::{AccessRequest, Blocked};
use steps::preview::Preview;
use steps::review::{Playback, Review};
use steps::sources::{DropArea, FileNotices, RecordedElsewhere, Sources};

/// For the JSON of a submission, where the page has told that what is said may be turned into text.
const SUBMISSION: &str = r#","may_transcribe":true"#;

/// What the page shows of a request.
#[derive(Clone, Debug)]
pub struct RequestDetails {
    /// The request's id.
    pub request: String,
    /// The prompt, shown as text.
    pub prompt: String,
    /// When the link closes.
    pub until: DisplayTime,
    /// The time on the server's clock, which decides when the link closes: RFC 3339. The device's clock may be wrong.
    pub now: String,
    /// The largest take in bytes.
    pub max_bytes: u64,
    /// Whether what is said is turned into text.
    pub is_transcribed: bool,
}

/// The title of the page. A link's preview in a messenger shows it.
pub fn record_title(locale: Locale) -> &'static str {
    locale.text(Message::RecordTitle)
}

/// The prompt, and the recorder; where the island can't run, a form that takes a file.
#[component]
pub fn Record(
    /// The request.
    details: RequestDetails,
    /// The person's language.
    locale: Locale,
    /// The person's browser.
    browser: Browser,
) -> impl IntoView {
    view! {
        <Recorder>
            <PageContents details locale browser/>
        </Recorder>
    }
}

/// What the island controls.
#[component]
fn PageContents(details: RequestDetails, locale: Locale, browser: Browser) -> impl IntoView {
    let RequestDetails {
        request,
        prompt,
        until,
        now,
        max_bytes,
        is_transcribed,
    } = details;
    let (told, submission) = match is_transcribed {
        true => (format!("&{MAY_TRANSCRIBE}"), Some(SUBMISSION)),
        false => Default::default(),
    };
    let action = format!("/r/{request}?lang={}{told}", locale.code());
    let code = format!("/r/{request}/qr.svg");
    let (id, expires_at) = (request.clone(), until.at.clone());
    view! {
        <main
            class="page page--record"
            data-state="idle"
            data-request=id
            data-expires-at=expires_at
            data-now=now
            data-max-bytes=max_bytes.to_string()
            data-submission=submission
        >
            <Prompt locale prompt request=request.clone()/>
            <Preview locale/>
            <Playback locale/>
            <PrivacyNotes locale until=until.clone() request=request.clone() is_transcribed/>
            <Fallback locale action/>
            <div class="panel">
                <RecordedElsewhere locale/>
                <FileNotices locale/>
                <Sources locale browser code=code.clone()/>
                <AccessRequest locale browser/>
                <Blocked locale browser code/>
                <Review locale/>
                <Submitted locale until/>
                <Ended locale/>
                <OpenElsewhere locale/>
            </div>
            <p class="page__report" {..shown_in("elsewhere submitted ended")}>
                <ReportLink locale request/>
            </p>
            <DropArea locale/>
            <LiveRegion locale/>
        </main>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::bindings::{Action, Element, Flag, Slot};

    const STATES: &str = "idle elsewhere requesting-access blocked blocked-denied blocked-no-camera blocked-busy \
                          blocked-insecure blocked-unsupported blocked-no-video blocked-no-screen preview \
                          countdown recording paused stopping review confirming-discard submitting submitted ended \
                          ended-expired ended-submitted ended-withdrawn ended-taken-down \
                          ended-too-large ended-unreadable ended-refused ended-unplayable";

    const PROMPT: &str = "Walk around the car.\n\nShow the <b>dent</b>.";

    fn page(locale: Locale, browser: Browser) -> String {
        page_for(PROMPT, locale, browser)
    }

    fn page_for(prompt: &str, locale: Locale, browser: Browser) -> String {
        page_of(details(prompt), locale, browser)
    }

    fn details(prompt: &str) -> RequestDetails {
        RequestDetails {
            request: "kX3bT9cQ2mZr8VnLw5YpHd".to_owned(),
            prompt: prompt.to_owned(),
            until: DisplayTime {
                at: "2026-11-21T17:05:00Z".to_owned(),
                text: "21 November, 17:05 UTC".to_owned(),
            },
            now: "2026-11-21T16:35:00.25Z".to_owned(),
            max_bytes: 1 << 30,
            is_transcribed: false,
        }
    }

    fn page_of(details: RequestDetails, locale: Locale, browser: Browser) -> String {
        let owner = Owner::new();
        // Without the island around it, which can be rendered only as part of a response.
        owner.with(|| view! { <PageContents details locale browser/> }.to_html())
    }

    /// The values of all attributes with this name.
    fn values<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
        let start = format!(" {name}=\"");
        html.split(&start)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .collect()
    }

    #[test]
    fn every_state_and_flag_in_the_page_exists() {
        let html = page(Locale::English, Browser::AndroidChrome);
        for states in values(&html, "data-when") {
            for state in states.split(' ') {
                assert!(STATES.split(' ').any(|it| it == state), "{state}");
            }
        }
        for name in values(&html, "data-announces") {
            let known = STATES.split(' ').any(|it| it == name) || Flag::from_name(name).is_some();
            assert!(known, "{name}");
        }
    }

    #[test]
    fn every_binding_is_used() {
        // An app's own browser has all that others have, and a way out.
        let html = page(Locale::English, Browser::InAppAndroid);
        let (actions, slots) = (values(&html, "data-action"), values(&html, "data-slot"));
        let (elements, conditions) = (values(&html, "data-element"), values(&html, "data-if"));
        for action in Action::ALL {
            assert!(actions.contains(&action.name()), "{action:?}");
        }
        for slot in Slot::ALL {
            assert!(slots.contains(&slot.name()), "{slot:?}");
        }
        for element in Element::ALL {
            assert!(elements.contains(&element.name()), "{element:?}");
        }
        for flag in Flag::ALL {
            let is_used = conditions
                .iter()
                .flat_map(|it| it.split(' '))
                .any(|it| it.trim_start_matches('!') == flag.name());
            assert!(is_used, "{flag:?}");
        }
    }

    #[test]
    fn controls_are_disabled_until_the_island_runs() {
        let html = page(Locale::English, Browser::DesktopFirefox);
        for button in html.split("<button").skip(1) {
            let (tag, _) = button.split_once('>').expect("an end");
            // Those work without the island.
            let is_plain = tag.contains("type=\"submit\"")
                || (tag.contains("popovertarget") && !tag.contains("data-action"));
            assert_ne!(tag.contains(" disabled"), is_plain, "{tag}");
        }
        let files = html
            .split("<input")
            .skip(1)
            .filter_map(|it| it.split_once('>'));
        for (tag, _) in files.filter(|(tag, _)| tag.contains("type=\"file\"")) {
            let is_in_form = tag.contains(" name=");
            assert_ne!(tag.contains(" disabled"), is_in_form, "{tag}");
        }
    }

    #[test]
    fn times_are_those_of_the_server() {
        let html = page(Locale::English, Browser::Other);
        assert_eq!(values(&html, "data-now"), ["2026-11-21T16:35:00.25Z"]);
        assert_eq!(values(&html, "data-expires-at"), ["2026-11-21T17:05:00Z"]);
    }

    #[test]
    fn only_a_browser_that_stores_takes_claims_to() {
        for locale in Locale::ALL {
            let html = page(locale, Browser::Other);
            let count = html.matches(locale.text(Message::UploadKept)).count();
            let only_if_stored = format!(
                "data-if=\"!memory-only\">{}",
                locale.text(Message::UploadKept)
            );
            assert_eq!(html.matches(&only_if_stored).count(), count, "{locale:?}");
            assert_ne!(count, 0, "{locale:?}");
        }
    }

    #[test]
    fn the_page_mentions_transcripts_only_with_a_transcriber() {
        for locale in Locale::ALL {
            let transcript = locale.text(Message::PrivacyTranscript);
            for is_transcribed in [true, false] {
                let details = RequestDetails {
                    is_transcribed,
                    ..details(PROMPT)
                };
                let html = page_of(details, locale, Browser::Other);
                assert_eq!(html.contains(transcript), is_transcribed, "{locale:?}");
                // Both ways of sending tell the server that the page said so.
                let told = [MAY_TRANSCRIBE, "data-submission="];
                assert_eq!(told.map(|it| html.contains(it)), [is_transcribed; 2]);
            }
        }
    }

    #[test]
    fn the_prompt_is_escaped() {
        let html = page(Locale::English, Browser::Other);
        assert!(html.contains("Show the &lt;b&gt;dent&lt;/b&gt;."), "{html}");
        let (checklist, _) = html.split_once("</section>").expect("an end");
        assert_eq!(checklist.matches("type=\"checkbox\"").count(), 2, "{html}");
    }

    /// Two lines of it are shown over the picture.
    #[test]
    fn the_prompt_has_no_blank_lines_around_it() {
        let html = page_for("\n\n Show the dent.\n", Locale::English, Browser::Other);
        assert!(html.contains(">Show the dent.</p>"), "{html}");
    }

    #[test]
    fn every_variable_is_filled_in_every_language() {
        for locale in Locale::ALL {
            let html = page(locale, Browser::IosChrome);
            assert!(!html.contains('{'), "{locale:?}: {html}");
        }
    }
}
