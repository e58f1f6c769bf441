//! Which bytes of an object are read, and what they are compared with.

use std::ops::Range;

use super::{BlobError, Checksums, ObjectKey};

/// A range of an object.
#[derive(Clone, Debug)]
pub struct ObjectPart {
    /// The object's key.
    pub key: ObjectKey,
    /// The bytes of the object.
    pub range: Range<u64>,
    /// What they are compared with when they are read. `None`: with nothing.
    pub known: Option<KnownObject>,
}

/// What is known of an object before it is read.
#[derive(Clone, Debug)]
pub struct KnownObject {
    /// The length in bytes.
    pub length: u64,
    /// The checksums of its blocks.
    pub checksums: Checksums,
}

impl ObjectPart {
    pub(super) fn length(&self) -> usize {
        usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX)
    }

    /// Compares what was read of it with the checksums, if they are known.
    /// Its range must consist of whole blocks.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), BlobError> {
        match &self.known {
            Some(known) if !known.checksums.agree(self.range.start, bytes) => {
                Err(BlobError::Changed)
            }
            _ => Ok(()),
        }
    }
}

/// Compares the bytes of these parts, one after the other, with their checksums.
pub(super) fn check(parts: &[ObjectPart], mut bytes: &[u8]) -> Result<(), BlobError> {
    for part in parts {
        let (own, later) = bytes.split_at(part.length());
        part.check(own)?;
        bytes = later;
    }
    Ok(())
}
