//! Reads the size of a JPEG from its frame header (ITU-T T.81, annex B).
//!
//! By hand, in forty lines, because libraries that read sizes accept a JPEG that is cut off.

/// Width and height in pixels. `None`: the markers aren't those of a complete JPEG with pixels.
pub fn size(jpeg: &[u8]) -> Option<(u32, u32)> {
    let mut rest = jpeg
        .strip_prefix(&[0xff, 0xd8])?
        .strip_suffix(&[0xff, 0xd9])?;
    loop {
        let [0xff, marker, high, low] = *rest.first_chunk::<4>()? else {
            return None;
        };
        let (_, segment) = rest.split_at_checked(2)?;
        let length = u16::from_be_bytes([high, low]).into();
        let (segment, next) = segment.split_at_checked(length)?;
        // SOF0 to SOF2.
        if matches!(marker, 0xc0..=0xc2) {
            // Length, sample precision, number of lines, samples a line.
            let [_, _, _, y, y_low, x, x_low] = *segment.first_chunk::<7>()?;
            let [height, width] = [[y, y_low], [x, x_low]].map(u16::from_be_bytes);
            return (width > 0 && height > 0).then_some((width.into(), height.into()));
        }
        // A scan without a frame header before it, or a length that would make this loop endless.
        if marker == 0xda || length < 2 {
            return None;
        }
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const JPEG: &[u8] = &[
        0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 7, 8, 1, 2, 3, 4, 0xff, 0xd9,
    ];

    #[test]
    fn the_frame_header_states_the_size() {
        assert_eq!(size(JPEG), Some((0x304, 0x102)));
        assert_eq!(size(&JPEG[..18]), None, "cut off");
        assert_eq!(size(&[0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xd9]), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(middle in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = size(&[&[0xff, 0xd8, 0xff], &middle[..], &[0xff, 0xd9]].concat());
        }
    }
}
