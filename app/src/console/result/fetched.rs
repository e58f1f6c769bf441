//! What lies below a video at the server, fetched with the token, which no `<img>` and no link can send.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser::blob::BlobUrl;
use crate::console::client;

/// Fetches what lies at `path` below the video. The URL of its content, once it is there; it is revoked with the owner.
///
/// If it fails there is no URL: what shows it says so, or does without.
pub fn fetch(video: &str, path: &str, token: &str) -> ReadSignal<Option<String>> {
    let (url, set_url) = signal(None);
    let blob = StoredValue::new_local(None::<BlobUrl>);
    let (path, token) = (format!("/videos/{video}{path}"), token.to_owned());
    spawn_local(async move {
        if let Ok(fetched) = client::content(&path, &token).await {
            let address = fetched.as_str().to_owned();
            // The owner may have been removed.
            if blob.try_set_value(Some(fetched)).is_none() {
                set_url.set(Some(address));
            }
        }
    });
    url
}
