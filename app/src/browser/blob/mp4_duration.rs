//! Writes the duration into the head of a fragmented MP4. Pure.
//!
//! A recorder writes the head before it knows the duration: WebKit's leaves 0 in `mehd` (ISO/IEC 14496-12, section
//! 8.8.2). WebKitGTK then shows a clip as one second long until it has been played once.

use std::ops::Range;

/// The head, a `moov` without samples, lies within the first bytes of the file.
pub const MAX_HEAD_BYTES: u64 = 4096;

/// Writes the duration if the head has 0 there.
/// Anything else, including what is no head, stays unchanged.
pub fn write(head: &mut [u8], duration_ms: u32) {
    let _ = try_write(head, duration_ms);
}

fn try_write(head: &mut [u8], duration_ms: u32) -> Option<()> {
    let moov = contents(head, 0..head.len(), *b"moov")?;
    let mvhd = contents(head, moov.clone(), *b"mvhd")?;
    // After version and flags (4 bytes), and two dates whose width depends on the version.
    let at = mvhd.start
        + if head.get(mvhd.start) == Some(&1) {
            20
        } else {
            12
        };
    let timescale = u64::from(read_u32(head, at)?);
    let mvex = contents(head, moov, *b"mvex")?;
    let mehd = contents(head, mvex, *b"mehd")?;
    let field = head.get_mut(mehd.start + 4..mehd.end)?;
    if field.iter().any(|it| *it != 0) {
        return None;
    }
    let ticks = (u64::from(duration_ms) * timescale / 1000).to_be_bytes();
    // 32 or 64 bits, depending on the version.
    field.copy_from_slice(ticks.get(8_usize.checked_sub(field.len())?..)?);
    Some(())
}

/// Finds the contents of the first box with this name.
fn contents(bytes: &[u8], within: Range<usize>, name: [u8; 4]) -> Option<Range<usize>> {
    let mut at = within.start;
    while at + 8 <= within.end {
        let end = at.checked_add(read_u32(bytes, at)? as usize)?;
        if end < at + 8 || end > within.end {
            return None;
        }
        if bytes.get(at + 4..at + 8)? == name {
            return Some(at + 8..end);
        }
        at = end;
    }
    None
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mp4_box(name: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let size = u32::try_from(contents.len() + 8).unwrap_or_default();
        [&size.to_be_bytes()[..], name, contents].concat()
    }

    /// A head with 3000 ticks a second, as WebKit writes it, with this duration; `wide`: version 1.
    fn head(wide: bool, duration: &[u8]) -> Vec<u8> {
        let dates = if wide { 16 } else { 8 };
        let timescale = 3000_u32.to_be_bytes();
        let mvhd = [&[u8::from(wide), 0, 0, 0][..], &vec![0; dates], &timescale].concat();
        let mehd = [&[u8::from(duration.len() == 8), 0, 0, 0][..], duration].concat();
        let mvex = mp4_box(b"mvex", &mp4_box(b"mehd", &mehd));
        let moov = [mp4_box(b"mvhd", &mvhd), mp4_box(b"trak", &[0; 5]), mvex].concat();
        let ftyp = mp4_box(b"ftyp", b"isom");
        [ftyp.clone(), ftyp, mp4_box(b"moov", &moov), vec![0; 9]].concat()
    }

    #[test]
    fn an_unknown_duration_is_written() {
        for wide in [false, true] {
            for width in [4, 8] {
                let mut head = head(wide, &vec![0; width]);
                write(&mut head, 2500);
                let ticks = 7500_u64.to_be_bytes();
                assert_eq!(head, self::head(wide, &ticks[8 - width..]));
            }
        }
    }

    #[test]
    fn a_known_duration_stays() {
        let before = head(false, &[0, 0, 0, 1]);
        let mut after = before.clone();
        write(&mut after, 2500);
        assert_eq!(after, before);
    }

    #[test]
    fn a_truncated_head_and_other_formats_stay() {
        let whole = head(true, &[0; 8]);
        let end_of_moov = whole.len() - 9;
        for cut in 0..end_of_moov {
            let mut bytes = whole[..cut].to_vec();
            write(&mut bytes, 2500);
            assert_eq!(bytes, whole[..cut]);
        }
        let mut webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01".to_vec();
        write(&mut webm, 2500);
        assert_eq!(webm, b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01");
    }
}
