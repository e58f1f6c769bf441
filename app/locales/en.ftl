### English.

## Every page

page-language = Language
page-description = Record a video in your browser and send it. No app, no account.
page-terms = Terms
page-privacy = Privacy
report-heading = Report this request
# A moment in UTC, until the page shows it in the time zone of the device.
# $month: 1 to 12. $time: such as 9:05.
date-utc =
    { $day } { $month ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    }, { $time } UTC

## The recording page, before the camera

record-title = Record a video
record-prompt-heading = You’ve been asked for a video
record-audience = A person or an AI will watch it. We don’t check who, so continue only if you expected this.
# A step of several: $number of $total.
record-step = { $number } of { $total }
record-camera-hint = Opening the camera doesn’t record anything.
record-other-device = Another device is recording.
source-camera = Open camera
source-screen = Record the screen
source-file = Use an existing video
source-camera-app = Use the camera app
source-other = Other ways
source-file-hint = Or film with your camera app and choose that video here.
# While a file is dragged over the page.
source-drop = Drop the video here
source-drop-hint = You can also drop or paste a video here.
source-several-files = Please choose just one video.
source-no-video = We can’t take this file. Please choose a video: WebM, MP4, MOV or MKV.
source-phone = Use your phone’s camera instead
source-phone-how = Point your phone’s camera at this code. The same page opens there.
source-phone-code = QR code for this link
link-copy = Copy link
link-copied = Copied
in-app-browser = This page is open inside another app. If the camera doesn’t work here:
in-app-leave = Open in your browser
# Steps, one a line.
in-app-open-safari =
    Tap ••• or the share icon.
    Choose “Open in Safari” or “Open in browser”.
in-app-open-chrome =
    Tap ⋮ or ••• at the top.
    Choose “Open in Chrome” or “Open in browser”.

## What to know before recording

privacy-heading = Good to know
privacy-audience = Who will watch it
privacy-audience-text = Only the person or AI agent that made this request, and that may not be who sent you the link. We don’t check who it is. They can keep a copy.
privacy-recording = What is recorded
privacy-recording-text = Only while the red bar shows. It uploads as you record, so nothing gets lost. Record again and the old one is deleted.
# $until: a date with a time.
privacy-retention-text = The link and the video are deleted on { $until }.
privacy-transcript = Speech may be turned into text.
privacy-choice-text = You can say no. Just close this page.
privacy-caution = Never show ID, bank cards or passwords unless you expected to.
privacy-no-account = No account, no tracking.

## The browser asks for permission

permission-heading = Your browser is asking for permission
permission-text = Please choose Allow. You’ll see the picture first; nothing is recorded yet.
action-cancel = Cancel
action-close = Close

## Open in another tab

tab-heading = This page is open in another tab
tab-text = If it’s recording there, that recording stops and you continue with it here.
tab-continue = Continue here

## No camera, and what to do about it

blocked-denied-heading = Your browser is blocking the camera
blocked-no-camera-heading = No camera found
blocked-no-camera-text = Connect one and try again, or open this link on your phone.
blocked-busy-heading = The camera is in use
blocked-busy-text = Another app or tab seems to be using it, such as a video call. Close it, then try again.
blocked-insecure-heading = The camera needs a secure address
blocked-insecure-text = Browsers only allow it for links that start with https. Please ask for one.
blocked-unsupported-heading = This browser can’t record
blocked-unsupported-text = Copy the link and open it in an up-to-date Safari, Chrome or Firefox.
blocked-no-picture-heading = No picture from the camera
blocked-no-picture-text = Nothing was recorded. Please try again.
blocked-no-screen-heading = The screen wasn’t shared
blocked-no-screen-text = Nothing was recorded. To continue, try again and choose what to share.
blocked-try-again = Try again
blocked-with-sound = With sound. Untick this if only the microphone is the problem.
# Steps, one a line.
unblock-ios-safari =
    Tap the icon next to the address, then “Website Settings”.
    Allow camera and microphone.
# $browser: the name of a browser.
unblock-ios-app =
    Open your device’s Settings and find { $browser }.
    Turn on camera and microphone.
