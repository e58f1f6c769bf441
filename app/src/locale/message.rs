//! All that the pages for people say. Each language has a file with one exhaustive match, so that the
//! compiler finds what isn't translated.

macro_rules! messages {
    ($($message:ident,)*) => {
        /// A message. What it says in English stands in `english`; a name in braces is a place for a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the English text says what each is")]
        pub enum Message { $($message,)* }

        impl Message {
            /// All there are.
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$(Self::$message,)*];
        }
    };
}

messages! {
    // Every page.
    Language,
    Title,
    Description,
    Terms,
    Privacy,

    // A moment. In UTC: the page shows it in the person's own time as soon as it can.
    Date,

    // Before the camera.
    Heading,
    ForWhom,
    NothingYet,
    TurnOnCamera,
    RecordScreen,
    ChooseVideo,
    FilmWithApp,
    UsePhone,
    UsePhoneHow,
    CodeOfLink,
    OtherRecords,
    InApp,
    OpenInSafari,
    OpenInChrome,
    CopyLink,
    Copied,

    // What to know.
    GoodToKnow,
    WhoWatches,
    WhoWatchesText,
    WhatIsRecorded,
    WhatIsRecordedText,
    HowLong,
    HowLongText,
    YourChoice,
    YourChoiceText,
    TakeCare,
    TakeCareText,
    Private,
    Report,

    // Nothing to do here for the moment.
    Asking,
    AskingText,
    Cancel,
    Elsewhere,
    ElsewhereText,
    GoOnHere,

    // What keeps the camera from us.
    Denied,
    NoCamera,
    NoCameraText,
    Busy,
    BusyText,
    Insecure,
    InsecureText,
    Unsupported,
    UnsupportedText,
    NoPicture,
    NoPictureText,
    NoScreen,
    NoScreenText,
    TryAgain,
    WithSound,
    OrFile,
    UnblockIosSafari,
    UnblockIosApp,
    UnblockAndroid,
    UnblockAndroidFirefox,
    UnblockChrome,
    UnblockEdge,
    UnblockFirefox,
    UnblockSafari,
    UnblockOther,
    UnblockSystem,

    // At the camera.
    CameraSees,
    NotYet,
    Record,
    Flip,
    TurnOff,
    Sound,
    Devices,
    Camera,
    Microphone,
    Loudness,
    NoSound,
    Unheard,
    Dark,
    Muted,
    SoundLost,
    LittleRoom,
    Unkept,
    StartNow,

    // Recording.
    Recording,
    Paused,
    Progress,
    Waiting,
    ServerFull,
    Offline,
    KeptHere,
    LastMinute,
    Pause,
    GoOn,
    Stop,
    OneMoment,

    // Reviewing.
    YourRecording,
    HaveALook,
    NobodyYet,
    Facts,
    Uploaded,
    UploadedAll,
    Located,
    Interrupted,
    Resumed,
    ChosenFile,
    Reading,
    NoPreview,
    NoPlayer,
    ClosesSoon,
    Send,
    Again,
    Save,
    ThrowAway,
    ThrowAwayText,
    Discard,
    Keep,

    // Sending.
    Sending,
    KeepOpen,
    Preparing,
    Received,
    ReceivedText,
    StillHere,

    // Over.
    Expired,
    ExpiredText,
    AlreadySent,
    AlreadySentText,
    Withdrawn,
    WithdrawnText,
    TakenDown,
    TakenDownText,
    TooLarge,
    TooLargeText,
    Unreadable,
    UnreadableText,
    Refused,
    RefusedText,
    Unplayable,
    UnplayableText,

    // Said aloud.
    SaidCountdown,
    SaidRecording,
    SaidPaused,
    SaidStopped,
    SaidReview,
    SaidReceived,
    SaidLastMinute,

    // Where the recorder can't run.
    CannotStart,
    NoScript,
    YourVideo,

    // Reporting.
    ReportText,
    ReportWhy,
    ReportDanger,
    ReportHarassment,
    ReportFraud,
    ReportOther,
    ReportMore,
    ReportSend,
    ReportLacksReason,
    ReportTooLong,
    ReportContact,
    Reported,
    ReportedText,
    ReportedOften,
    ReportedOftenText,
    TooManyReports,
    TooManyReportsText,

    // Closed.
    ClosedExpiredText,
    ClosedSubmitted,
    ClosedSubmittedText,
    Unknown,
    UnknownText,
    NoFile,
    NoFileText,
    NoVideo,
    NoVideoText,
    NoPictureInFileText,
    ClosedTooLargeText,
    NotArrived,
    NotArrivedText,
    Broken,
    BrokenText,
}
