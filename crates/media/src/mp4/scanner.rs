//! Scans the top-level boxes of a file that arrives in chunks.
//!
//! The few boxes that describe the file are collected, all others are skipped, so memory is bounded.

use super::boxes::{BoxType, Header, MAX_HEADER_SIZE, ParsedHeader};

/// Scans a file and reports its top-level boxes.
#[derive(Debug)]
pub(super) struct Scanner {
    /// Number of bytes scanned.
    offset: u64,
    /// Offset of the current box.
    box_start: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Between boxes, with the bytes of the next header so far.
    Header(Vec<u8>),
    /// In a payload, with the number of bytes left (`None`: to the end of the file), collected or skipped.
    Payload(Option<u64>, Option<Collected>),
    /// Behind bytes that aren't a box. The rest of the file is skipped.
    Invalid,
}

#[derive(Debug)]
struct Collected {
    box_type: BoxType,
    payload: Vec<u8>,
}

/// What the scanner reports.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A complete box with its payload, and the offset of its header.
    Box(BoxType, Vec<u8>, u64),
    /// A box that exceeds the limit of its type. It is skipped.
    TooLarge(BoxType),
    /// The header of an `mdat` box: samples begin here.
    MediaData,
}

/// The end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileEnd {
    /// Length of the file, in bytes.
    pub length: u64,
    /// Offset of the last box, if it is incomplete.
    pub incomplete_box: Option<u64>,
}

/// Maximum payload of a box that is collected, in bytes. `None`: boxes of this type are skipped.
fn max_payload(box_type: BoxType) -> Option<u64> {
    match &box_type {
        b"ftyp" => Some(4 << 10),
        b"moof" => Some(4 << 20),
        b"moov" => Some(32 << 20),
        _ => None,
    }
}

impl Scanner {
    pub(super) fn new() -> Self {
        Self {
            offset: 0,
            box_start: 0,
            state: State::Header(Vec::with_capacity(MAX_HEADER_SIZE)),
        }
    }

    /// Scans the next bytes, and reports every box that they complete.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut report: impl FnMut(Event)) {
        while !bytes.is_empty() {
            let taken = match &mut self.state {
                State::Header(header) => {
                    header.extend_from_slice(&bytes[..1]);
                    if let Some(next) = begin_payload(header, &mut report) {
                        self.state = next;
                    }
                    1
                }
                State::Payload(left, collected) => {
                    let taken = left
                        .and_then(|left| usize::try_from(left).ok())
                        .map_or(bytes.len(), |left| left.min(bytes.len()));
                    if let Some(collected) = collected {
                        collected.payload.extend_from_slice(&bytes[..taken]);
                        let max = max_payload(collected.box_type).unwrap_or(0);
                        if collected.payload.len() as u64 > max {
                            report(Event::TooLarge(collected.box_type));
                            self.state = State::Payload(*left, None);
                            continue;
                        }
                    }
                    if let Some(left) = left {
                        *left -= taken as u64;
                    }
                    taken
                }
                State::Invalid => bytes.len(),
            };
            bytes = &bytes[taken..];
            self.offset += taken as u64;
            self.end_box(&mut report);
        }
    }

    /// Ends the file. Reports a last box that extends to its end.
    pub(super) fn finish(mut self, report: impl FnMut(Event)) -> FileEnd {
        if let State::Payload(left @ None, _) = &mut self.state {
            *left = Some(0);
        }
        self.end_box(report);
        let is_incomplete = match &self.state {
            State::Header(header) => !header.is_empty(),
            State::Payload(..) => true,
            State::Invalid => false,
        };
        FileEnd {
            length: self.offset,
            incomplete_box: is_incomplete.then_some(self.box_start),
        }
    }

    /// Reports the current box if it is complete, and goes on to the next one.
    fn end_box(&mut self, mut report: impl FnMut(Event)) {
        let State::Payload(Some(0), collected) = &mut self.state else {
            return;
        };
        if let Some(collected) = collected.take() {
            report(Event::Box(
                collected.box_type,
                collected.payload,
                self.box_start,
            ));
        }
        self.box_start = self.offset;
        self.state = State::Header(Vec::with_capacity(MAX_HEADER_SIZE));
    }
}

