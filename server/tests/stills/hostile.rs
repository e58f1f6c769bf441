//! Malformed and malicious frames.

use std::time::Instant;

use media::{Codec, Container, Reader, Rotation, VideoTrack};
use stills::{CodedGroup, Decoders, MAX_FRAME_BYTES, NoStills, TimeLimits, exact, make};
use test_support::recordings::fixtures::LIVE_MP4;

use crate::brightening::cut;
use crate::fixtures::*;

fn every_codec() -> [(VideoTrack, &'static [u8]); 5] {
    let track = |codec, config| track(codec, config, Rotation::None);
    [
        (track(Codec::Vp8, &[]), VP8),
        (track(Codec::H264, AVCC), H264),
        (track(Codec::Vp9, &[]), VP9),
        (track(Codec::Av1, AV1C), AV1),
        (track(Codec::H265, HVCC), H265),
    ]
}

fn garbage(length: usize) -> Vec<u8> {
    let numbers = (0_u32..)
        .take(length)
        .map(|index| index.wrapping_mul(2_654_435_761));
    numbers.map(|number| number.to_be_bytes()[1]).collect()
}

#[tokio::test]
async fn garbage_is_an_error_in_every_decoder() {
    let _exclusive = exclusive().await;
    for (track, _) in every_codec() {
        let result = make(
            &decoders(Some(FFMPEG.into())),
            &track,
            at_seconds(&[&garbage(5000)]),
        )
        .await;
        let error = result.expect_err("no picture");
        assert!(
            matches!(
                error,
                NoStills::Undecodable | NoStills::Crashed | NoStills::NoDecoder(_)
            ),
            "{:?}: {error:?}",
            track.codec
        );
    }
    assert_eq!(child_processes(), [""; 0]);
}

#[tokio::test]
async fn truncated_and_damaged_frames_do_not_affect_others() {
    let _exclusive = exclusive().await;
    for (track, frame) in every_codec() {
        let mut damaged = frame.to_vec();
        for byte in damaged.iter_mut().skip(60).step_by(7) {
            *byte = byte.wrapping_mul(31).wrapping_add(7);
        }
        let frames = at_seconds(&[&frame[..20], &frame[..frame.len() / 2], &damaged, frame]);
        let stills = make(&decoders(Some(FFMPEG.into())), &track, frames).await;
        let stills = stills.unwrap_or_else(|error| panic!("{:?}: {error}", track.codec));
        let last = stills.last().expect("a picture");
        assert_eq!(
            last.at.as_secs(),
            3,
            "{:?}: the undamaged frame",
            track.codec
        );
        assert_eq!(corners(last)[0], "red", "{:?}", track.codec);
    }
    assert_eq!(child_processes(), [""; 0]);
}

/// Length of a NAL unit's length, in bytes.
const PREFIX: usize = 4;

/// Numbers that look random, the same ones in each run: by a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        let (factor, addend) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
        self.0 = self.0.wrapping_mul(factor).wrapping_add(addend);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).expect("a byte")
    }

    /// Damages a NAL unit with its length, or cuts it off, with the length that it had or with the right one.
    fn damage(&mut self, picture: &mut Vec<u8>) {
        let length = picture.len();
        match self.below(4) {
            0 => {
                for _ in 0..=self.below(4) {
                    let (place, bit) = (self.below(length), self.below(8));
                    picture[place] ^= 1 << bit;
                }
            }
            1 => {
                let begin = self.below(length);
                let end = begin + 1 + self.below(length - begin);
                picture[begin..end].fill_with(|| self.byte());
            }
            2 => picture.truncate(self.below(length)),
            _ => {
                let left = 1 + self.below(length - PREFIX);
                picture.truncate(PREFIX + left);
                let left = u32::try_from(left).expect("few").to_be_bytes();
                picture[..PREFIX].copy_from_slice(&left);
            }
        }
    }
}

