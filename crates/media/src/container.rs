//! The container formats that Vidence accepts.

/// A container format that browsers or phones write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// What most browsers record.
    WebM,
    /// The format of which WebM is a subset.
    Matroska,
    /// What Safari and most phones record.
    Mp4,
    /// What iPhones record.
    QuickTime,
}

impl Container {
    const ALL: [Self; 4] = [Self::WebM, Self::Matroska, Self::Mp4, Self::QuickTime];

    /// Parses a `Content-Type`, without its parameters. `None`: not one of these formats.
    pub fn from_media_type(text: &str) -> Option<Self> {
        let essence = text.split(';').next().unwrap_or_default().trim();
        Self::ALL
            .into_iter()
            .find(|it| it.media_type().eq_ignore_ascii_case(essence))
    }

    /// The media type, for a `Content-Type`.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::WebM => "video/webm",
            Self::Matroska => "video/x-matroska",
            Self::Mp4 => "video/mp4",
            Self::QuickTime => "video/quicktime",
        }
    }

    /// The usual file name extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::WebM => "webm",
            Self::Matroska => "mkv",
            Self::Mp4 => "mp4",
            Self::QuickTime => "mov",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_video_formats_are_accepted() {
        for (text, want) in [
            ("video/webm", Some(Container::WebM)),
            ("video/webm;codecs=vp8,opus", Some(Container::WebM)),
            ("Video/MP4 ; codecs=\"avc1.42E01E\"", Some(Container::Mp4)),
            ("video/quicktime", Some(Container::QuickTime)),
            ("video/x-matroska", Some(Container::Matroska)),
            ("video/", None),
            ("text/html", None),
            ("video/webm2", None),
            ("", None),
        ] {
            assert_eq!(Container::from_media_type(text), want, "{text}");
        }
    }
}
