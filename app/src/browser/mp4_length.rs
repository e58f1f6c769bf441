//! The length of a fragmented MP4, written into its head. Pure.
//!
//! A recorder that hands out fragments begins before it knows the length: WebKit's writes 0 into `mehd` (ISO/IEC
//! 14496-12, section 8.8.2). WebKitGTK then shows a clip as one second long until it has been played once.

use std::ops::Range;

/// The head, a `moov` without samples, lies in so many bytes.
pub const LONGEST_HEAD: u64 = 4096;

/// Writes it where the head says 0; no head is left as it is.
pub fn write(head: &mut [u8], length_ms: u32) {
    let _ = try_write(head, length_ms);
}

fn try_write(head: &mut [u8], length_ms: u32) -> Option<()> {
    let moov = contents(head, 0..head.len(), *b"moov")?;
    let mvhd = contents(head, moov.clone(), *b"mvhd")?;
    // Behind version and flags, and two dates of the version's width.
    let at = mvhd.start
        + if head.get(mvhd.start) == Some(&1) {
            20
        } else {
            12
        };
    let timescale = u64::from(number(head, at)?);
    let mvex = contents(head, moov, *b"mvex")?;
    let mehd = contents(head, mvex, *b"mehd")?;
    let length = head.get_mut(mehd.start + 4..mehd.end)?;
    if length.iter().any(|it| *it != 0) {
        return None;
    }
    let ticks = (u64::from(length_ms) * timescale / 1000).to_be_bytes();
    // 32 or 64 bits, by the version.
    length.copy_from_slice(ticks.get(8_usize.checked_sub(length.len())?..)?);
    Some(())
}

/// Of the first box with this name.
fn contents(bytes: &[u8], within: Range<usize>, name: [u8; 4]) -> Option<Range<usize>> {
    let mut at = within.start;
    while at + 8 <= within.end {
        let end = at.checked_add(number(bytes, at)? as usize)?;
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

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at + 4)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_box(name: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        let size = u32::try_from(contents.len() + 8).unwrap_or_default();
        [&size.to_be_bytes()[..], name, contents].concat()
    }

    /// A head with 3000 ticks a second, as WebKit writes it; versions and a length are filled in.
    fn head(wide: bool, length: &[u8]) -> Vec<u8> {
        let dates = if wide { 16 } else { 8 };
        let timescale = 3000_u32.to_be_bytes();
        let mvhd = [&[u8::from(wide), 0, 0, 0][..], &vec![0; dates], &timescale].concat();
        let mehd = [&[u8::from(length.len() == 8), 0, 0, 0][..], length].concat();
        let mvex = a_box(b"mvex", &a_box(b"mehd", &mehd));
        let moov = [a_box(b"mvhd", &mvhd), a_box(b"trak", &[0; 5]), mvex].concat();
        let ftyp = a_box(b"ftyp", b"isom");
        [ftyp.clone(), ftyp, a_box(b"moov", &moov), vec![0; 9]].concat()
    }

    #[test]
    fn a_length_that_is_not_known_is_written_in() {
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
    fn a_length_that_is_known_stays() {
        let before = head(false, &[0, 0, 0, 1]);
        let mut after = before.clone();
        write(&mut after, 2500);
        assert_eq!(after, before);
    }

    #[test]
    fn what_is_cut_or_no_head_stays() {
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