/// The state behind these first bytes of a box. `None`: its header is incomplete.
fn begin_payload(bytes: &[u8], mut report: impl FnMut(Event)) -> Option<State> {
    let header = match Header::read(bytes) {
        ParsedHeader::Incomplete => return None,
        ParsedHeader::Invalid => return Some(State::Invalid),
        ParsedHeader::Complete(header) => header,
    };
    let max = max_payload(header.box_type);
    let too_large = max.is_some_and(|max| header.payload_size.unwrap_or(0) > max);
    if too_large {
        report(Event::TooLarge(header.box_type));
    }
    if header.box_type == *b"mdat" {
        report(Event::MediaData);
    }
    let collected = (max.is_some() && !too_large).then(|| Collected {
        box_type: header.box_type,
        payload: Vec::new(),
    });
    Some(State::Payload(header.payload_size, collected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(chunks: &[&[u8]]) -> (Vec<Event>, FileEnd) {
        let (mut scanner, mut events) = (Scanner::new(), Vec::new());
        for chunk in chunks {
            scanner.feed(chunk, |event| events.push(event));
        }
        let end = scanner.finish(|event| events.push(event));
        (events, end)
    }

    const FILE: &[u8] = b"\0\0\0\x0cftypqt  \0\0\0\x01mdat\0\0\0\0\0\0\0\x14data\0\0\0\x0amoovab";

    #[test]
    fn it_makes_no_difference_where_a_file_is_split() {
        let whole = scan(&[FILE]);
        assert_eq!(
            whole.0,
            [
                Event::Box(*b"ftyp", b"qt  ".to_vec(), 0),
                Event::MediaData,
                Event::Box(*b"moov", b"ab".to_vec(), 32)
            ]
        );
        for at in 0..=FILE.len() {
            let (head, tail) = FILE.split_at(at);
            assert_eq!(scan(&[head, tail]), whole, "{at}");
        }
        let bytes: Vec<_> = FILE.chunks(1).collect();
        assert_eq!(scan(&bytes), whole);
    }

    #[test]
    fn an_incomplete_box_is_reported() {
        for (length, incomplete_box) in [
            (0, None),
            (5, Some(0)),
            (12, None),
            (13, Some(12)),
            (30, Some(12)),
            (32, None),
            (41, Some(32)),
            (42, None),
        ] {
            let end = FileEnd {
                length: length as u64,
                incomplete_box,
            };
            assert_eq!(scan(&[&FILE[..length]]).1, end, "{length}");
        }
    }

    #[test]
    fn a_last_box_may_extend_to_the_end() {
        let (events, end) = scan(&[b"\0\0\0\0moov", b"ab"]);
        assert_eq!(events, [Event::Box(*b"moov", b"ab".to_vec(), 0)]);
        assert_eq!(end.incomplete_box, None);
    }

    #[test]
    fn a_box_that_is_too_large_is_skipped() {
        let mut file = b"\0\x50\0\0moof".to_vec();
        file.resize(0x50_0000, 0);
        file.extend_from_slice(FILE);
        let (events, _) = scan(&[&file]);
        assert_eq!(events[0], Event::TooLarge(*b"moof"));
        assert_eq!(events.len(), 4);
        let endless = [b"\0\0\0\0ftyp", &[0; 5000][..]].concat();
        assert_eq!(scan(&[&endless]).0, [Event::TooLarge(*b"ftyp")]);
    }

    #[test]
    fn the_limit_of_a_box_is_exact() {
        const MAX: usize = 4096;
        let box_of = |size: u32, payload: usize| {
            [&size.to_be_bytes()[..], b"ftyp", &vec![b'x'; payload]].concat()
        };
        for (payload, is_collected) in [(MAX, true), (MAX + 1, false)] {
            let size = u32::try_from(payload + 8).expect("small");
            let want = match is_collected {
                true => Event::Box(*b"ftyp", vec![b'x'; payload], 0),
                false => Event::TooLarge(*b"ftyp"),
            };
            assert_eq!(scan(&[&box_of(size, payload)]).0, [want]);
            let endless = scan(&[&box_of(0, payload)]).0;
            assert_eq!(endless.contains(&Event::TooLarge(*b"ftyp")), !is_collected);
        }
    }

    #[test]
    fn a_header_that_declares_too_large_a_box_is_enough() {
        assert_eq!(scan(&[b"\0\x50\0\0moof"]).0, [Event::TooLarge(*b"moof")]);
    }

    #[test]
    fn garbage_behind_the_last_box_is_no_incomplete_box() {
        let (events, end) = scan(&[FILE, &[0; 100]]);
        assert_eq!(events.len(), 3);
        assert_eq!(end.incomplete_box, None);
    }
}
