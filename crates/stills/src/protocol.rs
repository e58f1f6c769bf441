//! What the server and its child say to each other over the pipes.
//!
//! Both are the same binary, so nothing is versioned. But the child may be in a stranger's hands once it
//! has begun to decode: what it answers is checked like anything else that comes from outside.

use std::io::{self, ErrorKind, Read, Write};

use super::{MOST_GROUP_BYTES, MOST_STILLS};
use media::Rotation;

/// How a request is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// A VP8 frame each.
    Vp8,
    /// NAL units, lengths in front; the request's `config` is the `avcC`.
    H264,
    /// PPM pictures, one behind the other: what ffmpeg made.
    Pixmap,
}

/// What the child is asked for. `B`: bytes are lent here and owned there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request<B> {
    pub coding: Coding,
    pub rotation: Rotation,
    /// How many bytes the pictures that come of it may have, times their number.
    pub bytes_each: u32,
    pub config: Vec<u8>,
    pub inputs: Vec<Input<B>>,
}

/// What is decoded together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Input<B> {
    pub bytes: B,
    /// Which of its pictures are wanted: each by how many are shown before it, rising.
    pub wanted: Vec<u32>,
}

/// What became of one picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A JPEG.
    Picture(Vec<u8>),
    /// It says that it has more pixels than are decoded here.
    TooLarge,
    /// It can't be decoded.
    Unreadable,
}

/// Of a `config`. They are a few hundred bytes.
const MOST_CONFIG_BYTES: u32 = 1 << 16;

impl<B: AsRef<[u8]>> Request<B> {
    /// What goes ahead of the bytes, which then follow as they are.
    pub(super) fn head(&self) -> Vec<u8> {
        let coding = match self.coding {
            Coding::Vp8 => 0,
            Coding::H264 => 1,
            Coding::Pixmap => 2,
        };
        let quarters = match self.rotation {
            Rotation::None => 0,
            Rotation::Quarter => 1,
            Rotation::Half => 2,
            Rotation::ThreeQuarters => 3,
        };
        let mut head = vec![coding, quarters];
        head.extend(self.bytes_each.to_be_bytes());
        // A number that doesn't fit is refused over there.
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).to_be_bytes();
        head.extend(number(self.config.len()));
        head.extend(number(self.inputs.len()));
        for Input { bytes, wanted } in &self.inputs {
            head.extend(number(bytes.as_ref().len()));
            head.extend(number(wanted.len()));
            head.extend(wanted.iter().flat_map(|place| place.to_be_bytes()));
        }
        head.extend(&self.config);
        head
    }
}

