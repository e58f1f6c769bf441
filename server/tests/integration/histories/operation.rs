//! Operations of a history, and their random generation.
//!
//! An operation names requests and takes by number. A number that doesn't exist stands for an unknown id, so every
//! operation is valid at any point and a history can be shrunk anywhere.

use proptest::collection::vec;
use proptest::prelude::*;

/// Longest history, without the creation at its start.
const MAX_OPERATIONS: usize = 39;

/// An action of a client, of time, or of the operator.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `POST /v1/requests`
    Create { hours: i64 },
    /// `POST /r/{id}/takes` with no, some or all bytes.
    Begin {
        request: usize,
        recording: Recording,
        piece: Piece,
        last: bool,
        declared: Option<u64>,
    },
    /// `PATCH /r/{id}/takes/{take}`
    Append {
        take: usize,
        at: RelativeOffset,
        piece: Piece,
        last: bool,
    },
    /// `HEAD /r/{id}/takes/{take}`
    GetOffset { take: usize },
    /// `DELETE /r/{id}/takes/{take}`
    Discard { take: usize },
    /// `POST /r/{id}/submission`; the take may belong to another request.
    Submit { request: usize, take: usize },
    /// `GET /v1/requests/{id}`
    GetStatus { request: usize, token: Token },
    /// `GET` or `HEAD /v1/videos/{id}`
    GetVideo {
        request: usize,
        token: Token,
        kind: VideoRequest,
    },
    /// `DELETE /v1/requests/{id}`
    Delete { request: usize, token: Token },
    /// Time passes.
    WaitMinutes(i64),
    /// Time passes until this many milliseconds before a request expires; each operation takes one.
    WaitForExpiry { request: usize, before: i64 },
    /// The sweeper runs.
    Sweep,
    /// The server is restarted.
    Restart,
}

impl Operation {
    /// Whether it is an HTTP request.
    pub fn is_call(&self) -> bool {
        !self.is_wait() && !matches!(self, Self::Sweep | Self::Restart)
    }

    pub fn is_wait(&self) -> bool {
        matches!(self, Self::WaitMinutes(_) | Self::WaitForExpiry { .. })
    }
}

/// The access token of a call.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// That of this request.
    Own,
    /// That of another request.
    Of(usize),
    /// A token that was never issued.
    Unknown,
    /// No token.
    Missing,
}

/// Content of a take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// An MP4 of any length, in pieces.
    Clip,
    /// A WebM that needs an index, in one piece.
    Live,
    /// A WebM without video, in one piece.
    AudioOnly,
    /// No video file.
    NotAVideo,
}

/// How much is sent. A recording in one piece is always sent to its end.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// No byte.
    Empty,
    /// Too few bytes to detect the type.
    Few,
    /// As many bytes as make a clip playable.
    Whole,
    /// A part of the head.
    Part,
    /// One byte beyond the limit of a take.
    TooMuch,
}

/// Offset relative to the take's.
#[derive(Clone, Copy, Debug)]
pub enum RelativeOffset {
    /// The take's offset.
    Current,
    /// This many bytes before it.
    Before(u64),
    /// This many bytes behind it.
    Beyond(u64),
}

/// Kind of a video request.
#[derive(Clone, Copy, Debug)]
pub enum VideoRequest {
    Whole,
    Head,
    /// An inclusive range.
    Range(u64, u64),
    /// A range that starts this many bytes behind the end.
    BeyondEnd(u64),
    /// A suffix range.
    Suffix(u64),
    /// A range with a matching `If-Range`.
    IfRange,
    /// A range with another `If-Range`.
    IfRangeMismatch,
    IfNoneMatch,
    IfNoneMatchMismatch,
    IfMatchMismatch,
}

/// A creation, followed by random operations.
pub fn history() -> impl Strategy<Value = Vec<Operation>> {
    let behind = vec(operation(), 0..=MAX_OPERATIONS);
    (hours(), behind).prop_map(|(hours, mut operations)| {
        operations.insert(0, Operation::Create { hours });
        operations
    })
}

/// Most operations concern the first request and its first takes; others interfere.
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

fn recording() -> impl Strategy<Value = Recording> {
    prop_oneof![
        8 => Just(Recording::Clip),
        2 => Just(Recording::Live),
        1 => Just(Recording::AudioOnly),
        1 => Just(Recording::NotAVideo),
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

fn at() -> impl Strategy<Value = RelativeOffset> {
    prop_oneof![
        6 => Just(RelativeOffset::Current),
        1 => (1_u64..700).prop_map(RelativeOffset::Before),
        1 => (1_u64..700).prop_map(RelativeOffset::Beyond),
    ]
}

fn video_request() -> impl Strategy<Value = VideoRequest> {
    prop_oneof![
        Just(VideoRequest::Whole),
        Just(VideoRequest::Head),
        (0_u64..700, 0_u64..7000)
            .prop_map(|(first, more)| VideoRequest::Range(first, first + more)),
        (0_u64..10).prop_map(VideoRequest::BeyondEnd),
        (0_u64..7000).prop_map(VideoRequest::Suffix),
        Just(VideoRequest::IfRange),
        Just(VideoRequest::IfRangeMismatch),
        Just(VideoRequest::IfNoneMatch),
        Just(VideoRequest::IfNoneMatchMismatch),
        Just(VideoRequest::IfMatchMismatch),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation as O;
    let declared = prop_oneof![4 => Just(None), 1 => Just(Some(590)), 1 => Just(Some(6001))];
    let begin = (request(), recording(), piece(), any::<bool>(), declared).prop_map(
        |(request, recording, piece, last, declared)| O::Begin {
            request,
            recording,
            piece,
            last,
            // A complete body declares its own length.
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
        2 => take().prop_map(|take| O::GetOffset { take }),
        1 => take().prop_map(|take| O::Discard { take }),
        5 => (request(), take()).prop_map(|(request, take)| O::Submit { request, take }),
        2 => (request(), token()).prop_map(|(request, token)| O::GetStatus { request, token }),
        4 => (request(), token(), video_request())
            .prop_map(|(request, token, kind)| O::GetVideo { request, token, kind }),
        2 => prop_oneof![9 => hours(), 1 => Just(0), 1 => Just(49)].prop_map(|hours| O::Create { hours }),
        1 => (request(), token()).prop_map(|(request, token)| O::Delete { request, token }),
        2 => minutes.prop_map(O::WaitMinutes),
        1 => (request(), 0_i64..3)
            .prop_map(|(request, before)| O::WaitForExpiry { request, before }),
        1 => Just(O::Sweep),
        1 => Just(O::Restart),
    ]
}
