//! The recording island.
use leptos::prelude::*;
/// x
#[island]
pub fn Recorder(request: String, expires_at: String) -> impl IntoView {
    view! { <p>{request}{expires_at}</p> }
}
