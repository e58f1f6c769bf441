//! The link that leads out of an app's own browser, where the camera often doesn't work.

use crate::browser;
use crate::browser::dom::element;
use crate::recorder::bindings::Element;
use crate::recorder::controller::Recorder;

impl Recorder {
    /// Shows the link, which the server renders for such browsers only.
    pub(in crate::recorder) fn show_link_outside(self) {
        for link in self.page.elements(Element::LinkOutside) {
            let is_ios = element::data(link, "system") == "ios";
            if let Some(url) = url_outside(&browser::page_url(), is_ios) {
                element::set_attribute(link, "href", &url);
                element::set_visible(link, true);
            }
        }
    }
}

/// The URL that opens a page in Safari, or in Android's default browser. `None`: it isn't an address with `://`.
fn url_outside(url: &str, is_ios: bool) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let address = rest.strip_prefix("//")?.split('#').next()?;
    Some(if is_ios {
        format!("x-safari-{scheme}://{address}")
    } else {
        format!("intent://{address}#Intent;scheme={scheme};action=android.intent.action.VIEW;end")
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
                 action=android.intent.action.VIEW;end"
            )
        );
        assert_eq!(url_outside("about:blank", true), None);
    }
}
