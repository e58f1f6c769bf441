//! German, polite (Sie).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Sprache",
        Message::Title => "Video aufnehmen",
        Message::Description => {
            "Nehmen Sie im Browser ein Video auf und senden Sie es. Keine App, kein Konto."
        }
        Message::Terms => "Bedingungen",
        Message::Privacy => "Datenschutz",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day}. {month}, {time} Uhr UTC",

        // Before the camera.
        Message::Heading => "Sie werden um ein Video gebeten",
        Message::ForWhom => {
            "Das Video bekommt, wer diese Anfrage gestellt hat, vielleicht ein KI-Agent. Wer das \
             ist, prüfen wir nicht."
        }
        Message::NothingYet => "Aufgenommen wird erst, wenn Sie auf „Aufnehmen“ drücken.",
        Message::TurnOnCamera => "Kamera einschalten",
        Message::RecordScreen => "Bildschirm aufnehmen",
        Message::ChooseVideo => "Video auswählen",
        Message::FilmWithApp => "Kamera-App verwenden",
        Message::UsePhone => "Lieber mit dem Handy filmen",
        Message::UsePhoneHow => {
            "Richten Sie die Kamera Ihres Handys auf diesen Code. Dort öffnet sich dieselbe Seite."
        }
        Message::CodeOfLink => "QR-Code dieses Links",
        Message::OtherRecords => "Ein anderes Gerät nimmt gerade auf.",
        Message::InApp => {
            "Sie sind im Browser einer anderen App. Falls die Kamera hier nicht geht:"
        }
        Message::OpenInSafari => {
            "Tippen Sie auf ••• oder auf das Teilen-Symbol.\n\
             Wählen Sie „In Safari öffnen“ oder „Im Browser öffnen“."
        }
        Message::OpenInChrome => {
            "Tippen Sie oben auf ⋮ oder •••.\n\
             Wählen Sie „In Chrome öffnen“ oder „Im Browser öffnen“."
        }
        Message::CopyLink => "Link kopieren",
        Message::Copied => "Kopiert",

        // What to know.
        Message::GoodToKnow => "Gut zu wissen",
        Message::WhoWatches => "Wer es ansieht",
        Message::WhoWatchesText => {
            "Nur wer diese Anfrage gestellt hat: ein Mensch oder ein KI-Agent, nicht unbedingt der \
             Absender des Links. Wir prüfen nicht, wer es ist."
        }
        Message::WhatIsRecorded => "Was aufgenommen wird",
        Message::WhatIsRecordedText => {
            "Nur was geschieht, während der rote Balken zu sehen ist. Das Video wird schon während \
             der Aufnahme an unseren Server gesendet, damit nichts verloren geht. Verwerfen Sie \
             es, wird es dort gelöscht."
        }
        Message::HowLong => "Wie lange es bleibt",
        Message::HowLongText => "Link und Video werden am {until} gelöscht.",
        Message::YourChoice => "Ihre Entscheidung",
        Message::YourChoiceText => {
            "Sie müssen das nicht tun. Wenn Sie die Seite einfach schließen, passiert nichts."
        }
        Message::TakeCare => "Seien Sie vorsichtig",
        Message::TakeCareText => {
            "Zeigen Sie nie Ausweise, Bankkarten oder Passwörter, außer Sie haben damit gerechnet."
        }
        Message::Private => "Kein Konto, kein Tracking, keine Dritten.",
        Message::Report => "Diese Anfrage melden",

        // Nothing to do here for the moment.
        Message::Asking => "Ihr Browser bittet um Erlaubnis",
        Message::AskingText => {
            "Bitte erlauben Sie es. Sie sehen zuerst nur das Bild; aufgenommen wird noch nichts."
        }
        Message::Cancel => "Abbrechen",
        Message::Elsewhere => "Diese Seite ist in einem anderen Tab geöffnet",
        Message::ElsewhereText => {
            "Wird dort aufgenommen, endet die Aufnahme, und Sie machen hier mit ihr weiter."
        }
        Message::GoOnHere => "Hier weitermachen",

        // What keeps the camera from us.
        Message::Denied => "Die Kamera ist für diese Seite gesperrt",
        Message::NoCamera => "Keine Kamera gefunden",
        Message::NoCameraText => {
            "Schließen Sie eine an und versuchen Sie es erneut, oder öffnen Sie diesen Link auf \
             Ihrem Handy."
        }
        Message::Busy => "Die Kamera ist belegt",
        Message::BusyText => {
            "Eine andere App oder ein anderer Tab scheint sie zu verwenden, etwa ein Videoanruf. \
             Schließen Sie das und versuchen Sie es erneut."
        }
        Message::Insecure => "Die Kamera braucht eine sichere Adresse",
        Message::InsecureText => {
            "Browser erlauben sie nur bei Links, die mit https beginnen. Bitten Sie um einen solchen \
             Link."
        }
        Message::Unsupported => "Dieser Browser kann nicht aufnehmen",
        Message::UnsupportedText => {
            "Kopieren Sie den Link und öffnen Sie ihn in einem aktuellen Safari, Chrome oder Firefox."
        }
        Message::NoPicture => "Von der Kamera kam kein Bild",
        Message::NoPictureText => "Es wurde nichts aufgenommen. Bitte versuchen Sie es erneut.",
        Message::NoScreen => "Der Bildschirm wurde nicht freigegeben",
        Message::NoScreenText => {
            "Es wurde nichts aufgenommen. Wenn Sie weitermachen möchten, versuchen Sie es erneut und \
             wählen Sie, was Sie freigeben."
        }
        Message::TryAgain => "Erneut versuchen",
        Message::WithSound => {
            "Mit Ton. Entfernen Sie das Häkchen, wenn nur das Mikrofon Probleme macht."
        }
        Message::OrFile => {
            "Oder filmen Sie mit Ihrer Kamera-App und wählen Sie das Video hier aus."
        }
        Message::UnblockIosSafari => {
            "Tippen Sie auf das Symbol neben der Adresse, dann auf „Website-Einstellungen“.\n\
             Erlauben Sie Kamera und Mikrofon."
        }
        Message::UnblockIosApp => {
            "Öffnen Sie die Einstellungen Ihres Geräts und dort {browser}.\n\
             Schalten Sie Kamera und Mikrofon ein."
        }
        Message::UnblockAndroid => {
            "Tippen Sie auf das Symbol am Anfang der Adresse, dann auf „Berechtigungen“.\n\
             Erlauben Sie Kamera und Mikrofon."
        }
        Message::UnblockAndroidFirefox => {
            "Tippen Sie auf das Schloss oder den Schild neben der Adresse.\n\
             Tippen Sie bei Kamera und Mikrofon auf „Blockiert“, um sie zu erlauben."
        }
        Message::UnblockChrome => {
            "Klicken Sie auf das Symbol am Anfang der Adresse.\n\
             Schalten Sie Kamera und Mikrofon ein."
        }
        Message::UnblockEdge => {
            "Klicken Sie auf das Schloss am Anfang der Adresse, dann auf „Berechtigungen für diese \
             Website“.\n\
             Erlauben Sie Kamera und Mikrofon."
        }
        Message::UnblockFirefox => {
            "Klicken Sie auf die durchgestrichene Kamera am Anfang der Adresse.\n\
             Entfernen Sie „Blockiert“ mit dem × daneben."
        }
        Message::UnblockSafari => {
            "Wählen Sie in der Menüleiste „Safari“, dann „Einstellungen für diese Website …“.\n\
             Erlauben Sie Kamera und Mikrofon."
        }
        Message::UnblockOther => {
            "Tippen Sie auf das Symbol neben der Adresse.\n\
             Erlauben Sie Kamera und Mikrofon."
        }
        Message::UnblockSystem => {
            "Immer noch gesperrt? Dann erlauben Sie diesem Browser die Kamera in den Einstellungen \
             Ihres Geräts."
        }

        // At the camera.
        Message::CameraSees => "Was die Kamera sieht",
        Message::NotYet => {
            "Noch wird nichts aufgenommen. Drücken Sie auf „Aufnehmen“, wenn Sie so weit sind."
        }
        Message::Record => "Aufnehmen",
        Message::Flip => "Kamera wechseln",
        Message::TurnOff => "Ausschalten",
        Message::Sound => "Ton",
        Message::Devices => "Kamera und Mikrofon",
        Message::Camera => "Kamera",
        Message::Microphone => "Mikrofon",
        Message::Loudness => "Lautstärke",
        Message::NoSound => "Ohne Ton",
        Message::Unheard => "Wir hören nichts. Ist das Mikrofon stumm oder verdeckt?",
        Message::Dark => "Das Bild ist dunkel oder verdeckt.",
        Message::Muted => "Ihr Gerät blockiert die Kamera: Das Video wäre schwarz.",
        Message::SoundLost => "Das Mikrofon ist weg. Das Video läuft ohne Ton weiter.",
        Message::LittleRoom => "Auf diesem Gerät ist wenig Platz: Fassen Sie sich kurz.",
        Message::Unkept => {
            "Dieser Browser speichert nichts: Lassen Sie die Seite offen, bis das Video gesendet ist."
        }
        Message::StartNow => "Sofort starten",

        // Recording.
        Message::Recording => "Aufnahme {recorded}",
        Message::Paused => "Pause {recorded}",
        Message::Progress => "Aufgenommen {recorded} · gesendet {sent}",
        Message::Waiting => "Senden ist gerade nicht möglich; es geht von selbst weiter.",
        Message::ServerFull => {
            "Der Server hat gerade keinen Platz dafür. Wir versuchen es von selbst wieder."
        }
        Message::Offline => "Sie sind offline. Sobald Sie wieder online sind, geht es weiter.",
        Message::KeptHere => "Bis dahin bleibt die Aufnahme hier gespeichert.",
        Message::LastMinute => "Noch {left}, dann endet die Aufnahme von selbst.",
        Message::Pause => "Pause",
        Message::GoOn => "Weiter",
        Message::Stop => "Stopp",
        Message::OneMoment => "Einen Moment …",

        // Reviewing.
        Message::YourRecording => "Ihre Aufnahme",
        Message::HaveALook => "Sehen Sie es sich an",
        Message::NobodyYet => "Niemand bekommt dieses Video, bevor Sie es senden.",
        Message::Facts => "Länge {recorded} · Größe {size}",
        Message::Uploaded => "{percent} sind hochgeladen, der Rest folgt von selbst.",
        Message::UploadedAll => "Alles ist hochgeladen und kann gesendet werden.",
        Message::Located => {
            "In dieser Datei steht, wo sie gefilmt wurde. Wer sie bekommt, kann das sehen."
        }
        Message::Interrupted => {
            "Die Aufnahme endete von selbst. Was bis dahin aufgenommen wurde, ist hier."
        }
        Message::Resumed => "Willkommen zurück: Ihre Aufnahme ({recorded}) ist gesichert.",
        Message::ChosenFile => "Das ist das Video, das Sie ausgewählt haben.",
        Message::Reading => "Das Video wird geladen …",
        Message::NoPreview => {
            "Es kann hier nicht mehr abgespielt werden, weil Platz gebraucht wurde. Gesichert ist es \
             trotzdem."
        }
        Message::NoPlayer => {
            "Dieser Browser kann die Datei nicht abspielen. Senden können Sie sie trotzdem."
        }
        Message::ClosesSoon => {
            "Dieser Link schließt in wenigen Minuten. Senden Sie das Video vorher."
        }
        Message::Send => "Dieses Video senden",
        Message::Again => "Neu aufnehmen",
        Message::Save => "Auf diesem Gerät speichern",
        Message::ThrowAway => "Dieses Video verwerfen?",
        Message::ThrowAwayText => "Es wird gelöscht, hier und auf unserem Server.",
        Message::Discard => "Ja, neu aufnehmen",
        Message::Keep => "Dieses behalten",

        // Sending.
        Message::Sending => "Wird gesendet: {percent}",
        Message::KeepOpen => "Bitte lassen Sie diese Seite noch einen Moment offen.",
        Message::Preparing => "Es ist angekommen und wird vorbereitet.",
        Message::Received => "Video erhalten",
        Message::ReceivedText => "Gesendet. Sie können diese Seite schließen. Vielen Dank!",
        Message::StillHere => {
            "Ihre Aufnahme ist noch hier: Sie können sie ansehen und speichern, bis Sie diese Seite schließen."
        }

        // Over.
        Message::Expired => "Dieser Link ist abgelaufen",
        Message::ExpiredText => {
            "Seine Zeit war um, bevor das Video gesendet wurde. Was schon hochgeladen war, ist gelöscht. \
             Wird noch ein Video gebraucht, bitten Sie um einen neuen Link."
        }
        Message::AlreadySent => "Es wurde schon ein Video gesendet",
        Message::AlreadySentText => {
            "Jemand hat mit diesem Link eines gesendet, vielleicht Sie selbst auf einem anderen \
             Gerät. Er gilt nur einmal, darum wurde dieses nicht gesendet."
        }
        Message::Withdrawn => "Diese Anfrage wurde zurückgezogen",
        Message::WithdrawnText => {
            "Das Video wird nicht mehr gebraucht. Was schon hochgeladen war, ist gelöscht."
        }
        Message::TakenDown => "Diese Anfrage wurde gesperrt",
        Message::TakenDownText => {
            "Der Betreiber dieses Dienstes hat sie entfernt. Alles, was dafür hochgeladen wurde, \
             ist gelöscht."
        }
        Message::TooLarge => "Dieses Video ist zu groß",
        Message::TooLargeText => {
            "Es ist größer, als dieser Server annimmt, und wurde darum nicht gesendet. Bitte nehmen \
             Sie ein kürzeres auf."
        }
        Message::Unreadable => "Diese Datei lässt sich nicht mehr lesen",
        Message::UnreadableText => {
            "Sie wurde geändert oder verschoben oder liegt nicht ganz auf diesem Gerät. Es wurde nichts gesendet. Bitte wählen Sie sie noch einmal aus."
        }
        Message::Refused => "Dieses Video kann nicht angenommen werden",
        Message::RefusedText => {
            "Der Server hat es abgelehnt. Bitte nehmen Sie es neu auf, vielleicht in einem anderen \
             Browser."
        }
        Message::Unplayable => "Dieses Video kann nicht abgespielt werden",
        Message::UnplayableText => {
            "Etwas darin fehlt oder ist beschädigt, darum wurde es nicht gesendet. Bitte nehmen Sie \
             es neu auf."
        }

        // Said aloud.
        Message::SaidCountdown => "Die Aufnahme beginnt in 3 Sekunden.",
        Message::SaidRecording => "Aufnahme läuft.",
        Message::SaidPaused => "Pause.",
        Message::SaidStopped => "Aufnahme beendet.",
        Message::SaidReview => "Hier ist Ihre Aufnahme.",
        Message::SaidReceived => "Video erhalten.",
        Message::SaidLastMinute => "Noch eine Minute.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "Die Aufnahme konnte in diesem Browser nicht starten. Laden Sie die Seite neu, oder \
             öffnen Sie den Link in einem anderen Browser. Sie können auch mit Ihrer Kamera-App \
             filmen und das Video hier senden."
        }
        Message::NoScript => {
            "Zum Aufnehmen auf dieser Seite ist JavaScript nötig, das in diesem Browser \
             ausgeschaltet ist. Sie können mit Ihrer Kamera-App filmen und das Video hier senden."
        }
        Message::YourVideo => "Ihr Video",

        // Reporting.
        Message::ReportText => {
            "Der Betreiber dieses Dienstes liest die Meldung und kann die Anfrage sperren. Wer \
             das Video wollte, erfährt davon nichts, und über Sie wird nichts gespeichert."
        }
        Message::ReportWhy => "Was stimmt damit nicht?",
        Message::ReportDanger => "Sie verlangt etwas Verbotenes oder Gefährliches",
        Message::ReportHarassment => "Sie belästigt jemanden oder verlangt etwas Intimes",
        Message::ReportFraud => "Es ist Betrug, oder jemand gibt sich als ein anderer aus",
        Message::ReportOther => "Etwas anderes",
        Message::ReportMore => "Was sollte man darüber wissen? Sie können dieses Feld leer lassen.",
        Message::ReportSend => "Meldung senden",
        Message::ReportLacksReason => {
            "Bitte wählen Sie aus, was damit nicht stimmt. Noch wurde nichts gesendet."
        }
        Message::ReportTooLong => {
            "Ihr Text ist zu lang: Bitte kürzen Sie ihn. Noch wurde nichts gesendet."
        }
        Message::ReportContact => {
            "Sie können sich auch direkt an den Betreiber dieses Dienstes wenden:"
        }
        Message::Reported => "Danke für Ihre Meldung",
        Message::ReportedText => {
            "Der Betreiber dieses Dienstes kann sie 30 Tage lang lesen. Sie müssen sonst nichts \
             tun, und Sie müssen nichts aufnehmen."
        }
        Message::ReportedOften => "Diese Anfrage wurde schon oft genug gemeldet",
        Message::ReportedOftenText => {
            "Der Betreiber dieses Dienstes kann die vorhandenen Meldungen lesen. Diese kam nicht \
             mehr dazu."
        }
        Message::TooManyReports => "Zu viele Meldungen auf einmal",
        Message::TooManyReportsText => {
            "Aus Ihrem Netz kamen in kurzer Zeit mehrere, darum wurde diese nicht gespeichert. \
             Bitte versuchen Sie es später erneut."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Er galt für eine begrenzte Zeit, und die ist vorbei. Alles, was damit aufgenommen \
             wurde, ist gelöscht. Wird noch ein Video gebraucht, bitten Sie um einen neuen Link."
        }
        Message::ClosedSubmitted => "Das Video ist angekommen",
        Message::ClosedSubmittedText => {
            "Mit diesem Link hat jemand ein Video aufgenommen und gesendet. Er gilt nur einmal, \
             darum ist hier nichts mehr zu tun."
        }
        Message::Unknown => "Unter diesem Link gibt es nichts",
        Message::UnknownText => {
            "Vielleicht fehlt ein Teil der Adresse, oder die Anfrage wurde zurückgezogen. Wenn Sie \
             den Link kopiert haben, prüfen Sie, ob er vollständig ist."
        }
        Message::NoFile => "Es wurde kein Video ausgewählt",
        Message::NoFileText => {
            "Bitte gehen Sie zurück, wählen Sie ein Video aus und senden Sie es erneut."
        }
        Message::NoVideo => "Diese Datei kann nicht angenommen werden",
        Message::NoVideoText => {
            "Bitte gehen Sie zurück und wählen Sie ein Video aus: WebM, MP4, MOV oder MKV."
        }
        Message::NoPictureInFileText => {
            "Es enthält kein Bild, oder ein Teil der Datei fehlt; darum wurde es nicht behalten. \
             Bitte gehen Sie zurück und wählen Sie ein anderes aus."
        }
        Message::ClosedTooLargeText => {
            "Es ist größer, als dieser Server annimmt, und wurde darum nicht behalten. Bitte gehen \
             Sie zurück und senden Sie ein kürzeres."
        }
        Message::NotArrived => "Das Video ist nicht angekommen",
        Message::NotArrivedText => {
            "Die Verbindung brach ab, bevor alles da war, und nichts wurde behalten. Bitte gehen Sie \
             zurück und senden Sie es erneut."
        }
        Message::Broken => "Etwas ist schiefgegangen",
        Message::BrokenText => {
            "Das ist unser Fehler, nicht Ihrer. Bitte versuchen Sie es in einer Minute erneut."
        }
    }
}
