//! The file formats that Vidence takes.

/// A file format, as browsers record it and phones film it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// What most browsers record.
    WebM,
    /// WebM's larger family.
    Matroska,
    /// What Safari records and most phones film.
    Mp4,
    /// What iPhones film.
    QuickTime,
}

impl Container {
    const ALL: [Self; 4] = [Self::WebM, Self::Matroska, Self::Mp4, Self::QuickTime];

    /// From a `Content-Type`; its parameters don't matter. `None`: none of ours.
    pub fn from_media_type(text: &str) -> Option<Self> {
        let essence = text.split(';').next().unwrap_or_default().trim();
        Self::ALL
            .into_iter()
            .find(|it| it.media_type().eq_ignore_ascii_case(essence))
    }

    /// The `Content-Type` to serve it with.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::WebM => "video/webm",
            Self::Matroska => "video/x-matroska",
            Self::Mp4 => "video/mp4",
            Self::QuickTime => "video/quicktime",
        }
    }

    /// How names of such files end.
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
    fn only_video_formats_that_we_name_are_taken() {
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
