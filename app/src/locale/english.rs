//! English.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Language",
        Message::Title => "Record a video",
        Message::Description => "Record a video in your browser and send it. No app, no account.",
        Message::Terms => "Terms",
        Message::Privacy => "Privacy",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "You’re asked to record a video",
        Message::ForWhom => {
            "It goes to whoever made this request, perhaps an AI agent. We don’t check who that is."
        }
        Message::NothingYet => "Nothing is recorded until you press Record.",
        Message::TurnOnCamera => "Turn on the camera",
        Message::RecordScreen => "Record the screen",
        Message::ChooseVideo => "Choose a video",
        Message::FilmWithApp => "Use the camera app",
        Message::UsePhone => "Use your phone’s camera instead",
        Message::UsePhoneHow => {
            "Point your phone’s camera at this code. It opens this same page there."
        }
        Message::CodeOfLink => "QR code of this link",
        Message::OtherRecords => "Another device is recording.",
        Message::InApp => "You’re in the browser of another app. If the camera doesn’t work here:",
        Message::OpenInSafari => {
            "Tap ••• or the share symbol.\n\
             Choose “Open in Safari” or “Open in browser”."
        }
        Message::OpenInChrome => {
            "Tap ⋮ or ••• at the top.\n\
             Choose “Open in Chrome” or “Open in browser”."
        }
        Message::CopyLink => "Copy the link",
        Message::Copied => "Copied",

        // What to know.
        Message::GoodToKnow => "Good to know",
        Message::WhoWatches => "Who watches it",
        Message::WhoWatchesText => {
            "Only whoever made this request: a person or an AI agent, and not always who sent you \
             the link. We don’t check who it is."
        }
        Message::WhatIsRecorded => "What is recorded",
        Message::WhatIsRecordedText => {
            "Only what happens while the red bar shows. It is sent to our server while you record, \
             so that nothing gets lost. If you reject it, it is deleted there."
        }
        Message::HowLong => "How long it is kept",
        Message::HowLongText => "Link and video are deleted on {until}.",
        Message::YourChoice => "Your choice",
        Message::YourChoiceText => {
            "You don’t have to do this. If you just close this page, nothing happens."
        }
        Message::TakeCare => "Take care",
        Message::TakeCareText => {
            "Never show an ID, bank cards or passwords unless you expected to."
        }
        Message::Private => "No account, no trackers, no third party.",
        Message::Report => "Report this request",

        // Nothing to do here for the moment.
        Message::Asking => "Your browser asks for permission",
        Message::AskingText => {
            "Please allow it. You will see the picture first; nothing is recorded yet."
        }
        Message::Cancel => "Cancel",
        Message::Elsewhere => "This page is open in another tab",
        Message::ElsewhereText => {
            "If it records there, that recording ends, and you go on with it here."
        }
        Message::GoOnHere => "Continue here",

        // What keeps the camera from us.
        Message::Denied => "The camera is blocked for this page",
        Message::NoCamera => "No camera was found",
        Message::NoCameraText => "Connect one and try again, or open this link on your phone.",
        Message::Busy => "The camera is in use",
        Message::BusyText => {
            "Another app or tab seems to have it, such as a video call. Close that one, then try \
             again."
        }
        Message::Insecure => "The camera needs a secure address",
        Message::InsecureText => {
            "Browsers allow it only for links that begin with https. Ask for such a link."
        }
        Message::Unsupported => "This browser can’t record",
        Message::UnsupportedText => {
            "Copy the link and open it in a recent Safari, Chrome or Firefox."
        }
        Message::NoPicture => "The camera gave no picture",
        Message::NoPictureText => "Nothing was recorded. Please try again.",
        Message::NoScreen => "The screen was not shared",
        Message::NoScreenText => {
            "Nothing was recorded. If you want to go on, try again and choose what to share."
        }
        Message::TryAgain => "Try again",
        Message::WithSound => "With sound. Untick this if only the microphone is the trouble.",
        Message::OrFile => "Or film with your camera app, and choose that video here.",
        Message::UnblockIosSafari => {
            "Tap the symbol beside the address, then “Website Settings”.\n\
             Allow camera and microphone."
        }
        Message::UnblockIosApp => {
            "Open the Settings of your device and find {browser}.\n\
             Switch on camera and microphone."
        }
        Message::UnblockAndroid => {
            "Tap the symbol at the start of the address, then “Permissions”.\n\
             Allow camera and microphone."
        }
        Message::UnblockAndroidFirefox => {
            "Tap the lock or shield beside the address.\n\
             Tap “Blocked” at camera and microphone to allow them."
        }
        Message::UnblockChrome => {
            "Click the symbol at the start of the address.\n\
             Switch on camera and microphone."
        }
        Message::UnblockEdge => {
            "Click the lock at the start of the address, then “Permissions for this site”.\n\
             Allow camera and microphone."
        }
        Message::UnblockFirefox => {
            "Click the crossed-out camera at the start of the address.\n\
             Remove “Blocked” with the × beside it."
        }
        Message::UnblockSafari => {
            "In the menu bar choose “Safari”, then “Settings for This Website…”.\n\
             Allow camera and microphone."
        }
        Message::UnblockOther => {
            "Tap the symbol beside the address.\n\
             Allow camera and microphone."
        }
        Message::UnblockSystem => {
            "Still blocked? Then allow the camera for this browser in the settings of your device."
        }

        // At the camera.
        Message::CameraSees => "What the camera sees",
        Message::NotYet => "Nothing is recorded yet. Press Record when you’re ready.",
        Message::Record => "Record",
        Message::Flip => "Switch camera",
        Message::TurnOff => "Turn off",
        Message::Sound => "Sound",
        Message::Devices => "Camera and microphone",
        Message::Camera => "Camera",
        Message::Microphone => "Microphone",
        Message::Loudness => "Loudness",
        Message::NoSound => "Without sound",
        Message::Unheard => "We can’t hear you. Is the microphone muted or covered?",
        Message::Dark => "The picture is dark or covered.",
        Message::Muted => "Your device blocks the camera: the video would be black.",
        Message::SoundLost => "The microphone was lost. The video goes on without sound.",
        Message::LittleRoom => "There is little room left on this device: keep it short.",
        Message::Unkept => {
            "This browser keeps nothing: leave the page open until the video is sent."
        }
        Message::StartNow => "Start now",

        // Recording.
        Message::Recording => "Recording {recorded}",
        Message::Paused => "Paused {recorded}",
        Message::Progress => "Recorded {recorded} · sent {sent}",
        Message::Waiting => "It can’t be sent right now, and goes on by itself.",
        Message::ServerFull => {
            "The server has no room for it right now. We try again by ourselves."
        }
        Message::Offline => "You’re offline. We go on when you are back.",
        Message::KeptHere => "Until then it is kept here.",
        Message::LastMinute => "{left} left, then the recording ends by itself.",
        Message::Pause => "Pause",
        Message::GoOn => "Go on",
        Message::Stop => "Stop",
        Message::OneMoment => "One moment…",

        // Reviewing.
        Message::YourRecording => "Your recording",
        Message::HaveALook => "Have a look",
        Message::NobodyYet => "Nobody gets this video before you send it.",
        Message::Facts => "Length {recorded} · size {size}",
        Message::Uploaded => "{percent} is uploaded, the rest follows by itself.",
        Message::UploadedAll => "All of it is uploaded, ready to be sent.",
        Message::Located => "This file says where it was filmed. Whoever gets it can see that.",
        Message::Interrupted => {
            "The recording ended by itself. What you recorded until then is here."
        }
        Message::Resumed => "Welcome back: {recorded} is safe.",
        Message::ChosenFile => "This is the video that you chose.",
        Message::Reading => "The video is being read…",
        Message::NoPreview => {
            "It can’t be played here any more, because room was needed. It is safe all the same."
        }
        Message::NoPlayer => "This browser can’t play this file. You can send it all the same.",
        Message::ClosesSoon => "This link closes in a few minutes. Send the video before then.",
        Message::Send => "Send this video",
        Message::Again => "Record again",
        Message::Save => "Save it on this device",
        Message::ThrowAway => "Throw this video away?",
        Message::ThrowAwayText => "It is deleted, here and on our server.",
        Message::Discard => "Yes, record again",
        Message::Keep => "Keep this one",

        // Sending.
        Message::Sending => "Sending: {percent}",
        Message::KeepOpen => "Please keep this page open for a moment.",
        Message::Preparing => "It has arrived, and is being made ready.",
        Message::Received => "Video received",
        Message::ReceivedText => "Sent. You can close this page. Thank you!",
        Message::StillHere => {
            "Your recording is still here: you can watch it and save it until you close this page."
        }

        // Over.
        Message::Expired => "This link has expired",
        Message::ExpiredText => {
            "Its time passed before the video was sent. What was uploaded is deleted. If a video is \
             still needed, ask for a new link."
        }
        Message::AlreadySent => "A video was already sent",
        Message::AlreadySentText => {
            "Somebody has sent one with this link, perhaps you on another device. It works once, so \
             this one was not sent."
        }
        Message::Withdrawn => "This request was withdrawn",
        Message::WithdrawnText => {
            "Whoever asked no longer needs the video. What was uploaded is deleted."
        }
        Message::TakenDown => "This request was taken down",
        Message::TakenDownText => {
            "Whoever runs this service has removed it. Everything that was uploaded for it is deleted."
        }
        Message::TooLarge => "This video is too large",
        Message::TooLargeText => {
            "It is larger than this server takes, so it was not sent. Please record a shorter one."
        }
        Message::Unreadable => "This file can’t be read any more",
        Message::UnreadableText => {
            "It was changed or moved, or it isn’t fully on this device. Nothing was sent. Please choose it again."
        }
        Message::Refused => "This video can’t be taken",
        Message::RefusedText => {
            "The server refused it. Please record again, perhaps in another browser."
        }
        Message::Unplayable => "This video can’t be played",
        Message::UnplayableText => {
            "Something in it is missing or damaged, so it was not sent. Please record again."
        }

        // Said aloud.
        Message::SaidCountdown => "Recording starts in 3 seconds.",
        Message::SaidRecording => "Recording.",
        Message::SaidPaused => "Paused.",
        Message::SaidStopped => "Recording stopped.",
        Message::SaidReview => "Here is your recording.",
        Message::SaidReceived => "Video received.",
        Message::SaidLastMinute => "One minute left.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "The recorder could not start in this browser. Reload the page, or open the link in \
             another browser. You can also film with your camera app and send the video here."
        }
        Message::NoScript => {
            "Recording in the page needs JavaScript, which is off in this browser. You can film with \
             your camera app and send the video here."
        }
        Message::YourVideo => "Your video",

        // Reporting.
        Message::ReportText => {
            "Whoever runs this service reads it, and can take the request down. Whoever asked for \
             the video isn’t told, and nothing about you is stored with it."
        }
        Message::ReportWhy => "What is wrong with it?",
        Message::ReportDanger => "It asks for something illegal or dangerous",
        Message::ReportHarassment => "It harasses somebody, or asks for something intimate",
        Message::ReportFraud => "It is a fraud, or somebody pretends to be someone else",
        Message::ReportOther => "Something else",
        Message::ReportMore => "What should be known about it? You can leave this empty.",
        Message::ReportSend => "Send the report",
        Message::ReportLacksReason => "Please choose what is wrong with it. Nothing was sent yet.",
        Message::ReportTooLong => "Your text is too long: please shorten it. Nothing was sent yet.",
        Message::ReportContact => "You can also turn to whoever runs this service directly:",
        Message::Reported => "Thank you for your report",
        Message::ReportedText => {
            "Whoever runs this service can read it for 30 days. You don’t have to do anything \
             else, and you don’t have to record anything."
        }
        Message::ReportedOften => "This request was reported often enough",
        Message::ReportedOftenText => {
            "Whoever runs this service can read the reports that are there. This one was not \
             added to them."
        }
        Message::TooManyReports => "Too many reports at once",
        Message::TooManyReportsText => {
            "Several have come from your network in a short time, so this one was not stored. \
             Please try again later."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "It was open for a limited time, and that time is over. Everything that was recorded \
             with it is deleted. If a video is still needed, ask for a new link."
        }
        Message::ClosedSubmitted => "The video was received",
        Message::ClosedSubmittedText => {
            "Somebody has recorded and sent a video with this link. It works once, so there is \
             nothing left to do here."
        }
        Message::Unknown => "There is nothing at this link",
        Message::UnknownText => {
            "Perhaps a part of the address is missing, or the request was withdrawn. If you copied \
             the link, check that you have all of it."
        }
        Message::NoFile => "No video was chosen",
        Message::NoFileText => "Please go back, choose a video, and send it again.",
        Message::NoVideo => "This file can’t be taken",
        Message::NoVideoText => "Please go back and choose a video: WebM, MP4, MOV or MKV.",
        Message::NoPictureInFileText => {
            "There is no picture in it, or a part of the file is missing, so it was not kept. Please \
             go back and choose another one."
        }
        Message::ClosedTooLargeText => {
            "It is larger than this server takes, so it was not kept. Please go back and send a \
             shorter one."
        }
        Message::NotArrived => "The video did not arrive",
        Message::NotArrivedText => {
            "The connection broke before all of it was here, and nothing was kept. Please go back \
             and send it again."
        }
        Message::Broken => "Something went wrong",
        Message::BrokenText => "This is our fault, not yours. Please try again in a minute.",
    }
}
