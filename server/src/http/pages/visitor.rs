//! The language and the browser of a page's reader.

use std::convert::Infallible;

use app::locale::{Locale, Region};
use app::pages::Browser;
use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT_LANGUAGE, USER_AGENT};
use axum::http::request::Parts;

/// What a request reveals about its reader. Extraction never fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The language of `?lang=`, or else the browser's preference.
    pub locale: Locale,
    /// The region whose variant of it the browser prefers.
    pub region: Option<Region>,
    /// The browser, guessed from `User-Agent`.
    pub browser: Browser,
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let query = parts.uri.query().unwrap_or_default().split('&');
        let chosen = query
            .filter_map(|pair| pair.strip_prefix("lang="))
            .find_map(Locale::from_tag);
        let user_agent = parts.headers.get(USER_AGENT);
        let user_agent = user_agent.and_then(|value| value.to_str().ok());
        let preferred = preferred(parts);
        let locale = chosen.or_else(|| Locale::from_accept_language(&preferred));
        let locale = locale.unwrap_or_default();
        Ok(Self {
            locale,
            region: locale.region(&preferred),
            browser: Browser::from_user_agent(user_agent.unwrap_or_default()),
        })
    }
}

/// `Accept-Language`. Several field lines form one list: RFC 9110, section 5.3.
fn preferred(parts: &Parts) -> String {
    let lines: Vec<_> = parts
        .headers
        .get_all(ACCEPT_LANGUAGE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .collect();
    lines.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    #[tokio::test]
    async fn a_language_chosen_by_hand_comes_before_the_browsers() {
        for (uri, header, want) in [
            ("/r/1", "de", Locale::German),
            ("/r/1?lang=fr", "de", Locale::French),
            ("/r/1?a=b&lang=ja", "de", Locale::Japanese),
            ("/r/1?lang=xx", "de", Locale::German),
            ("/r/1?lang=", "", Locale::English),
        ] {
            let request = Request::get(uri).header(ACCEPT_LANGUAGE, header);
            let (mut parts, ()) = request.body(()).expect("a request").into_parts();
            let Ok(reader) = Visitor::from_request_parts(&mut parts, &()).await;
            assert_eq!(reader.locale, want, "{uri} {header}");
        }
    }
}
