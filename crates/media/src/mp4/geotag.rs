//! Whether a movie says where it was filmed: the ways of QuickTime, of 3GPP and of Apple's metadata.
//!
//! Not looked for: positions in a track of their own (action cameras, drones), XMP.

use super::boxes::{Kind, array_at, node, nodes, within};

/// QuickTime user data: ISO 6709 as text. Android writes it too.
const XYZ: Kind = *b"\xa9xyz";
/// 3GPP TS 26.244, section 8.11.
const LOCI: Kind = *b"loci";
/// Apple's keys: `.ISO6709`, `.name`, `.accuracy.horizontal` and more.
const LOCATION_KEY: &[u8] = b"com.apple.quicktime.location";

/// From the content of a movie box.
pub(super) fn is_told(movie: &[u8]) -> bool {
    let tracks = nodes(movie).filter(|node| node.kind == *b"trak");
    place(movie) || tracks.into_iter().any(|track| track_tells(track.content))
}

/// In a track: as in the movie, or as the name of what a metadata track holds.
fn track_tells(track: &[u8]) -> bool {
    let names = within(track, &[*b"mdia", *b"minf", *b"stbl", *b"stsd"]);
    let named = names.and_then(|names| node(names.get(8..)?, *b"mebx"));
    place(track) || named.is_some_and(|named| contains(named.content, LOCATION_KEY))
}

/// In user data or metadata right here.
fn place(bytes: &[u8]) -> bool {
    nodes(bytes).any(|node| match &node.kind {
        b"udta" => nodes(node.content).any(|entry| match entry.kind {
            XYZ | LOCI => true,
            kind => kind == *b"meta" && metadata(entry.content),
        }),
        b"meta" => metadata(node.content),
        _ => false,
    })
}

/// In a metadata box: by a key's name, or by an item's in the manner of iTunes.
fn metadata(content: &[u8]) -> bool {
    // A version and flags by ISO/IEC 14496-12; in QuickTime the boxes begin at once.
    let boxes = match array_at(content, 4) {
        Some(kind) if &kind == b"hdlr" => content,
        _ => content.get(4..).unwrap_or_default(),
    };
    nodes(boxes).any(|node| match &node.kind {
        b"keys" => contains(node.content, LOCATION_KEY),
        b"ilst" => nodes(node.content).any(|item| item.kind == XYZ),
        _ => false,
    })
}

fn contains(bytes: &[u8], name: &[u8]) -> bool {
    bytes.windows(name.len()).any(|window| window == name)
}

#[cfg(test)]
mod tests {
    use super::super::boxes::enclose;
    use super::*;

    fn nested(path: &[&[u8; 4]], content: &[u8]) -> Vec<u8> {
        path.iter().rev().fold(content.to_vec(), |content, kind| {
            let mut out = Vec::new();
            enclose(&mut out, **kind, |out| {
                out.extend_from_slice(&content);
                Some(())
            })
            .expect("small");
            out
        })
    }

    #[test]
    fn a_place_is_found_wherever_it_is_told() {
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
            assert!(is_told(&movie), "{}", movie.escape_ascii());
        }
        for movie in [
            nested(&[b"udta", b"\xa9too"], b"Lavf"),
            nested(&[b"meta"], &make),
            // Only a box of metadata holds keys.
            nested(&[b"udta", b"name"], &keys),
            nested(&[b"udta", b"meta"], b""),
            Vec::new(),
        ] {
            assert!(!is_told(&movie), "{}", movie.escape_ascii());
        }
    }
}
