//! The protocol between the server and its worker: one request on standard input, the answers on standard output.
//!
//! Both ends are the same executable, so the protocol has no version. But a video may have taken over the
//! worker's decoder: the server validates its answers like any other untrusted input.

use std::io::{self, ErrorKind, Read, Write};

use super::{MAX_GROUP_BYTES, MAX_STILLS, Size};
use media::Rotation;

/// The format of a request's inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// One VP8 key frame each.
    Vp8,
    /// Length-prefixed NAL units; the request's `config` is the `avcC`.
    H264,
    /// PPM images, one behind the other, as ffmpeg writes them.
    Ppm,
}

/// A request to the worker. `B`: the server lends the inputs' bytes, the worker owns them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<B> {
    pub format: Format,
    pub rotation: Rotation,
    /// Maximum length of the longer side, in pixels.
    pub side: u32,
    /// Maximum size of a JPEG, on average over all that are made.
    pub bytes_each: u32,
    pub config: Vec<u8>,
    pub inputs: Vec<Input<B>>,
}

/// Coded bytes that are decoded together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Input<B> {
    pub bytes: B,
    /// The wanted pictures by their positions in presentation order, ascending.
    pub positions: Vec<u32>,
}

/// Why a picture can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecodeError {
    /// It declares more pixels than are decoded here.
    TooLarge,
    /// It is malformed, or uses features that the decoder lacks.
    Undecodable,
}

/// The answer for one wanted picture: a JPEG.
pub(super) type Answer = Result<Vec<u8>, DecodeError>;

/// Maximum length of a `config`. Usual ones have a few hundred bytes.
const MAX_CONFIG_BYTES: u32 = 1 << 16;

impl<B: AsRef<[u8]>> Request<B> {
    /// Serializes all but the inputs' bytes, which follow in their order.
    pub(super) fn head(&self) -> Vec<u8> {
        let format = match self.format {
            Format::Vp8 => 0,
            Format::H264 => 1,
            Format::Ppm => 2,
        };
        let quarters = match self.rotation {
            Rotation::None => 0,
            Rotation::Quarter => 1,
            Rotation::Half => 2,
            Rotation::ThreeQuarters => 3,
        };
        let mut head = vec![format, quarters];
        head.extend(self.side.to_be_bytes());
        head.extend(self.bytes_each.to_be_bytes());
        // The worker refuses a saturated number as too large.
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).to_be_bytes();
        head.extend(number(self.config.len()));
        head.extend(number(self.inputs.len()));
        for Input { bytes, positions } in &self.inputs {
            head.extend(number(bytes.as_ref().len()));
            head.extend(number(positions.len()));
            head.extend(positions.iter().flat_map(|it| it.to_be_bytes()));
        }
        head.extend(&self.config);
        head
    }
}

