//! Guesses the browser from its `User-Agent`, to explain how permissions are granted in it. Pure.
//!
//! Browsers pretend to be each other, and an iPad pretends to be a Mac, so only advice may depend on the guess.

/// A browser and its platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    /// Safari on an iPhone.
    IosSafari,
    /// Chrome on iOS, and browsers with the same settings.
    IosChrome,
    /// Firefox on iOS.
    IosFirefox,
    /// Chrome on Android, and most others.
    AndroidChrome,
    /// Samsung Internet.
    AndroidSamsung,
    /// Firefox on Android.
    AndroidFirefox,
    /// Chrome on a desktop, and browsers based on it.
    DesktopChrome,
    /// Edge on a desktop.
    DesktopEdge,
    /// Firefox on a desktop.
    DesktopFirefox,
    /// Safari on a Mac or an iPad.
    DesktopSafari,
    /// The in-app browser of an iOS app.
    InAppIos,
    /// The in-app browser of an Android app.
    InAppAndroid,
    /// Any other browser.
    Other,
}

/// Marks of in-app browsers: Facebook, Instagram, LINE, WeChat, TikTok, Snapchat, LinkedIn, Pinterest, Telegram,
/// Google.
const IN_APP_MARKS: &[&str] = &[
    "FBAN/",
    "FBAV/",
    "FB_IAB",
    "Instagram",
    " Line/",
    "MicroMessenger",
    "BytedanceWebview",
    "musical_ly",
    "TikTok",
    "Snapchat",
    "LinkedInApp",
    "Pinterest/",
    "Telegram-Android",
    " GSA/",
];

impl Browser {
    /// Guesses from the `User-Agent` header.
    pub fn from_user_agent(user_agent: &str) -> Self {
        let has = |mark: &str| user_agent.contains(mark);
        let in_app = IN_APP_MARKS.iter().any(|mark| has(mark));
        if has("iPhone") || has("iPad") || has("iPod") {
            // Safari and full browsers contain this mark; a bare web view doesn't.
            match () {
                () if in_app || !has("Safari/") => Self::InAppIos,
                () if has("FxiOS/") => Self::IosFirefox,
                () if has("CriOS/") || has("EdgiOS/") || has("OPT/") => Self::IosChrome,
                () => Self::IosSafari,
            }
        } else if has("Android") {
            match () {
                () if in_app || has("; wv)") => Self::InAppAndroid,
                () if has("SamsungBrowser/") => Self::AndroidSamsung,
                () if has("Firefox/") => Self::AndroidFirefox,
                () if has("Chrome/") => Self::AndroidChrome,
                () => Self::Other,
            }
        } else {
            match () {
                () if has("Edg/") => Self::DesktopEdge,
                () if has("Firefox/") => Self::DesktopFirefox,
                () if has("Chrome/") => Self::DesktopChrome,
                () if has("Macintosh") && has("Safari/") => Self::DesktopSafari,
                () => Self::Other,
            }
        }
    }

    /// Whether it is an in-app browser. Those often have no access to the camera.
    pub const fn is_in_app(self) -> bool {
        matches!(self, Self::InAppIos | Self::InAppAndroid)
    }

