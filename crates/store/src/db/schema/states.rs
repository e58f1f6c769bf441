//! Text columns with a fixed set of values, as enums.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Text;

macro_rules! text_enum {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
        #[diesel(sql_type = Text)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The value in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl<DB: Backend> FromSql<Text, DB> for $name
        where
            String: FromSql<Text, DB>,
        {
            fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
                let word = String::from_sql(bytes)?;
                let known = Self::ALL.iter().copied().find(|it| it.as_str() == word);
                known.ok_or_else(|| format!("{word:?} is no {}", stringify!($name)).into())
            }
        }

        impl<DB: Backend> ToSql<Text, DB> for $name
        where
            str: ToSql<Text, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                self.as_str().to_sql(out)
            }
        }
    )*};
}

text_enum! {
    /// The state of a request. `Expired` is left only for `Deleted`, which is final.
    RequestState {
        /// No take was submitted yet.
        AwaitingSubmission = "awaiting_submission",
        /// One take is the video.
        Submitted = "submitted",
        /// The request's lifetime has ended. Latched, so that a clock that steps back revives nothing.
        Expired = "expired",
        /// The creator deleted the request, or the operator took it down.
        Deleted = "deleted",
    }

    /// The state of a take.
    TakeState {
        /// More bytes may be appended.
        Open = "open",
        /// All bytes are stored.
        Complete = "complete",
    }

    /// What a take is, as its sender says.
    CapturedAs {
        /// Recorded by the recording page.
        Recorded = "recorded",
        /// A file that was chosen on the recording page.
        File = "file",
        /// A file that came by the form without JavaScript.
        Form = "form",
        /// Sent by another client.
        Client = "client",
    }

    /// The state of the work on a complete take. It only moves forward, in the order given here.
    SealingState {
        /// The take is not sealed yet.
        Due = "due",
        /// The take is sealed, and has no stills yet.
        StillsDue = "stills_due",
        /// All work is done.
        Done = "done",
        /// The take can't become a video.
        Refused = "refused",
    }

    /// The state of a transcript. `Due` is left once.
    TranscriptState {
        /// It isn't made yet.
        Due = "due",
        /// It is made.
        Ready = "ready",
        /// There is nothing to transcribe.
        None = "none",
        /// It was given up.
        Failed = "failed",
    }

    /// The reason of a report.
    Reason {
        /// The request asks for something illegal or dangerous.
        Danger = "danger",
        /// The request harasses a person, or asks for something intimate.
        Harassment = "harassment",
        /// The requester impersonates another person.
        Fraud = "fraud",
        /// Another reason.
        Other = "other",
    }

    /// The reason why a take can't become a video.
    Refusal {
        /// The file's structure is missing or invalid.
        Unreadable = "unreadable",
        /// The file has no video track.
        NoVideo = "no_video",
        /// The file has a video track without a first frame.
        NoFrame = "no_frame",
    }
}
