//! What lies below a video at the server, fetched with the token, which no `<img>` and no link can send.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser::blob::BlobUrl;
use crate::console::client;

/// What is being fetched.
#[derive(Clone, Copy)]
pub struct Fetched {
    /// The URL of the content, once it is there; revoked with the owner.
    pub url: ReadSignal<Option<String>>,
    /// Whether it couldn't be fetched.
    pub has_failed: ReadSignal<bool>,
}

/// Fetches what lies at `path` below the video.
pub fn fetch(video: &str, path: &str, token: &str) -> Fetched {
    let (url, set_url) = signal(None);
    let (has_failed, set_failed) = signal(false);
    let blob = StoredValue::new_local(None::<BlobUrl>);
    let (path, token) = (format!("/videos/{video}{path}"), token.to_owned());
    spawn_local(async move {
        // The owner may have been removed.
        match client::content(&path, &token).await {
            Ok(fetched) => {
                let address = fetched.as_str().to_owned();
                if blob.try_set_value(Some(fetched)).is_none() {
                    set_url.set(Some(address));
                }
            }
            Err(_) => drop(set_failed.try_set(true)),
        }
    });
    Fetched { url, has_failed }
}