    /// What a field for videos accepts. Pickers of desktops know some formats by their extension only.
    ///
    /// Elsewhere one type alone: with several, Chrome on Android offers files of all kinds instead of the videos. Safari
    /// may be that of an iPad.
    pub const fn accepted_files(self) -> &'static str {
        match self {
            Self::DesktopChrome | Self::DesktopEdge | Self::DesktopFirefox => {
                "video/*,.mp4,.m4v,.mov,.webm,.mkv,.3gp,.3g2"
            }
            _ => "video/*",
        }
    }

    /// The name in the settings of the device; empty: unknown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::IosSafari | Self::DesktopSafari => "Safari",
            Self::IosFirefox | Self::AndroidFirefox | Self::DesktopFirefox => "Firefox",
            Self::AndroidSamsung => "Samsung Internet",
            Self::DesktopEdge => "Edge",
            Self::IosChrome | Self::AndroidChrome | Self::DesktopChrome => "Chrome",
            Self::InAppIos | Self::InAppAndroid | Self::Other => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_guessed_from_their_user_agent() {
        const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 \
                              (KHTML, like Gecko)";
        const ANDROID: &str =
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)";
        const WINDOWS: &str =
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
        const MAC: &str = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like \
                           Gecko)";
        for (system, rest, want) in [
            (
                IPHONE,
                "Version/18.5 Mobile/15E148 Safari/604.1",
                Browser::IosSafari,
            ),
            (
                IPHONE,
                "CriOS/142.0.0.0 Mobile/15E148 Safari/604.1",
                Browser::IosChrome,
            ),
            (
                IPHONE,
                "EdgiOS/142.0 Version/18.0 Mobile/15E148 Safari/604.1",
                Browser::IosChrome,
            ),
            (
                IPHONE,
                "FxiOS/145.0 Mobile/15E148 Safari/605.1.15",
                Browser::IosFirefox,
            ),
            (IPHONE, "Mobile/15E148", Browser::InAppIos),
            (
                IPHONE,
                "Mobile/15E148 Instagram 400.0.0 (iPhone14,5; iOS 18_5)",
                Browser::InAppIos,
            ),
            (
                IPHONE,
                "Mobile/15E148 [FBAN/FBIOS;FBAV/500.0.0;FBDV/iPhone14,5]",
                Browser::InAppIos,
            ),
            (
                IPHONE,
                "Mobile/15E148 Safari Line/15.1.0",
                Browser::InAppIos,
            ),
            (
                IPHONE,
                "Mobile/15E148 MicroMessenger/8.0.60 Language/zh_CN",
                Browser::InAppIos,
            ),
            (
                IPHONE,
                "GSA/390.0 Mobile/15E148 Safari/604.1",
                Browser::InAppIos,
            ),
            (
                ANDROID,
                "Chrome/142.0.0.0 Mobile Safari/537.36",
                Browser::AndroidChrome,
            ),
            (
                ANDROID,
                "SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
                Browser::AndroidSamsung,
            ),
            (
                "Mozilla/5.0 (Android 15; Mobile; rv:145.0)",
                "Gecko/145.0 Firefox/145.0",
                Browser::AndroidFirefox,
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/X; wv) AppleWebKit/537.36",
                "Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36",
                Browser::InAppAndroid,
            ),
            (
                ANDROID,
                "Chrome/142.0.0.0 Mobile Safari/537.36 BytedanceWebview/d8a21c6",
                Browser::InAppAndroid,
            ),
            (
                ANDROID,
                "Chrome/142.0.0.0 Mobile Safari/537.36 musical_ly_2024",
                Browser::InAppAndroid,
            ),
            (
                ANDROID,
                "Chrome/142.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/500;]",
                Browser::InAppAndroid,
            ),
            (
                WINDOWS,
                "Chrome/142.0.0.0 Safari/537.36",
                Browser::DesktopChrome,
            ),
            (
                WINDOWS,
                "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                Browser::DesktopEdge,
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)",
                "Gecko/20100101 Firefox/140.0",
                Browser::DesktopFirefox,
            ),
            (MAC, "Version/18.5 Safari/605.1.15", Browser::DesktopSafari),
            (
                "Mozilla/5.0 (X11; Linux x86_64)",
                "AppleWebKit/605.1.15 Epiphany/605 Safari/605",
                Browser::Other,
            ),
            ("curl/8.0", "", Browser::Other),
            ("", "", Browser::Other),
        ] {
            let user_agent = format!("{system} {rest}");
            assert_eq!(Browser::from_user_agent(&user_agent), want, "{user_agent}");
        }
    }
}