impl Request<Vec<u8>> {
    /// Reads a request. One that exceeds the limits is an error.
    pub(super) fn read(mut from: impl Read) -> io::Result<Self> {
        let [format, quarters] = read_array(&mut from)?;
        let format = match format {
            0 => Format::Vp8,
            1 => Format::H264,
            2 => Format::Ppm,
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        let rotation = match quarters {
            0 => Rotation::None,
            1 => Rotation::Quarter,
            2 => Rotation::Half,
            3 => Rotation::ThreeQuarters,
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        let side = read_number(&mut from, Size::FULL.side)?;
        let bytes_each = read_number(&mut from, u32::MAX)?;
        let config = read_number(&mut from, MAX_CONFIG_BYTES)?;
        let max_count = u32::try_from(MAX_STILLS).unwrap_or(u32::MAX);
        let count = read_number(&mut from, max_count)?;
        let max_bytes = u32::try_from(MAX_GROUP_BYTES).unwrap_or(u32::MAX);
        let heads = (0..count).map(|_| {
            let length = read_number(&mut from, max_bytes)?;
            let positions = read_number(&mut from, max_count)?;
            let positions = (0..positions).map(|_| read_number(&mut from, u32::MAX));
            Ok((length, positions.collect::<io::Result<_>>()?))
        });
        let heads: Vec<(u32, Vec<u32>)> = heads.collect::<io::Result<_>>()?;
        let config = read_bytes(&mut from, config)?;
        let inputs = heads.into_iter().map(|(length, positions)| {
            let bytes = read_bytes(&mut from, length)?;
            Ok(Input { bytes, positions })
        });
        let inputs = inputs.collect::<io::Result<_>>()?;
        Ok(Self {
            format,
            rotation,
            side,
            bytes_each,
            config,
            inputs,
        })
    }
}

/// Writes the answers, in the order of the wanted pictures.
pub(super) fn write_answers(answers: &[Answer], mut to: impl Write) -> io::Result<()> {
    for answer in answers {
        let (kind, jpeg): (u8, &[u8]) = match answer {
            Ok(jpeg) => (0, jpeg),
            Err(DecodeError::TooLarge) => (1, &[]),
            Err(DecodeError::Undecodable) => (2, &[]),
        };
        let length = u32::try_from(jpeg.len()).map_err(|_| ErrorKind::InvalidData)?;
        to.write_all(&[kind])?;
        to.write_all(&length.to_be_bytes())?;
        to.write_all(jpeg)?;
    }
    to.flush()
}

/// Maximum length of `count` answers, in bytes.
pub(super) fn max_answer_bytes(count: usize, bytes_each: u32) -> u64 {
    (count as u64).saturating_mul(u64::from(bytes_each) + 5)
}

/// Parses the worker's output. `None`: it isn't exactly `count` answers within their limits.
pub(super) fn parse_answers(
    mut output: &[u8],
    count: usize,
    bytes_each: u32,
) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    let (mut pictures, mut total) = (0_u64, 0_u64);
    for _ in 0..count {
        let [kind] = read_array(&mut output).ok()?;
        let length = usize::try_from(read_number(&mut output, u32::MAX).ok()?).ok()?;
        let (jpeg, rest) = output.split_at_checked(length)?;
        output = rest;
        answers.push(match (kind, length) {
            (0, 1..) => Ok(jpeg.to_vec()),
            (1, 0) => Err(DecodeError::TooLarge),
            (2, 0) => Err(DecodeError::Undecodable),
            _ => return None,
        });
        pictures += u64::from(kind == 0);
        total += length as u64;
    }
    let fits = total <= pictures.saturating_mul(bytes_each.into());
    (output.is_empty() && fits).then_some(answers)
}

fn read_array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_number(from: &mut impl Read, max: u32) -> io::Result<u32> {
    let number = u32::from_be_bytes(read_array(from)?);
    if number > max {
        return Err(ErrorKind::InvalidData.into());
    }
    Ok(number)
}

fn read_bytes(from: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(length.into()).read_to_end(&mut bytes)?;
    if read as u64 != u64::from(length) {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_request_arrives_as_it_was_sent(
            inputs in proptest::collection::vec(
                (proptest::collection::vec(any::<u8>(), 0..20), proptest::collection::vec(any::<u32>(), 0..12)),
                0..12,
            ),
            config in proptest::collection::vec(any::<u8>(), 0..20),
            side in 0..=Size::FULL.side,
            bytes_each in any::<u32>(),
        ) {
            let inputs = inputs.into_iter().map(|(bytes, positions)| Input { bytes, positions });
            let sent = Request {
                format: Format::H264,
                rotation: Rotation::ThreeQuarters,
                side,
                bytes_each,
                config,
                inputs: inputs.collect(),
            };
            let bytes = sent.inputs.iter().flat_map(|it| it.bytes.clone());
            let wire: Vec<u8> = sent.head().into_iter().chain(bytes).collect();
            prop_assert_eq!(Request::read(&*wire).expect("a request"), sent);
            prop_assert!(Request::read(&wire[..wire.len() - 1]).is_err());
        }

        #[test]
        fn whatever_the_child_says_is_an_answer_within_its_bounds_or_none(
            output in proptest::collection::vec(0_u8..3, 0..80),
            count in 0_usize..13,
        ) {
            for answer in parse_answers(&output, count, 9).into_iter().flatten() {
                prop_assert!(answer.is_err() || answer.is_ok_and(|jpeg| jpeg.len() <= 9 * count));
            }
        }
    }

    #[test]
    fn answers_arrive_as_they_were_sent_and_nothing_else_does() {
        let sent = [
            Ok(vec![1, 2, 3]),
            Err(DecodeError::TooLarge),
            Err(DecodeError::Undecodable),
        ];
        let mut wire = Vec::new();
        write_answers(&sent, &mut wire).expect("room");
        assert_eq!(parse_answers(&wire, 3, 3), Some(sent.into()));
        assert_eq!(parse_answers(&wire, 3, 2), None, "too many bytes");
        assert_eq!(parse_answers(&wire, 2, 9), None, "too many answers");
        assert_eq!(parse_answers(&wire, 4, 9), None, "too few");
        wire.push(0);
        assert_eq!(parse_answers(&wire, 3, 3), None, "more than answers");
    }
}
