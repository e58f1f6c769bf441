//! The ids of all messages, with their variables.
//! The texts are in `app/locales/*.ftl`; tests compare each of these files with this list, and the compiler finds a
//! message that no page uses.

/// Declares the messages: `Variant = "id" ("variable", …)`.
macro_rules! messages {
    ($($message:ident = $id:literal $(($($variable:literal),+))?,)*) => {
        /// A message of the pages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Message { $($message,)* }

        impl Message {
            /// All of them.
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$(Self::$message,)*];

            /// How many there are.
            pub(super) const COUNT: usize = [$($id),*].len();

            /// The id in the Fluent files.
            pub(super) const fn id(self) -> &'static str {
                match self { $(Self::$message => $id,)* }
            }

            /// The names of its variables.
            pub(super) const fn variables(self) -> &'static [&'static str] {
                match self { $(Self::$message => &[$($($variable),+)?],)* }
            }
        }
    };
}

messages! {
    // Every page.
    PageLanguage = "page-language",
    PageDescription = "page-description",
    PageTerms = "page-terms",
    PagePrivacy = "page-privacy",
    ReportHeading = "report-heading",
    DateUtc = "date-utc" ("day", "month", "time"),

    // The recording page, before the camera.
    RecordTitle = "record-title",
    RecordPromptHeading = "record-prompt-heading",
    RecordAudience = "record-audience",
    RecordStep = "record-step" ("number", "total"),
    RecordCameraHint = "record-camera-hint",
    RecordOtherDevice = "record-other-device",
    SourceCamera = "source-camera",
    SourceScreen = "source-screen",
    SourceFile = "source-file",
    SourceCameraApp = "source-camera-app",
    SourceOther = "source-other",
    SourceFileHint = "source-file-hint",
    SourceDrop = "source-drop",
    SourceDropHint = "source-drop-hint",
    SourceSeveralFiles = "source-several-files",
    SourceNoVideo = "source-no-video",
    SourcePhone = "source-phone",
    SourcePhoneHow = "source-phone-how",
    SourcePhoneCode = "source-phone-code",
    LinkCopy = "link-copy",
    LinkCopied = "link-copied",
    InAppBrowser = "in-app-browser",
    InAppLeave = "in-app-leave",
    InAppOpenSafari = "in-app-open-safari",
    InAppOpenChrome = "in-app-open-chrome",

    // What to know before recording.
    PrivacyHeading = "privacy-heading",
    PrivacyAudience = "privacy-audience",
    PrivacyAudienceText = "privacy-audience-text",
    PrivacyRecording = "privacy-recording",
    PrivacyRecordingText = "privacy-recording-text",
    PrivacyRetentionText = "privacy-retention-text" ("until"),
    PrivacyTranscript = "privacy-transcript",
    PrivacyChoiceText = "privacy-choice-text",
    PrivacyCaution = "privacy-caution",
    PrivacyNoAccount = "privacy-no-account",

    // The browser asks for permission.
    PermissionHeading = "permission-heading",
    PermissionText = "permission-text",
    ActionCancel = "action-cancel",
    ActionClose = "action-close",

    // Open in another tab.
    TabHeading = "tab-heading",
    TabText = "tab-text",
    TabContinue = "tab-continue",

    // No camera, and what to do about it.
    BlockedDeniedHeading = "blocked-denied-heading",
    BlockedNoCameraHeading = "blocked-no-camera-heading",
    BlockedNoCameraText = "blocked-no-camera-text",
    BlockedBusyHeading = "blocked-busy-heading",
    BlockedBusyText = "blocked-busy-text",
    BlockedInsecureHeading = "blocked-insecure-heading",
    BlockedInsecureText = "blocked-insecure-text",
    BlockedUnsupportedHeading = "blocked-unsupported-heading",
    BlockedUnsupportedText = "blocked-unsupported-text",
    BlockedNoPictureHeading = "blocked-no-picture-heading",
    BlockedNoPictureText = "blocked-no-picture-text",
    BlockedNoScreenHeading = "blocked-no-screen-heading",
    BlockedNoScreenText = "blocked-no-screen-text",
    BlockedTryAgain = "blocked-try-again",
    BlockedWithSound = "blocked-with-sound",
    UnblockIosSafari = "unblock-ios-safari",
    UnblockIosApp = "unblock-ios-app" ("browser"),
    UnblockAndroid = "unblock-android",
    UnblockAndroidFirefox = "unblock-android-firefox",
    UnblockChrome = "unblock-chrome",
    UnblockEdge = "unblock-edge",
    UnblockFirefox = "unblock-firefox",
    UnblockSafari = "unblock-safari",
    UnblockOther = "unblock-other",
    UnblockSystem = "unblock-system",

    // At the camera.
    CameraPicture = "camera-picture",
    CameraNotRecording = "camera-not-recording",
    CameraRecord = "camera-record",
    CameraStartNow = "camera-start-now",
    CameraFlip = "camera-flip",
    CameraFront = "camera-front",
    CameraBack = "camera-back",
    CameraTorch = "camera-torch",
    CameraZoom = "camera-zoom",
    CameraLens = "camera-lens",
    CameraLensWide = "camera-lens-wide",
    CameraLensMain = "camera-lens-main",
    CameraLensTele = "camera-lens-tele",
    CameraDevices = "camera-devices",
    CameraDevice = "camera-device",
    CameraMicrophone = "camera-microphone",
    CameraSound = "camera-sound",
    CameraSoundLevel = "camera-sound-level",
    SignalSilent = "signal-silent",
    SignalNoMicrophone = "signal-no-microphone",
    SignalUnheard = "signal-unheard",
    SignalSoundLost = "signal-sound-lost",
    SignalDark = "signal-dark",
    SignalMuted = "signal-muted",
    StorageLow = "storage-low",
    StorageNone = "storage-none",

    // Recording.
    RecordingStatus = "recording-status" ("recorded"),
    RecordingPaused = "recording-paused" ("recorded"),
    RecordingLastMinute = "recording-last-minute" ("left"),
    RecordingPause = "recording-pause",
    RecordingResume = "recording-resume",
    RecordingStop = "recording-stop",
    RecordingFinish = "recording-finish",
    RecordingStopping = "recording-stopping",

    // Uploading.
    UploadSent = "upload-sent" ("sent"),
    UploadProgress = "upload-progress" ("percent"),
    UploadComplete = "upload-complete",
    UploadOffline = "upload-offline",
    UploadWaiting = "upload-waiting",
    UploadServerFull = "upload-server-full",
    UploadKept = "upload-kept",

    // Reviewing.
    ReviewHeading = "review-heading",
    ReviewQuestion = "review-question",
    ReviewNotSent = "review-not-sent",
    ReviewVideo = "review-video",
    ReviewFacts = "review-facts" ("recorded", "size"),
    ReviewInterrupted = "review-interrupted",
    ReviewResumed = "review-resumed" ("recorded"),
    ReviewFile = "review-file" ("name"),
    ReviewReading = "review-reading" ("read"),
    ReviewNoPreview = "review-no-preview",
    ReviewNoPlayer = "review-no-player",
    ReviewLocated = "review-located",
    ReviewClosesSoon = "review-closes-soon",
    ReviewSend = "review-send",
    ReviewAgain = "review-again",
    ReviewSave = "review-save",
    DiscardHeading = "discard-heading",
    DiscardText = "discard-text",
    DiscardConfirm = "discard-confirm",
    DiscardKeep = "discard-keep",

    // Sending.
    SubmitProgress = "submit-progress" ("percent"),
    SubmitKeepOpen = "submit-keep-open",
    SubmitPreparing = "submit-preparing",
    SubmitSentHeading = "submit-sent-heading",
    SubmitSentText = "submit-sent-text",
    ReceiptSent = "receipt-sent" ("time"),
    ReceiptSave = "receipt-save",

    // The end of a link or of a recording.
    EndExpiredHeading = "end-expired-heading",
    EndExpiredText = "end-expired-text",
    EndSubmittedHeading = "end-submitted-heading",
    EndSubmittedText = "end-submitted-text",
    EndWithdrawnHeading = "end-withdrawn-heading",
    EndWithdrawnText = "end-withdrawn-text",
    EndTakenDownHeading = "end-taken-down-heading",
    EndTakenDownText = "end-taken-down-text",
    EndTooLargeHeading = "end-too-large-heading",
    EndTooLargeText = "end-too-large-text",
    EndUnreadableHeading = "end-unreadable-heading",
    EndUnreadableText = "end-unreadable-text",
    EndRefusedHeading = "end-refused-heading",
    EndRefusedText = "end-refused-text",
    EndUnplayableHeading = "end-unplayable-heading",
    EndUnplayableText = "end-unplayable-text",
    EndStillHere = "end-still-here",

    // Announced by screen readers.
    AnnounceCountdown = "announce-countdown" ("seconds"),
    AnnounceRecording = "announce-recording",
    AnnouncePaused = "announce-paused",
    AnnounceStopped = "announce-stopped",
    AnnounceLastMinute = "announce-last-minute",

    // The form, where the recorder can't run.
    FormCannotStart = "form-cannot-start",
    FormNoScript = "form-no-script",
    FormVideo = "form-video",
    FormNoFileHeading = "form-no-file-heading",
    FormNoFileText = "form-no-file-text",
    FormNotAVideoHeading = "form-not-a-video-heading",
    FormNotAVideoText = "form-not-a-video-text",
    FormUnplayableText = "form-unplayable-text",
    FormTooLargeText = "form-too-large-text",
    FormInterruptedHeading = "form-interrupted-heading",
    FormInterruptedText = "form-interrupted-text",

    // The form that reports a request.
    ReportText = "report-text",
    ReportReason = "report-reason",
    ReportReasonDanger = "report-reason-danger",
    ReportReasonHarassment = "report-reason-harassment",
    ReportReasonFraud = "report-reason-fraud",
    ReportReasonOther = "report-reason-other",
    ReportDetails = "report-details",
    ReportSend = "report-send",
    ReportReasonMissing = "report-reason-missing",
    ReportTooLong = "report-too-long",
    ReportContact = "report-contact",
    ReportReceivedHeading = "report-received-heading",
    ReportReceivedText = "report-received-text" ("days"),
    ReportEnoughHeading = "report-enough-heading",
    ReportEnoughText = "report-enough-text",
    ReportTooManyHeading = "report-too-many-heading",
    ReportTooManyText = "report-too-many-text",

    // A link that leads to no recording.
    ClosedExpiredText = "closed-expired-text",
    ClosedSubmittedHeading = "closed-submitted-heading",
    ClosedSubmittedText = "closed-submitted-text",
    ClosedNotFoundHeading = "closed-not-found-heading",
    ClosedNotFoundText = "closed-not-found-text",
    ClosedErrorHeading = "closed-error-heading",
    ClosedErrorText = "closed-error-text",
}