impl Request<Vec<u8>> {
    /// Reads one, no more than it may hold.
    pub(super) fn read(mut from: impl Read) -> io::Result<Self> {
        let [coding, quarters] = array(&mut from)?;
        let coding = match coding {
            0 => Coding::Vp8,
            1 => Coding::H264,
            2 => Coding::Pixmap,
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        let rotation = match quarters {
            0 => Rotation::None,
            1 => Rotation::Quarter,
            2 => Rotation::Half,
            3 => Rotation::ThreeQuarters,
            _ => return Err(ErrorKind::InvalidData.into()),
        };
        let bytes_each = number(&mut from, u32::MAX)?;
        let config = number(&mut from, MOST_CONFIG_BYTES)?;
        let most = u32::try_from(MOST_STILLS).unwrap_or(u32::MAX);
        let count = number(&mut from, most)?;
        let most_bytes = u32::try_from(MOST_GROUP_BYTES).unwrap_or(u32::MAX);
        let heads = (0..count).map(|_| {
            let length = number(&mut from, most_bytes)?;
            let wanted = number(&mut from, most)?;
            let wanted = (0..wanted).map(|_| number(&mut from, u32::MAX));
            Ok((length, wanted.collect::<io::Result<_>>()?))
        });
        let heads: Vec<(u32, Vec<u32>)> = heads.collect::<io::Result<_>>()?;
        let config = bytes(&mut from, config)?;
        let inputs = heads.into_iter().map(|(length, wanted)| {
            let bytes = bytes(&mut from, length)?;
            Ok(Input { bytes, wanted })
        });
        let inputs = inputs.collect::<io::Result<_>>()?;
        Ok(Self {
            coding,
            rotation,
            bytes_each,
            config,
            inputs,
        })
    }
}

/// Says what became of each picture that was wanted, in their order.
pub(super) fn answer(answers: &[Answer], mut to: impl Write) -> io::Result<()> {
    for answer in answers {
        let (kind, jpeg): (u8, &[u8]) = match answer {
            Answer::Picture(jpeg) => (0, jpeg),
            Answer::TooLarge => (1, &[]),
            Answer::Unreadable => (2, &[]),
        };
        let length = u32::try_from(jpeg.len()).map_err(|_| ErrorKind::InvalidData)?;
        to.write_all(&[kind])?;
        to.write_all(&length.to_be_bytes())?;
        to.write_all(jpeg)?;
    }
    to.flush()
}

/// The most bytes of answers about so many pictures.
pub(super) fn most_answer_bytes(wanted: usize, bytes_each: u32) -> u64 {
    (wanted as u64).saturating_mul(u64::from(bytes_each) + 5)
}

/// What the child said. `None`: it isn't an answer about so many pictures, to the byte.
pub(super) fn answers(mut said: &[u8], wanted: usize, bytes_each: u32) -> Option<Vec<Answer>> {
    let mut answers = Vec::new();
    let (mut pictures, mut total) = (0_u64, 0_u64);
    for _ in 0..wanted {
        let [kind] = array(&mut said).ok()?;
        let length = usize::try_from(number(&mut said, u32::MAX).ok()?).ok()?;
        let (jpeg, rest) = said.split_at_checked(length)?;
        said = rest;
        answers.push(match (kind, length) {
            (0, 1..) => Answer::Picture(jpeg.to_vec()),
            (1, 0) => Answer::TooLarge,
            (2, 0) => Answer::Unreadable,
            _ => return None,
        });
        pictures += u64::from(kind == 0);
        total += length as u64;
    }
    let fits = total <= pictures.saturating_mul(bytes_each.into());
    (said.is_empty() && fits).then_some(answers)
}

fn array<const N: usize>(from: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn number(from: &mut impl Read, most: u32) -> io::Result<u32> {
    let number = u32::from_be_bytes(array(from)?);
    if number > most {
        return Err(ErrorKind::InvalidData.into());
    }
    Ok(number)
}

fn bytes(from: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
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
            bytes_each in any::<u32>(),
        ) {
            let inputs = inputs.into_iter().map(|(bytes, wanted)| Input { bytes, wanted });
            let sent = Request {
                coding: Coding::H264,
                rotation: Rotation::ThreeQuarters,
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
            said in proptest::collection::vec(0_u8..3, 0..80),
            wanted in 0_usize..13,
        ) {
            for answer in answers(&said, wanted, 9).into_iter().flatten() {
                prop_assert!(matches!(answer, Answer::TooLarge | Answer::Unreadable)
                    || matches!(answer, Answer::Picture(jpeg) if jpeg.len() <= 9 * wanted));
            }
        }
    }

    #[test]
    fn answers_arrive_as_they_were_given_and_nothing_else_does() {
        let given = [
            Answer::Picture(vec![1, 2, 3]),
            Answer::TooLarge,
            Answer::Unreadable,
        ];
        let mut wire = Vec::new();
        answer(&given, &mut wire).expect("room");
        assert_eq!(answers(&wire, 3, 3), Some(given.into()));
        assert_eq!(answers(&wire, 3, 2), None, "too many bytes");
        assert_eq!(answers(&wire, 2, 9), None, "too many answers");
        assert_eq!(answers(&wire, 4, 9), None, "too few");
        wire.push(0);
        assert_eq!(answers(&wire, 3, 3), None, "more than answers");
    }
}