unblock-android =
    Tap the icon at the start of the address, then “Permissions”.
    Allow camera and microphone.
unblock-android-firefox =
    Tap the lock or shield next to the address.
    Tap “Blocked” for camera and microphone to allow them.
unblock-chrome =
    Click the icon at the start of the address.
    Turn on camera and microphone.
unblock-edge =
    Click the lock at the start of the address, then “Permissions for this site”.
    Allow camera and microphone.
unblock-firefox =
    Click the crossed-out camera at the start of the address.
    Remove “Blocked” with the × next to it.
unblock-safari =
    In the menu bar choose “Safari”, then “Settings for This Website…”.
    Allow camera and microphone.
unblock-other =
    Tap the icon next to the address.
    Allow camera and microphone.
unblock-system = Still blocked? Allow the camera for this browser in your device’s settings.

## At the camera

camera-picture = What the camera sees
camera-not-recording = Not recording yet
camera-record = Record
camera-start-now = Start now
camera-flip = Switch camera
camera-front = Front camera
camera-back = Back camera
# The light beside the lens, as of a flashlight.
camera-torch = Light
camera-zoom = Zoom
camera-lens = Lens
# Short names of lenses, as of a camera app.
camera-lens-wide = Wide
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Camera and microphone
camera-device = Camera
camera-microphone = Microphone
camera-sound = Sound
camera-sound-level = Sound level
signal-silent = No sound
signal-no-microphone = Only the screen’s sound, no microphone
signal-unheard = We can’t hear you. Is the microphone muted or covered?
signal-sound-lost = Sound was lost. The video continues without it.
signal-dark = The picture is dark or covered.
signal-muted = Your device is blocking the camera: the video would be black.
storage-low = This device is low on space: keep it short.
storage-none = This browser can’t store your recording: keep this page open until the video is sent.

## Recording

# $recorded: a length, such as 0:42.
recording-status = Recording { $recorded }
recording-paused = Paused { $recorded }
# $left: a length, such as 0:42.
recording-last-minute = { $left } left, then the recording stops by itself.
recording-pause = Pause
recording-resume = Resume
recording-stop = Stop
recording-finish = Finish
recording-stopping = One moment…

## Uploading

# $sent: a length, such as 0:38.
upload-sent = Uploaded { $sent }
# $percent: such as 38 %.
upload-progress = { $percent } uploaded. The rest follows by itself.
upload-complete = Uploaded and ready to send.
upload-offline = You’re offline. The upload continues when you’re back.
upload-waiting = The upload isn’t getting through right now. We keep trying.
upload-server-full = The server is full right now. We keep trying.
upload-kept = Until then, your recording is safe here.

## Reviewing

review-heading = Check your video
# Above a step of the prompt.
review-question = Did you show this?
review-not-sent = It isn’t sent until you press Send.
review-video = Your recording
# $recorded: a length, such as 0:42. $size: such as 12.4 MB.
review-facts = Length { $recorded } · size { $size }
review-interrupted = The recording stopped by itself. Everything up to then is here.
review-resumed = Welcome back: your recording of { $recorded } is safe.
# $name: the name of a file.
review-file = The video you chose: { $name }
# $read: such as 38 %, or nothing.
review-reading = Loading the video… { $read }
review-no-preview = It can’t be played here any more because space was needed. It’s still safe.
review-no-player = There’s no preview because this browser can’t show this video. You can send it all the same.
review-located = This file says where it was filmed. Anyone who gets it can see that.
review-closes-soon = This link expires in a few minutes. Please send the video before then.
review-send = Send this video
review-again = Record again
review-save = Save on this device
discard-heading = Delete this and record again?
discard-text = It’s deleted here and on our server.
discard-confirm = Delete and record again
discard-keep = Keep this one

## Sending

submit-progress = Sending: { $percent }
submit-keep-open = Please keep this page open for a moment.
submit-preparing = It has arrived. We’re getting it ready.
submit-sent-heading = Sent. Thank you!
submit-sent-text = Whoever asked for the video can watch it now. You can close this page.
receipt-sent = Sent: { $time }
receipt-save = Save receipt

## The end of a link or of a recording

