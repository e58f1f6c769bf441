//! The first bytes of a take, which say what it is.

use bytes::Bytes;
use futures_util::TryStreamExt;

use super::parts::Layout;
use super::takes::bytes;
use super::{App, Error};
use crate::db::Take;
use crate::media::{Container, SNIFF_BYTES, Sniffed, sniff};

/// A head in more pieces than this would be read anew too often.
const MOST_PIECES: i64 = 64;

/// What is known of a take's container.
pub(super) enum Head {
    /// This is what it is.
    Known(Container),
    /// Too few bytes to tell, so far: these.
    Unsure(Vec<u8>),
}

impl Head {
    /// As far as a take's committed bytes say.
    pub(super) async fn load(app: &App, take: &Take) -> Result<Self, Error> {
        if let Some(container) = &take.container {
            let known = Container::from_media_type(container).ok_or(Error::Corrupt)?;
            return Ok(Self::Known(known));
        }
        let mut head = Vec::new();
        if take.pieces > MOST_PIECES {
            return Err(Error::UnsupportedMediaType);
        }
        if take.committed > 0 {
            // Whatever lies in these was too little to tell: fewer than `SNIFF_BYTES`.
            let layout = Layout::of_recording(&app.db, &take.id);
            let mut pieces = layout.read(&app.blobs, 0..bytes(take.committed));
            while let Some(piece) = pieces.try_next().await? {
                head.extend_from_slice(&piece);
            }
        }
        Ok(Self::Unsure(head))
    }

    /// Looks at the bytes that come next.
    pub(super) fn see(&mut self, pieces: &[Bytes]) -> Result<(), Error> {
        let Self::Unsure(head) = self else {
            return Ok(());
        };
        for piece in pieces {
            let missing = SNIFF_BYTES.saturating_sub(head.len());
            head.extend_from_slice(&piece[..piece.len().min(missing)]);
        }
        match sniff(head) {
            Sniffed::Known(container) => *self = Self::Known(container),
            Sniffed::Foreign => return Err(Error::UnsupportedMediaType),
            Sniffed::Unsure => {}
        }
        Ok(())
    }

    /// What it is. `None`: too few bytes to tell.
    pub(super) fn container(&self) -> Option<Container> {
        match self {
            Self::Known(container) => Some(*container),
            Self::Unsure(_) => None,
        }
    }
}
