//! Detection of a take's container from its first bytes.

use bytes::Bytes;
use futures_util::TryStreamExt;

use crate::db::Take;
use crate::service::videos::extents::Extents;
use crate::service::{AppState, Error};
use media::{Container, SNIFF_BYTES, Sniffed, sniff};

/// Maximum number of pieces of an undecided head, which is read again for each of them.
const MAX_PIECES: u64 = 64;

/// State of the detection.
pub(in crate::service) enum Sniffer {
    /// The container is known.
    Known(Container),
    /// These bytes are too few to tell.
    Unsure(Vec<u8>),
}

impl Sniffer {
    /// Loads the state from a take's committed bytes.
    pub(in crate::service) async fn load(app: &AppState, take: &Take) -> Result<Self, Error> {
        if let Some(container) = &take.container {
            let known = Container::from_media_type(container).ok_or(Error::Corrupt)?;
            return Ok(Self::Known(known));
        }
        let mut head = Vec::new();
        if take.pieces > MAX_PIECES {
            return Err(Error::UnsupportedMediaType);
        }
        if take.committed > 0 {
            // The committed bytes are fewer than `SNIFF_BYTES`, or the container would be known.
            let layout = Extents::of_recording(&app.db, &take.id);
            let mut pieces = layout.read(&app.blobs, 0..take.committed);
            while let Some(piece) = pieces.try_next().await? {
                head.extend_from_slice(&piece);
            }
        }
        Ok(Self::Unsure(head))
    }

    /// Adds the next bytes.
    pub(in crate::service) fn feed(&mut self, pieces: &[Bytes]) -> Result<(), Error> {
        let Self::Unsure(head) = self else {
            return Ok(());
        };
        for piece in pieces {
            let missing = SNIFF_BYTES.saturating_sub(head.len());
            head.extend_from_slice(&piece[..piece.len().min(missing)]);
        }
        match sniff(head) {
            Sniffed::Known(container) => *self = Self::Known(container),
            Sniffed::Unsupported => return Err(Error::UnsupportedMediaType),
            Sniffed::Incomplete => {}
        }
        Ok(())
    }

    /// The container. `None`: there are too few bytes to tell.
    pub(in crate::service) fn container(&self) -> Option<Container> {
        match self {
            Self::Known(container) => Some(*container),
            Self::Unsure(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An EBML header of unknown length, filled with void elements.
    fn endless(length: usize) -> Bytes {
        let mut bytes = vec![
            0x1a, 0x45, 0xdf, 0xa3, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        ];
        while bytes.len() < length {
            bytes.extend_from_slice(&[0xec, 0x81, 0]);
        }
        bytes.truncate(length);
        bytes.into()
    }

    #[test]
    fn the_sniffer_keeps_only_what_it_needs() {
        let mut head = Sniffer::Unsure(Vec::new());
        assert!(head.feed(&[endless(SNIFF_BYTES - 1)]).is_ok());
        assert!(head.container().is_none());
        let more = Bytes::from_static(&[0; 1000]);
        let foreign = head.feed(&[more.clone(), more]);
        assert!(matches!(foreign, Err(Error::UnsupportedMediaType)));
        assert!(matches!(head, Sniffer::Unsure(kept) if kept.len() == SNIFF_BYTES));
    }
}
