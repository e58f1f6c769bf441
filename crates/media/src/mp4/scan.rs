//! The outermost boxes of a file that arrives in pieces. The few that describe it are gathered, the rest
//! is passed over: bounded memory, and as fast as it comes.

use super::boxes::{Begun, Header, Kind, LONGEST_HEADER};

/// How far into the file, and into what.
#[derive(Debug)]
pub(super) struct Scan {
    /// Bytes seen.
    at: u64,
    /// Where the box begins that is being read.
    start: u64,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Between boxes: what there is of the next header.
    Header(Vec<u8>),
    /// In a box, with so many bytes to go; `None`: to the end of the file.
    Inside(Option<u64>, Option<Gathered>),
    /// What came isn't a box.
    Lost,
}

#[derive(Debug)]
struct Gathered {
    kind: Kind,
    content: Vec<u8>,
}

/// What is reported.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A box with its content, and where in the file it begins.
    Box(Kind, Vec<u8>, u64),
    /// A box that is larger than any honest one.
    TooLarge(Kind),
    /// Samples begin here: the header of a media data box.
    Media,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// Its length, in bytes.
    pub length: u64,
    /// Where the box begins that isn't whole.
    pub cut: Option<u64>,
}

/// How large a box may be to be gathered, in bytes. `None`: it isn't.
fn most(kind: Kind) -> Option<u64> {
    match &kind {
        b"ftyp" => Some(4 << 10),
        b"moof" => Some(4 << 20),
        b"moov" => Some(32 << 20),
        _ => None,
    }
}

impl Scan {
    pub(super) fn new() -> Self {
        Self {
            at: 0,
            start: 0,
            state: State::Header(Vec::with_capacity(LONGEST_HEADER)),
        }
    }

    /// The next bytes. Reports every box that they complete.
    pub(super) fn feed(&mut self, mut bytes: &[u8], mut report: impl FnMut(Found)) {
        while !bytes.is_empty() {
            let taken = match &mut self.state {
                State::Header(seen) => {
                    seen.extend_from_slice(&bytes[..1]);
                    if let Some(next) = begin(seen, &mut report) {
                        self.state = next;
                    }
                    1
                }
                State::Inside(left, gathered) => {
                    let taken = left
                        .and_then(|left| usize::try_from(left).ok())
                        .map_or(bytes.len(), |left| left.min(bytes.len()));
                    if let Some(gathered) = gathered {
                        gathered.content.extend_from_slice(&bytes[..taken]);
                        let most = most(gathered.kind).unwrap_or(0);
                        if gathered.content.len() as u64 > most {
                            report(Found::TooLarge(gathered.kind));
                            self.state = State::Inside(*left, None);
                            continue;
                        }
                    }
                    if let Some(left) = left {
                        *left -= taken as u64;
                    }
                    taken
                }
                State::Lost => bytes.len(),
            };
            bytes = &bytes[taken..];
            self.at += taken as u64;
            self.complete(&mut report);
        }
    }

    /// After the last byte.
    pub(super) fn finish(mut self, report: impl FnMut(Found)) -> Ending {
        if let State::Inside(left @ None, _) = &mut self.state {
            *left = Some(0);
        }
        self.complete(report);
        let cut = match &self.state {
            State::Header(seen) => !seen.is_empty(),
            State::Inside(..) => true,
            State::Lost => false,
        };
        Ending {
            length: self.at,
            cut: cut.then_some(self.start),
        }
    }

    /// Goes on behind a box of which nothing is left to come.
    fn complete(&mut self, mut report: impl FnMut(Found)) {
        let State::Inside(Some(0), gathered) = &mut self.state else {
            return;
        };
        if let Some(gathered) = gathered.take() {
            report(Found::Box(gathered.kind, gathered.content, self.start));
        }
        self.start = self.at;
        self.state = State::Header(Vec::with_capacity(LONGEST_HEADER));
    }
}

