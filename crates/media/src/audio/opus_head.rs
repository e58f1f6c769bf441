//! The headers of Opus in Ogg (RFC 7845, section 5).

/// Length of an `OpusHead` without a mapping table, in bytes, and of one with the largest table.
const MIN_HEAD: usize = 19;
const MAX_HEAD: usize = 19 + 2 + 255;

/// Length of the fields of a `dOps` box in bytes, without a mapping table.
const DOPS_FIELDS: usize = 11;

/// An identification header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpusHead(Vec<u8>);

impl OpusHead {
    /// Reads a header as Matroska stores it, in CodecPrivate. `None`: it isn't one.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let is_head = bytes.starts_with(b"OpusHead")
            && (MIN_HEAD..=MAX_HEAD).contains(&bytes.len())
            // Versions with the same upper half are compatible.
            && bytes[8] & 0xf0 == 0
            && bytes[9] > 0;
        // Family 0 has no mapping table; the others have one entry for each channel.
        let needed = match *bytes.get(18)? {
            0 => MIN_HEAD,
            _ => MIN_HEAD + 2 + usize::from(bytes[9]),
        };
        (is_head && bytes.len() >= needed).then(|| Self(bytes.to_vec()))
    }

    /// Converts the payload of a `dOps` box, whose numbers are big-endian.
    pub(crate) fn from_dops(payload: &[u8]) -> Option<Self> {
        let fields = payload.first_chunk::<DOPS_FIELDS>()?;
        let [
            0,
            channels,
            skip_high,
            skip_low,
            r3,
            r2,
            r1,
            r0,
            gain_high,
            gain_low,
            family,
        ] = *fields
        else {
            return None;
        };
        let mut head = b"OpusHead\x01".to_vec();
        head.extend([channels, skip_low, skip_high, r0, r1, r2, r3]);
        head.extend([gain_low, gain_high, family]);
        if family > 0 {
            head.extend(payload.get(DOPS_FIELDS..)?);
        }
        Self::read(&head)
    }

    /// The first packet of the stream.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number of samples at 48 kHz that decoders drop at the beginning.
    pub(super) fn pre_skip(&self) -> u16 {
        match self.0.get(10..12) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]),
            _ => 0,
        }
    }
}

/// The comment header, the second packet of the stream: no comments.
pub(super) fn opus_tags() -> Vec<u8> {
    const VENDOR: &[u8; 7] = b"vidence";
    let mut tags = b"OpusTags".to_vec();
    tags.extend([7, 0, 0, 0]);
    tags.extend(VENDOR);
    tags.extend([0; 4]);
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0";

    #[test]
    fn an_mp4_opus_box_becomes_the_ogg_header() {
        let dops = [0, 2, 0x01, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0];
        let head = OpusHead::from_dops(&dops).expect("a header");
        assert_eq!(head.as_bytes(), HEAD);
        assert_eq!(head.pre_skip(), 312);
        let surround = [&[0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 1][..], &[2, 1, 0, 2, 1]].concat();
        let head = OpusHead::from_dops(&surround).expect("a header");
        assert_eq!(head.as_bytes().len(), 24);
    }

    #[test]
    fn malformed_headers_are_refused() {
        assert!(OpusHead::read(HEAD).is_some());
        for (at, byte) in [(0, b'o'), (8, 0x10), (9, 0), (18, 1)] {
            let mut bytes = HEAD.to_vec();
            bytes[at] = byte;
            assert_eq!(OpusHead::read(&bytes), None, "{at}");
        }
        assert_eq!(OpusHead::read(&HEAD[..18]), None);
        assert_eq!(OpusHead::read(&HEAD.repeat(20)), None);
        assert_eq!(
            OpusHead::from_dops(&[1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            None
        );
        assert_eq!(OpusHead::from_dops(&[]), None);
    }
}
