//! The protocol between the server and its worker: one request on standard input, the answers on standard output.
//!
//! Both ends are the same executable, so the protocol has no version. But a video may have taken over the
//! worker's decoder: the server validates its answers like any other untrusted input.

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read, Write};

use super::image::RgbImage;
use super::{MAX_CANDIDATES, MAX_GROUP_BYTES, Size, THUMBNAIL_SIDE};
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

/// What to make of each wanted picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outputs {
    /// Maximum length of the longer side of a JPEG, in pixels.
    pub side: u32,
    /// Maximum size of a JPEG, on average over all that are made. 0: none is made.
    pub bytes_each: u32,
    /// Maximum length of the longer side of a thumbnail, in pixels. 0: none is made.
    pub thumbnail_side: u32,
}

/// A request to the worker. `B`: the server lends the inputs' bytes, the worker owns them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<B> {
    pub format: Format,
    pub rotation: Rotation,
    pub outputs: Outputs,
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

/// What is made of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    /// Empty: none was wanted.
    pub jpeg: Vec<u8>,
    /// Without pixels: none was wanted.
    pub thumbnail: RgbImage,
}

/// The answer for one wanted picture.
pub(super) type Answer = Result<Made, DecodeError>;

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
        let Outputs {
            side,
            bytes_each,
            thumbnail_side,
        } = self.outputs;
        head.extend(
            [side, bytes_each, thumbnail_side]
                .map(u32::to_be_bytes)
                .as_flattened(),
        );
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
        let outputs = Outputs {
            side: read_number(&mut from, Size::FULL.side)?,
            bytes_each: read_number(&mut from, u32::MAX)?,
            thumbnail_side: read_number(&mut from, THUMBNAIL_SIDE)?,
        };
        let config = read_number(&mut from, MAX_CONFIG_BYTES)?;
        let max_count = u32::try_from(MAX_CANDIDATES).unwrap_or(u32::MAX);
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
            outputs,
            config,
            inputs,
        })
    }
}

/// Writes the answers, in the order of the wanted pictures.
pub(super) fn write_answers(answers: &[Answer], mut to: impl Write) -> io::Result<()> {
    for answer in answers {
        let kind: u8 = match answer {
            Ok(_) => 0,
            Err(DecodeError::TooLarge) => 1,
            Err(DecodeError::Undecodable) => 2,
        };
        to.write_all(&[kind])?;
        let Ok(Made { jpeg, thumbnail }) = answer else {
            continue;
        };
        let length = u32::try_from(jpeg.len()).map_err(|_| ErrorKind::InvalidData)?;
        let numbers = [length, thumbnail.width, thumbnail.height];
        to.write_all(numbers.map(u32::to_be_bytes).as_flattened())?;
        to.write_all(jpeg)?;
        to.write_all(&thumbnail.rgb)?;
    }
    to.flush()
}

/// Maximum length of `count` answers, in bytes.
pub(super) fn max_answer_bytes(count: usize, outputs: Outputs) -> u64 {
    const HEAD: u64 = 13;
    let side = u64::from(outputs.thumbnail_side);
    let each = HEAD + u64::from(outputs.bytes_each) + 3 * side * side;
    (count as u64).saturating_mul(each)
}

/// Parses the worker's output. `None`: it isn't exactly `count` answers within their limits.
pub(super) fn parse_answers(
    mut output: &[u8],
    count: usize,
    outputs: Outputs,
) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    let (mut pictures, mut total) = (0_u64, 0_u64);
    for _ in 0..count {
        let [kind] = read_array(&mut output).ok()?;
        answers.push(match kind {
            0 => {
                let made = parse_made(&mut output, outputs)?;
                pictures += 1;
                total += made.jpeg.len() as u64;
                Ok(made)
            }
            1 => Err(DecodeError::TooLarge),
            2 => Err(DecodeError::Undecodable),
            _ => return None,
        });
    }
    let fits = total <= pictures.saturating_mul(outputs.bytes_each.into());
    (output.is_empty() && fits).then_some(answers)
}

/// Parses what was made of one picture: exactly what was wanted.
fn parse_made(output: &mut &[u8], outputs: Outputs) -> Option<Made> {
    let length = usize::try_from(read_number(output, u32::MAX).ok()?).ok()?;
    let mut side = || read_number(output, outputs.thumbnail_side).ok();
    let (width, height) = (side()?, side()?);
    let (jpeg, rest) = output.split_at_checked(length)?;
    let samples = usize::try_from(u64::from(width) * u64::from(height) * 3).ok()?;
    let (rgb, rest) = rest.split_at_checked(samples)?;
    *output = rest;
    let is_wanted = jpeg.is_empty() == (outputs.bytes_each == 0)
        && rgb.is_empty() == (outputs.thumbnail_side == 0);
    is_wanted.then(|| Made {
        jpeg: jpeg.to_vec(),
        thumbnail: RgbImage {
            width,
            height,
            rgb: rgb.to_vec(),
        },
    })
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