end-expired-heading = This link has expired
end-expired-text = Time ran out before the video was sent. What was uploaded has been deleted. If a video is still needed, ask for a new link.
end-submitted-heading = A video was already sent
end-submitted-text = Someone sent one with this link, maybe you on another device. The link works only once, so yours wasn’t sent.
end-withdrawn-heading = This request was withdrawn
end-withdrawn-text = The video is no longer needed. What was uploaded has been deleted.
end-taken-down-heading = This request was taken down
end-taken-down-text = The operator of this service removed it. Everything uploaded for it has been deleted.
end-too-large-heading = This video is too large
end-too-large-text = It’s larger than this server accepts, so it wasn’t sent. Please record a shorter one.
end-unreadable-heading = This file can’t be read any more
end-unreadable-text = It was changed or moved, or it isn’t fully on this device. Nothing was sent. Please choose it again.
end-refused-heading = This video can’t be accepted
end-refused-text = The server refused it. Please record again, maybe in another browser.
end-unplayable-heading = This video can’t be played
end-unplayable-text = Part of it is missing or damaged, so it wasn’t sent. Please record again.
end-still-here = Your recording is still here. You can watch it and save it until you close this page.

## Announced by screen readers

announce-countdown =
    Recording starts in { $seconds ->
        [one] { $seconds } second
       *[other] { $seconds } seconds
    }.
announce-recording = Recording.
announce-paused = Paused.
announce-stopped = Recording stopped.
announce-last-minute = Less than a minute left, then the recording stops by itself.

## The form, where the recorder can't run

form-cannot-start = The recorder could not start in this browser. Reload the page, or open the link in another browser. You can also film with your camera app and send the video here.
form-no-script = Recording on this page needs JavaScript, which is off in this browser. You can film with your camera app and send the video here.
form-video = Your video
form-no-file-heading = No video was chosen
form-no-file-text = Please go back, choose a video, and send it again.
form-not-a-video-heading = This file can’t be accepted
form-not-a-video-text = Please go back and choose a video: WebM, MP4, MOV or MKV.
form-unplayable-text = It has no picture, or part of the file is missing, so it wasn’t kept. Please go back and choose another one.
form-too-large-text = It’s larger than this server accepts, so it wasn’t kept. Please go back and send a shorter one.
form-interrupted-heading = The video didn’t arrive
form-interrupted-text = The connection broke before all of it arrived, and nothing was kept. Please go back and send it again.

## The form that reports a request

report-text = The operator of this service reads your report and can take the request down. The person or AI that asked for the video isn’t told, and nothing about you is stored with it.
report-reason = What’s wrong with it?
report-reason-danger = It asks for something illegal or dangerous
report-reason-harassment = It harasses someone, or asks for something intimate
report-reason-fraud = It’s a scam, or someone is pretending to be someone else
report-reason-other = Something else
report-details = What did it ask you to film, and who sent you the link? You can leave this empty.
report-send = Send the report
report-reason-missing = Please choose what’s wrong with it. Nothing has been sent yet.
report-too-long = Your text is too long: please shorten it. Nothing has been sent yet.
report-contact = You can also contact the operator of this service directly:
report-received-heading = Thank you for your report
report-received-text =
    The operator of this service can read it for { $days ->
        [one] { $days } day
       *[other] { $days } days
    }. You don’t have to do anything else, and you don’t have to record anything.
report-enough-heading = This request has been reported often enough
report-enough-text = The operator of this service can read the earlier reports. Yours wasn’t added to them.
report-too-many-heading = Too many reports at once
report-too-many-text = Several came from your network in a short time, so yours wasn’t stored. Please try again later.

## A link that leads to no recording

closed-expired-text = It was open for a limited time, and that time is over. Everything recorded with it has been deleted. If a video is still needed, ask for a new link.
closed-submitted-heading = The video was received
closed-submitted-text = Someone recorded and sent a video with this link. It works only once, so there’s nothing left to do here.
closed-not-found-heading = There is nothing at this link
closed-not-found-text = Maybe part of the address is missing, or the request was withdrawn. If you copied the link, check that it’s complete.
closed-error-heading = Something went wrong
closed-error-text = This is our fault, not yours. Please try again in a minute.
