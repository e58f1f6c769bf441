//! What a history consists of, and how one is made up.
//!
//! An operation names requests and takes by their number in the history. One that names what isn't there asks for an
//! id that was never given out, so every operation can come at any time: a history may be shortened anywhere.

use proptest::collection::vec;
use proptest::prelude::*;

/// The most operations of a history, beside the creation that it begins with.
const MOST_OPERATIONS: usize = 39;

/// Something that a client, time or the operator does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `POST /v1/requests`
    Create { hours: i64 },
    /// `POST /r/{id}/takes`: with no byte, with some, or with all of them.
    Begin {
        request: usize,
        film: Film,
        piece: Piece,
        last: bool,
        declared: Option<u64>,
    },
    /// `PATCH /r/{id}/takes/{take}`
    Append {
        take: usize,
        at: At,
        piece: Piece,
        last: bool,
    },
    /// `HEAD /r/{id}/takes/{take}`
    AskOffset { take: usize },
    /// `DELETE /r/{id}/takes/{take}`
    Discard { take: usize },
    /// `POST /r/{id}/submission`: the take may be another request's.
    Submit { request: usize, take: usize },
    /// `GET /v1/requests/{id}`
    ReadStatus { request: usize, token: Token },
    /// `GET` or `HEAD /v1/videos/{id}`
    Watch {
        request: usize,
        token: Token,
        ask: Ask,
    },
    /// `DELETE /v1/requests/{id}`
    Delete { request: usize, token: Token },
    /// So much time passes.
    WaitMinutes(i64),
    /// Time passes until so many milliseconds before a request expires; each operation takes one.
    WaitForExpiry { request: usize, before: i64 },
    /// The sweeper runs.
    Sweep,
    /// The server is stopped and started again.
    Restart,
}

impl Operation {
    /// Whether it has an answer.
    pub fn is_call(&self) -> bool {
        !self.is_wait() && !matches!(self, Self::Sweep | Self::Restart)
    }

    pub fn is_wait(&self) -> bool {
        matches!(self, Self::WaitMinutes(_) | Self::WaitForExpiry { .. })
    }
}

/// With which token.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// The one of this request.
    Own,
    /// The one of that request.
    Of(usize),
    /// One that was never given out.
    Unknown,
    /// None at all.
    Missing,
}

/// What a take is a recording of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Film {
    /// An MP4 that may go on for ever, in pieces.
    Clip,
    /// A WebM that needs an index in front of it, in one piece.
    Live,
    /// A WebM without pictures, in one piece.
    Sound,
    /// Nothing of the kind.
    Text,
}

/// How much of it is sent; of what comes in one piece always all that is left.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// No byte.
    Empty,
    /// Too little to tell what it is.
    Few,
    /// What a clip needs until it can be played, and as much once more behind that.
    Whole,
    /// A part of what is in front of the pictures.
    Part,
    /// One byte more than a take may have.
    TooMuch,
}

/// Where it goes, seen from where the take stands.
#[derive(Clone, Copy, Debug)]
pub enum At {
    /// There.
    Here,
    /// So many bytes before that, which are sent again.
    Back(u64),
    /// So many behind it.
    Ahead(u64),
}

/// How a video is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Ask {
    Whole,
    Head,
    /// Both ends included.
    Range(u64, u64),
    /// From so many bytes behind the end on.
    Behind(u64),
    /// The last bytes.
    Last(u64),
    /// A range, if the video is still the one that it is.
    IfRange,
    /// A range, if the video is one that it never was.
    IfRangeOfAnother,
    IfNoneMatch,
    IfNoneMatchOfAnother,
    IfMatchOfAnother,
}

/// A creation, and what comes after it.
pub fn history() -> impl Strategy<Value = Vec<Operation>> {
    let behind = vec(operation(), 0..=MOST_OPERATIONS);
    (hours(), behind).prop_map(|(hours, mut operations)| {
        operations.insert(0, Operation::Create { hours });
        operations
    })
}

