//! Detects a location in a movie's metadata, as QuickTime, 3GPP and Apple write it.
//!
//! Not detected: positions in a track of their own (action cameras, drones), XMP.

use super::boxes::{BoxType, array_at, boxes, boxes_of, find_box, find_path};

/// QuickTime user data: ISO 6709 as text. Android writes it, too.
const XYZ: BoxType = *b"\xa9xyz";
/// Location information of 3GPP TS 26.244, section 8.11.
const LOCI: BoxType = *b"loci";
/// The prefix of Apple's keys: `.ISO6709`, `.name`, `.accuracy.horizontal` and more.
const LOCATION_KEY: &[u8] = b"com.apple.quicktime.location";

/// Whether the payload of a `moov` box has a location.
pub(super) fn has_location(movie: &[u8]) -> bool {
    has_metadata_location(movie)
        || boxes_of(movie, *b"trak").any(|track| track_has_location(track.payload))
}

/// Whether a track's own metadata has a location, or it is a metadata track with a location key.
fn track_has_location(track: &[u8]) -> bool {
    let entries = find_path(track, &[*b"mdia", *b"minf", *b"stbl", *b"stsd"]);
    let keys = entries.and_then(|entries| find_box(entries.get(8..)?, *b"mebx"));
    has_metadata_location(track) || keys.is_some_and(|keys| contains(keys.payload, LOCATION_KEY))
}

/// Looks into the `udta` and `meta` boxes directly in `bytes`.
fn has_metadata_location(bytes: &[u8]) -> bool {
    boxes(bytes).any(|it| match &it.box_type {
        b"udta" => boxes(it.payload).any(|entry| match entry.box_type {
            XYZ | LOCI => true,
            box_type => box_type == *b"meta" && meta_has_location(entry.payload),
        }),
        b"meta" => meta_has_location(it.payload),
        _ => false,
    })
}

/// Looks into a `meta` box: for one of Apple's keys, or for an item as iTunes writes it.
fn meta_has_location(payload: &[u8]) -> bool {
    // In ISO/IEC 14496-12 version and flags come first; in QuickTime the boxes begin at once.
    let children = match array_at(payload, 4) {
        Some(box_type) if &box_type == b"hdlr" => payload,
        _ => payload.get(4..).unwrap_or_default(),
    };
    boxes(children).any(|it| match &it.box_type {
        b"keys" => contains(it.payload, LOCATION_KEY),
        b"ilst" => boxes(it.payload).any(|item| item.box_type == XYZ),
        _ => false,
    })
}

fn contains(bytes: &[u8], name: &[u8]) -> bool {
    bytes.windows(name.len()).any(|window| window == name)
}

#[cfg(test)]
mod tests {
    use super::super::tests::wrap;
    use super::*;

    /// The payload within boxes of these types, the outermost first.
    fn nested(path: &[&[u8; 4]], payload: &[u8]) -> Vec<u8> {
        let types = path.iter().rev();
        types.fold(payload.to_vec(), |payload, box_type| {
            wrap(box_type, &payload)
        })
    }

    #[test]
    fn a_location_is_found_in_every_form() {
        let key = b"com.apple.quicktime.location.ISO6709";
        let hdlr = nested(&[b"hdlr"], b"\0\0\0\0\0\0\0\0mdta");
        let make = [
            hdlr.clone(),
            nested(&[b"keys"], b"com.apple.quicktime.make.and.model"),
        ]
        .concat();
        let keys = [hdlr, nested(&[b"keys"], key)].concat();
        let iso = [&[0; 4][..], &keys].concat();
        let itunes = [&[0; 4][..], &nested(&[b"ilst", &XYZ], b"")].concat();
        let stsd = [&[0; 8][..], &nested(&[b"mebx"], key)].concat();
        for movie in [
            nested(&[b"udta", &XYZ], b"+52.5+013.4/"),
            nested(&[b"udta", b"loci"], b""),
            nested(&[b"trak", b"udta", &XYZ], b""),
            nested(&[b"meta"], &keys),
            nested(&[b"meta"], &iso),
            nested(&[b"trak", b"meta"], &keys),
            nested(&[b"udta", b"meta"], &itunes),
            nested(&[b"trak", b"mdia", b"minf", b"stbl", b"stsd"], &stsd),
        ] {
            assert!(has_location(&movie), "{}", movie.escape_ascii());
        }
        for movie in [
            nested(&[b"udta", b"\xa9too"], b"Lavf"),
            nested(&[b"meta"], &make),
            // `keys` outside a `meta` box.
            nested(&[b"udta", b"name"], &keys),
            nested(&[b"udta", b"meta"], b""),
            Vec::new(),
        ] {
            assert!(!has_location(&movie), "{}", movie.escape_ascii());
        }
    }
}