/// The group with damage in one of the pictures behind its keyframe.
fn damaged_between(group: &CodedGroup, numbers: &mut Numbers) -> CodedGroup {
    let mut rest = group.bytes.as_slice();
    let pictures = group.lengths.iter().map(|length| {
        let picture;
        (picture, rest) = rest.split_at(*length);
        picture.to_vec()
    });
    let mut pictures: Vec<Vec<u8>> = pictures.collect();
    let index = 1 + numbers.below(pictures.len() - 1);
    numbers.damage(&mut pictures[index]);
    CodedGroup {
        bytes: pictures.concat(),
        lengths: pictures.iter().map(Vec::len).collect(),
        moments: group.moments.clone(),
    }
}

/// Such a picture refers to what earlier ones have left in the decoder, as no keyframe does.
#[tokio::test]
async fn damaged_pictures_between_keyframes_do_no_harm_to_others() {
    const ROUNDS: usize = 300;
    let _exclusive = exclusive().await;
    let mut reader = Reader::new(Container::Mp4);
    reader.feed(LIVE_MP4);
    let summary = reader.finish().expect("a recording").summary;
    // The last one that is decoded from the first keyframe on.
    let mut behind = summary.pictures.iter().skip(1);
    let wanted = behind.position(|it| it.is_keyframe);
    let wanted = wanted.expect("a second keyframe");
    let at = summary.pictures[wanted].at.expect("it is shown");
    let group = exact(&summary.pictures, &[wanted], 320 * 240).remove(0);
    let group = cut(group, LIVE_MP4);
    assert_eq!(group.lengths.len(), wanted + 1);
    assert!(wanted > 5, "{wanted}");

    let built_in = decoders(None);
    let with_ffmpeg = decoders(Some(FFMPEG.into()));
    let decode = async |group: &CodedGroup, decoders: &Decoders| {
        let start = Instant::now();
        let made = make(decoders, &summary.video, vec![group.clone()]).await;
        assert!(start.elapsed() < TimeLimits::default().video);
        assert_eq!(child_processes(), [""; 0]);
        made
    };
    let intact = decode(&group, &built_in).await.expect("a picture");
    let mut numbers = Numbers(1);
    let (mut shown, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let damaged = damaged_between(&group, &mut numbers);
        // It takes longer.
        let decoders = match round % 8 {
            0 => &with_ffmpeg,
            _ => &built_in,
        };
        match decode(&damaged, decoders).await {
            Ok(stills) => {
                let shown_at: Vec<_> = stills.iter().map(|it| it.at).collect();
                assert_eq!(shown_at, [at], "{round}");
                shown += 1;
            }
            Err(
                NoStills::Undecodable | NoStills::TooLarge | NoStills::Crashed | NoStills::TimedOut,
            ) => refused += 1,
            Err(error) => panic!("{round}: {error:?}"),
        }
    }
    assert!(shown > 0 && refused > 0, "{shown} shown, {refused} refused");
    let again = decode(&group, &built_in).await.expect("a picture");
    assert!(again == intact, "another picture");
}

#[tokio::test]
async fn a_frame_with_huge_dimensions_is_not_decoded() {
    let _exclusive = exclusive().await;
    let mut vp8 = VP8.to_vec();
    vp8[6..10].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let track = track(Codec::Vp8, &[], Rotation::None);
    let result = make(&decoders(None), &track, at_seconds(&[&vp8])).await;
    assert!(matches!(result, Err(NoStills::TooLarge)), "{result:?}");
    let stills = make(&decoders(None), &track, at_seconds(&[&vp8, VP8])).await;
    assert_eq!(stills.expect("the other one").len(), 1);
}

#[tokio::test]
async fn empty_and_oversized_frames_are_not_sent_to_the_decoder() {
    let _exclusive = exclusive().await;
    let track = track(Codec::Vp8, &[], Rotation::None);
    let long = vec![0; MAX_FRAME_BYTES + 1];
    let result = make(&decoders(None), &track, at_seconds(&[&[], &long])).await;
    assert!(matches!(result, Err(NoStills::NoFrame)), "{result:?}");
    let result = make(&decoders(None), &track, Vec::new()).await;
    assert!(matches!(result, Err(NoStills::NoFrame)), "{result:?}");
}
