//! The link that leads out of an app's own browser, where the camera often doesn't work.

use std::time::Duration;

use crate::browser;
use crate::browser::dom::element;
use crate::recorder::bindings::Element;
use crate::recorder::controller::Recorder;

/// A page that is still visible so long after the press wasn't left.
const LEAVING_TIME: Duration = Duration::from_millis(1_500);

impl Recorder {
    /// Shows the link, which the server renders for such browsers only.
    /// Where it leads nowhere, the written steps below it are opened.
    pub(in crate::recorder) fn show_link_outside(self) {
        for link in self.page.elements(Element::LinkOutside) {
            let is_ios = element::data(link, "system") == "ios";
            if let Some(url) = url_outside(&browser::page_url(), is_ios) {
                element::set_attribute(link, "href", &url);
                element::set_visible(link, true);
                let pressed = link.clone();
                element::listen(link, "click", move |_| {
                    let pressed = pressed.clone();
                    browser::after(LEAVING_TIME, move || {
                        if !browser::is_hidden() {
                            element::open_details_after(&pressed);
                        }
                    });
                });
            }
        }
    }
}

/// The URL that opens a page in Safari, or in Android's default browser.
/// `None`: it isn't an address with `://`.
fn url_outside(url: &str, is_ios: bool) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let address = rest.strip_prefix("//")?.split('#').next()?;
    Some(if is_ios {
        ["x-safari-", scheme, "://", address].concat()
    } else {
        // Without the category some apps refuse to pass it on.
        [
            "intent://",
            address,
            "#Intent;scheme=",
            scheme,
            ";action=android.intent.action.VIEW;category=android.intent.category.BROWSABLE;end",
        ]
        .concat()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_its_own_way_out() {
        let url = "https://vidence.example:8443/r/kX3b?lang=de#top";
        assert_eq!(
            url_outside(url, true).as_deref(),
            Some("x-safari-https://vidence.example:8443/r/kX3b?lang=de")
        );
        assert_eq!(
            url_outside(url, false).as_deref(),
            Some(
                "intent://vidence.example:8443/r/kX3b?lang=de#Intent;scheme=https;\
                 action=android.intent.action.VIEW;\
                 category=android.intent.category.BROWSABLE;end"
            )
        );
        assert_eq!(url_outside("about:blank", true), None);
    }
}
