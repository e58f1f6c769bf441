use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn a_decoder_request_round_trips(
        inputs in proptest::collection::vec(
            (proptest::collection::vec(any::<u8>(), 0..20), proptest::collection::vec(any::<u32>(), 0..12)),
            0..12,
        ),
        config in proptest::collection::vec(any::<u8>(), 0..20),
        side in 0..=Size::FULL.side,
        bytes_each in any::<u32>(),
        thumbnail_side in 0..=THUMBNAIL_SIDE,
    ) {
        let inputs = inputs.into_iter().map(|(bytes, positions)| Input { bytes, positions });
        let sent = Request {
            format: Format::H264,
            rotation: Rotation::ThreeQuarters,
            outputs: Outputs { side, bytes_each, thumbnail_side },
            config,
            inputs: inputs.collect(),
        };
        let bytes = sent.inputs.iter().flat_map(|it| it.bytes.clone());
        let wire: Vec<u8> = sent.head().into_iter().chain(bytes).collect();
        prop_assert_eq!(Request::read(&*wire).expect("a request"), sent);
        prop_assert!(Request::read(&wire[..wire.len() - 1]).is_err());
    }

    #[test]
    fn any_output_of_the_worker_is_bounded_or_rejected(
        output in proptest::collection::vec(0_u8..3, 0..80),
        count in 0_usize..13,
    ) {
        for answer in parse_answers(&output, count, within(9, 0)).into_iter().flatten() {
            prop_assert!(answer.is_err() || answer.is_ok_and(|made| made.jpeg.len() <= 9 * count));
        }
    }
}

fn within(bytes_each: u32, thumbnail_side: u32) -> Outputs {
    Outputs {
        side: 9,
        bytes_each,
        thumbnail_side,
    }
}

fn made(jpeg: &[u8], width: u32, height: u32) -> Made {
    Made {
        jpeg: jpeg.to_vec(),
        thumbnail: RgbImage {
            width,
            height,
            rgb: vec![7; (width * height * 3) as usize],
        },
    }
}

#[test]
fn decoder_answers_round_trip_and_others_are_rejected() {
    let sent = [
        Ok(made(&[1, 2, 3], 0, 0)),
        Err(DecodeError::TooLarge),
        Err(DecodeError::Undecodable),
    ];
    let mut wire = Vec::new();
    write_answers(&sent, &mut wire).expect("room");
    let parsed = |count, bytes_each| parse_answers(&wire, count, within(bytes_each, 0));
    assert_eq!(parsed(3, 3), Some(sent.into()));
    assert_eq!(parsed(3, 2), None, "too many bytes");
    assert_eq!(parsed(2, 9), None, "too many answers");
    assert_eq!(parsed(4, 9), None, "too few");
    let longer = [&wire[..], &[0]].concat();
    assert_eq!(
        parse_answers(&longer, 3, within(3, 0)),
        None,
        "more than answers"
    );
}

#[test]
fn a_thumbnail_has_the_size_that_was_asked_for_and_all_its_samples() {
    let sent = [Ok(made(&[], 3, 2))];
    let mut wire = Vec::new();
    write_answers(&sent, &mut wire).expect("room");
    assert_eq!(parse_answers(&wire, 1, within(0, 3)), Some(sent.into()));
    assert_eq!(parse_answers(&wire, 1, within(0, 2)), None, "too wide");
    assert_eq!(parse_answers(&wire, 1, within(0, 0)), None, "not wanted");
    assert_eq!(
        parse_answers(&wire, 1, within(9, 3)),
        None,
        "a JPEG was wanted"
    );
    let cut = &wire[..wire.len() - 1];
    assert_eq!(
        parse_answers(cut, 1, within(0, 3)),
        None,
        "a sample is missing"
    );
}