/// What follows these first bytes of a box, once they are enough to tell.
fn begin(seen: &[u8], mut report: impl FnMut(Found)) -> Option<State> {
    let header = match Header::read(seen) {
        Begun::Unsure => return None,
        Begun::Nonsense => return Some(State::Lost),
        Begun::Header(header) => header,
    };
    let too_large = most(header.kind).is_some_and(|most| header.content.unwrap_or(0) > most);
    if too_large {
        report(Found::TooLarge(header.kind));
    }
    if header.kind == *b"mdat" {
        report(Found::Media);
    }
    let gathered = (most(header.kind).is_some() && !too_large).then(|| Gathered {
        kind: header.kind,
        content: Vec::new(),
    });
    Some(State::Inside(header.content, gathered))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(pieces: &[&[u8]]) -> (Vec<Found>, Ending) {
        let (mut scan, mut found) = (Scan::new(), Vec::new());
        for piece in pieces {
            scan.feed(piece, |box_| found.push(box_));
        }
        let ending = scan.finish(|box_| found.push(box_));
        (found, ending)
    }

    const FILE: &[u8] = b"\0\0\0\x0cftypqt  \0\0\0\x01mdat\0\0\0\0\0\0\0\x14data\0\0\0\x0amoovab";

    #[test]
    fn it_makes_no_difference_how_a_file_is_cut() {
        let whole = scan(&[FILE]);
        assert_eq!(
            whole.0,
            [
                Found::Box(*b"ftyp", b"qt  ".to_vec(), 0),
                Found::Media,
                Found::Box(*b"moov", b"ab".to_vec(), 32)
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
    fn a_box_that_isnt_whole_is_said_to_be_cut_off() {
        for (length, cut) in [
            (0, None),
            (5, Some(0)),
            (12, None),
            (13, Some(12)),
            (30, Some(12)),
            (32, None),
            (41, Some(32)),
            (42, None),
        ] {
            let ending = Ending {
                length: length as u64,
                cut,
            };
            assert_eq!(scan(&[&FILE[..length]]).1, ending, "{length}");
        }
    }

    #[test]
    fn a_last_box_may_leave_its_size_open() {
        let (found, ending) = scan(&[b"\0\0\0\0moov", b"ab"]);
        assert_eq!(found, [Found::Box(*b"moov", b"ab".to_vec(), 0)]);
        assert_eq!(ending.cut, None);
    }

    #[test]
    fn a_box_too_large_is_passed_over() {
        let mut file = b"\0\x50\0\0moof".to_vec();
        file.resize(0x50_0000, 0);
        file.extend_from_slice(FILE);
        let (found, _) = scan(&[&file]);
        assert_eq!(found[0], Found::TooLarge(*b"moof"));
        assert_eq!(found.len(), 4);
        let endless = [b"\0\0\0\0ftyp", &[0; 5000][..]].concat();
        assert_eq!(scan(&[&endless]).0, [Found::TooLarge(*b"ftyp")]);
    }

    #[test]
    fn a_box_is_too_large_from_one_byte_more_than_an_honest_one_has() {
        const MOST: usize = 4096;
        let box_of = |size: u32, content: usize| {
            [&size.to_be_bytes()[..], b"ftyp", &vec![b'x'; content]].concat()
        };
        for (content, taken) in [(MOST, true), (MOST + 1, false)] {
            let size = u32::try_from(content + 8).expect("small");
            let want = match taken {
                true => Found::Box(*b"ftyp", vec![b'x'; content], 0),
                false => Found::TooLarge(*b"ftyp"),
            };
            assert_eq!(scan(&[&box_of(size, content)]).0, [want]);
            let endless = scan(&[&box_of(0, content)]).0;
            assert_eq!(endless.contains(&Found::TooLarge(*b"ftyp")), !taken);
        }
    }

    #[test]
    fn nothing_is_gathered_of_a_box_whose_header_says_that_it_is_too_large() {
        assert_eq!(scan(&[b"\0\x50\0\0moof"]).0, [Found::TooLarge(*b"moof")]);
    }

    #[test]
    fn what_follows_the_last_box_is_no_box() {
        let (found, ending) = scan(&[FILE, &[0; 100]]);
        assert_eq!(found.len(), 3);
        assert_eq!(ending.cut, None);
    }
}