/// Most histories are about the first request and its first takes; the others are there to get in the way.
fn request() -> impl Strategy<Value = usize> {
    prop_oneof![6 => Just(0), 3 => Just(1), 1 => Just(2)]
}

fn take() -> impl Strategy<Value = usize> {
    prop_oneof![5 => Just(0), 3 => Just(1), 2 => Just(2), 1 => 3_usize..6]
}

fn hours() -> impl Strategy<Value = i64> {
    prop_oneof![3 => Just(1), 3 => Just(2), 3 => Just(48)]
}

fn token() -> impl Strategy<Value = Token> {
    prop_oneof![
        8 => Just(Token::Own),
        2 => (0_usize..3).prop_map(Token::Of),
        1 => Just(Token::Unknown),
        1 => Just(Token::Missing),
    ]
}

fn film() -> impl Strategy<Value = Film> {
    prop_oneof![
        8 => Just(Film::Clip),
        2 => Just(Film::Live),
        1 => Just(Film::Sound),
        1 => Just(Film::Text),
    ]
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        3 => Just(Piece::Empty),
        2 => Just(Piece::Few),
        6 => Just(Piece::Whole),
        2 => Just(Piece::Part),
        1 => Just(Piece::TooMuch),
    ]
}

fn at() -> impl Strategy<Value = At> {
    prop_oneof![
        6 => Just(At::Here),
        1 => (1_u64..700).prop_map(At::Back),
        1 => (1_u64..700).prop_map(At::Ahead),
    ]
}

fn ask() -> impl Strategy<Value = Ask> {
    prop_oneof![
        Just(Ask::Whole),
        Just(Ask::Head),
        (0_u64..700, 0_u64..7000).prop_map(|(first, more)| Ask::Range(first, first + more)),
        (0_u64..10).prop_map(Ask::Behind),
        (0_u64..7000).prop_map(Ask::Last),
        Just(Ask::IfRange),
        Just(Ask::IfRangeOfAnother),
        Just(Ask::IfNoneMatch),
        Just(Ask::IfNoneMatchOfAnother),
        Just(Ask::IfMatchOfAnother),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation as O;
    let declared = prop_oneof![4 => Just(None), 1 => Just(Some(590)), 1 => Just(Some(6001))];
    let begin = (request(), film(), piece(), any::<bool>(), declared).prop_map(
        |(request, film, piece, last, declared)| O::Begin {
            request,
            film,
            piece,
            last,
            // What is whole is as long as its body.
            declared: declared.filter(|_| !last),
        },
    );
    let append =
        (take(), at(), piece(), any::<bool>()).prop_map(|(take, at, piece, last)| O::Append {
            take,
            at,
            piece,
            last,
        });
    let minutes = prop_oneof![3 => Just(1), 1 => Just(30), 1 => Just(25 * 60)];
    prop_oneof![
        6 => begin,
        5 => append,
        2 => take().prop_map(|take| O::AskOffset { take }),
        1 => take().prop_map(|take| O::Discard { take }),
        5 => (request(), take()).prop_map(|(request, take)| O::Submit { request, take }),
        2 => (request(), token()).prop_map(|(request, token)| O::ReadStatus { request, token }),
        4 => (request(), token(), ask())
            .prop_map(|(request, token, ask)| O::Watch { request, token, ask }),
        2 => prop_oneof![9 => hours(), 1 => Just(0), 1 => Just(49)].prop_map(|hours| O::Create { hours }),
        1 => (request(), token()).prop_map(|(request, token)| O::Delete { request, token }),
        2 => minutes.prop_map(O::WaitMinutes),
        1 => (request(), 0_i64..3)
            .prop_map(|(request, before)| O::WaitForExpiry { request, before }),
        1 => Just(O::Sweep),
        1 => Just(O::Restart),
    ]
}
