//! The scene on the home page: an agent asks, a phone films, the agent has the answer.
//!
//! Its rest is the whole story. `style/scene.css` tells it once, in less than the five seconds after which WCAG 2.2.2
//! asks for a way to stop motion, and not at all where people want less of it.

use leptos::prelude::*;

/// The car and the phone that films it.
const PICTURE: &str = include_str!("scene.svg");

/// What is seen of the car in each picture that returns: all of it, the door, the dent.
const STILLS: [&str; 3] = ["52 40 344 172", "200 84 160 80", "240 122 60 46"];

/// The scene.
#[component]
pub fn Scene() -> impl IntoView {
    let stills = STILLS.map(|part| {
        view! {
            <svg class="scene__still" viewBox=part preserveAspectRatio="xMidYMid slice">
                <use href="#car"></use>
            </svg>
        }
    });
    view! {
        <div
            class="scene"
            role="img"
            aria-label="An agent asks: show me the dent. A phone films the door of a car. Three pictures return, and \
                        the agent answers: one dent in the rear door, about 6 cm wide."
        >
            <p class="scene__ask">
                <Agent/>
                // Narrow screens break it in the middle.
                "Show\u{a0}me the\u{a0}dent"
            </p>
            <div class="scene__frame" inner_html=PICTURE></div>
            <div class="scene__answer">
                <Agent/>
                <p>"One dent in the rear door, about 6 cm wide."</p>
                <div class="scene__stills">{stills.collect_view()}</div>
            </div>
        </div>
    }
}

/// Who speaks: a spark, as agents show themselves.
#[component]
fn Agent() -> impl IntoView {
    view! {
        <svg class="scene__agent" viewBox="0 0 24 24">
            <path d="M12 5c.9 4.1 2.9 6.1 7 7-4.1.9-6.1 2.9-7 7-.9-4.1-2.9-6.1-7-7 4.1-.9 6.1-2.9 7-7z"></path>
        </svg>
    }
}
