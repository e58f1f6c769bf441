//! The words that columns hold, as types.

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
            /// Every one there is.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// As the database holds it.
            pub const fn word(self) -> &'static str {
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
                let known = Self::ALL.iter().copied().find(|it| it.word() == word);
                known.ok_or_else(|| format!("{word:?} is no {}", stringify!($name)).into())
            }
        }

        impl<DB: Backend> ToSql<Text, DB> for $name
        where
            str: ToSql<Text, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                self.word().to_sql(out)
            }
        }
    )*};
}

impl SealingState {
    /// What the work is called that is left to do, for the operator.
    pub const fn work(self) -> &'static str {
        match self {
            Self::Due | Self::Refused => "seal",
            Self::StillsDue | Self::Done => "stills",
        }
    }
}

text_enum! {
    /// Where a request stands. It never leaves `Expired`, except to be deleted, and never `Deleted`.
    RequestState {
        /// Nobody has submitted yet.
        AwaitingSubmission = "awaiting_submission",
        /// One take became the video.
        Submitted = "submitted",
        /// Its time was seen to be over: latched, so that a clock that steps back revives nothing.
        Expired = "expired",
        /// Its creator deleted it, or the operator took it down.
        Deleted = "deleted",
    }

    /// Where a take stands.
    TakeState {
        /// More bytes may come.
        Open = "open",
        /// All bytes are here.
        Complete = "complete",
    }

    /// Where the work on a complete take stands. It moves downwards here, and never back.
    SealingState {
        /// Nobody has sealed it yet.
        Due = "due",
        /// It is sealed; nobody has made stills of it yet.
        StillsDue = "stills_due",
        /// There is nothing left to do.
        Done = "done",
        /// It can't become a video.
        Refused = "refused",
    }

    /// What is said against a request.
    Reason {
        /// It asks for something illegal or dangerous.
        Danger = "danger",
        /// It harasses somebody, or asks for something intimate.
        Harassment = "harassment",
        /// Somebody pretends to be someone else.
        Fraud = "fraud",
        /// Something else.
        Other = "other",
    }

    /// Why a take can't become a video.
    Refusal {
        /// Its structure isn't there or makes no sense.
        Unreadable = "unreadable",
        /// It has no pictures.
        NoVideo = "no_video",
        /// It names pictures, and has none to begin with.
        NoFrame = "no_frame",
    }
}
