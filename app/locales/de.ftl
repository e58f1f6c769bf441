### German, polite (Sie).

## Every page

page-language = Sprache
page-description = Nehmen Sie im Browser ein Video auf und senden Sie es. Keine App, kein Konto.
page-terms = Bedingungen
page-privacy = Datenschutz
report-heading = Diese Anfrage melden
date-utc =
    { $day }. { $month ->
        [1] Januar
        [2] Februar
        [3] März
        [4] April
        [5] Mai
        [6] Juni
        [7] Juli
        [8] August
        [9] September
        [10] Oktober
        [11] November
       *[12] Dezember
    }, { $time } Uhr UTC

## The recording page, before the camera

record-title = Video aufnehmen
record-prompt-heading = Sie werden um ein Video gebeten
record-audience = Ein Mensch oder eine KI sieht es sich an. Wer das ist, prüfen wir nicht. Machen Sie nur weiter, wenn Sie damit gerechnet haben.
record-step = { $number } von { $total }
record-camera-hint = Beim Öffnen der Kamera wird noch nichts aufgenommen.
record-other-device = Ein anderes Gerät nimmt gerade auf.
source-camera = Kamera öffnen
source-screen = Bildschirm aufnehmen
source-file = Video auswählen
source-camera-app = Kamera-App nutzen
source-other = Andere Wege
source-file-hint = Oder filmen Sie mit Ihrer Kamera-App und wählen Sie das Video hier aus.
source-drop = Video hier ablegen
source-drop-hint = Sie können ein Video auch hierher ziehen oder einfügen.
source-several-files = Bitte wählen Sie nur ein Video aus.
source-no-video = Diese Datei können wir nicht annehmen. Bitte wählen Sie ein Video aus: WebM, MP4, MOV oder MKV.
source-phone = Mit dem Handy filmen
source-phone-how = Richten Sie die Kamera Ihres Handys auf diesen Code. Dort öffnet sich dieselbe Seite.
source-phone-code = QR-Code dieses Links
link-copy = Link kopieren
link-copied = Kopiert
in-app-browser = Sie sind im Browser einer anderen App. Falls die Kamera hier nicht geht:
in-app-leave = Im Browser öffnen
in-app-open-safari =
    Tippen Sie auf ••• oder auf das Teilen-Symbol.
    Wählen Sie „In Safari öffnen“ oder „Im Browser öffnen“.
in-app-open-chrome =
    Tippen Sie oben auf ⋮ oder •••.
    Wählen Sie „In Chrome öffnen“ oder „Im Browser öffnen“.

## What to know before recording

privacy-heading = Gut zu wissen
privacy-audience = Wer es ansieht
privacy-audience-text = Nur wer diese Anfrage gestellt hat: ein Mensch oder ein KI-Agent, nicht unbedingt, wer Ihnen den Link geschickt hat. Wir prüfen nicht, wer es ist. Wer sie gestellt hat, kann eine Kopie behalten.
privacy-recording = Was aufgenommen wird
privacy-recording-text = Nur solange der rote Balken zu sehen ist. Das Video wird schon beim Aufnehmen hochgeladen, damit nichts verloren geht. Wenn Sie neu aufnehmen, wird das alte gelöscht.
privacy-retention-text = Link und Video werden am { $until } gelöscht.
privacy-transcript = Gesprochenes kann in Text umgewandelt werden.
privacy-choice-text = Sie können Nein sagen. Schließen Sie einfach diese Seite.
privacy-caution = Zeigen Sie nie Ausweise, Bankkarten oder Passwörter, außer Sie haben damit gerechnet.
privacy-no-account = Kein Konto, kein Tracking.

## The browser asks for permission

permission-heading = Ihr Browser bittet um Erlaubnis
permission-text = Bitte erlauben Sie es. Sie sehen zuerst nur das Bild; aufgenommen wird noch nichts.
action-cancel = Abbrechen
action-close = Schließen

## Open in another tab

tab-heading = Diese Seite ist in einem anderen Tab geöffnet
tab-text = Wird dort aufgenommen, endet die Aufnahme, und Sie finden sie hier.
tab-continue = Hier weitermachen

## No camera, and what to do about it

blocked-denied-heading = Ihr Browser blockiert die Kamera
blocked-no-camera-heading = Keine Kamera gefunden
blocked-no-camera-text = Schließen Sie eine an und versuchen Sie es erneut, oder öffnen Sie diesen Link auf Ihrem Handy.
blocked-busy-heading = Die Kamera ist belegt
blocked-busy-text = Eine andere App oder ein anderer Tab scheint sie zu verwenden, etwa ein Videoanruf. Schließen Sie das und versuchen Sie es erneut.
blocked-insecure-heading = Die Kamera braucht eine sichere Adresse
blocked-insecure-text = Browser erlauben sie nur bei Links, die mit https beginnen. Bitten Sie um einen solchen Link.
blocked-unsupported-heading = Dieser Browser kann nicht aufnehmen
blocked-unsupported-text = Kopieren Sie den Link und öffnen Sie ihn in einem aktuellen Safari, Chrome oder Firefox.
blocked-no-picture-heading = Von der Kamera kam kein Bild
blocked-no-picture-text = Es wurde nichts aufgenommen. Bitte versuchen Sie es erneut.
blocked-no-screen-heading = Der Bildschirm wurde nicht freigegeben
blocked-no-screen-text = Es wurde nichts aufgenommen. Wenn Sie weitermachen möchten, versuchen Sie es erneut und wählen Sie, was Sie freigeben.
blocked-try-again = Erneut versuchen
blocked-with-sound = Mit Ton. Entfernen Sie das Häkchen, wenn nur das Mikrofon Probleme macht.
unblock-ios-safari =
    Tippen Sie auf das Symbol neben der Adresse, dann auf „Website-Einstellungen“.
    Erlauben Sie Kamera und Mikrofon.
unblock-ios-app =
    Öffnen Sie die Einstellungen Ihres Geräts und suchen Sie { $browser }.
    Schalten Sie Kamera und Mikrofon ein.
unblock-android =
    Tippen Sie auf das Symbol am Anfang der Adresse, dann auf „Berechtigungen“.
    Erlauben Sie Kamera und Mikrofon.
unblock-android-firefox =
    Tippen Sie auf das Schloss oder den Schild neben der Adresse.
    Tippen Sie bei Kamera und Mikrofon auf „Blockiert“, um sie zu erlauben.
unblock-chrome =
    Klicken Sie auf das Symbol am Anfang der Adresse.
    Schalten Sie Kamera und Mikrofon ein.
unblock-edge =
    Klicken Sie auf das Schloss am Anfang der Adresse, dann auf „Berechtigungen für diese Website“.
    Erlauben Sie Kamera und Mikrofon.
unblock-firefox =
    Klicken Sie auf die durchgestrichene Kamera am Anfang der Adresse.
    Entfernen Sie „Blockiert“ mit dem × daneben.
unblock-safari =
    Wählen Sie in der Menüleiste „Safari“, dann „Einstellungen für diese Website …“.
    Erlauben Sie Kamera und Mikrofon.
unblock-other =
    Tippen Sie auf das Symbol neben der Adresse.
    Erlauben Sie Kamera und Mikrofon.
unblock-system = Immer noch gesperrt? Dann erlauben Sie diesem Browser die Kamera in den Einstellungen Ihres Geräts.

## At the camera

camera-picture = Was die Kamera sieht
camera-not-recording = Noch keine Aufnahme
camera-record = Aufnehmen
camera-start-now = Sofort starten
camera-flip = Kamera wechseln
camera-front = Frontkamera
camera-back = Rückkamera
camera-torch = Licht
camera-zoom = Zoom
camera-lens = Objektiv
camera-lens-wide = Weitwinkel
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Kamera und Mikrofon
camera-device = Kamera
camera-microphone = Mikrofon
camera-sound = Ton
camera-sound-level = Lautstärke
signal-silent = Kein Ton
signal-no-microphone = Nur der Ton des Bildschirms, kein Mikrofon
signal-unheard = Wir hören nichts. Ist das Mikrofon stumm oder verdeckt?
signal-sound-lost = Der Ton ist ausgefallen. Das Video läuft ohne ihn weiter.
signal-dark = Das Bild ist dunkel oder verdeckt.
signal-muted = Ihr Gerät blockiert die Kamera: Das Video wäre schwarz.
storage-low = Auf diesem Gerät ist wenig Platz: Nehmen Sie nur ein kurzes Video auf.
storage-none = Dieser Browser kann die Aufnahme nicht speichern: Lassen Sie die Seite offen, bis das Video gesendet ist.

## Recording

recording-status = Aufnahme { $recorded }
recording-paused = Pause { $recorded }
recording-last-minute = Noch { $left }, dann endet die Aufnahme von selbst.
recording-pause = Pause
recording-resume = Fortsetzen
recording-stop = Stopp
recording-finish = Fertig
recording-stopping = Einen Moment …

## Uploading

upload-sent = Hochgeladen { $sent }
upload-progress = { $percent } hochgeladen, der Rest folgt von selbst.
upload-complete = Hochgeladen und bereit zum Senden.
upload-offline = Sie sind offline. Das Hochladen geht weiter, sobald Sie wieder online sind.
upload-waiting = Das Hochladen klappt gerade nicht. Wir versuchen es weiter.
upload-server-full = Der Server ist gerade voll. Wir versuchen es weiter.
upload-kept = Bis dahin bleibt die Aufnahme hier gespeichert.

## Reviewing

review-heading = Prüfen Sie Ihr Video
review-question = Haben Sie das gezeigt?
review-not-sent = Es wird erst gesendet, wenn Sie auf „Senden“ drücken.
review-video = Ihre Aufnahme
review-facts = Länge { $recorded } · Größe { $size }
review-interrupted = Die Aufnahme endete von selbst. Was bis dahin aufgenommen wurde, ist hier.
review-resumed = Willkommen zurück: Ihre Aufnahme ({ $recorded }) ist gesichert.
review-file = Das ausgewählte Video: { $name }
review-reading = Das Video wird geladen … { $read }
review-no-preview = Es kann hier nicht mehr abgespielt werden, weil Platz gebraucht wurde. Gesichert ist es trotzdem.
review-no-player = Keine Vorschau: Dieser Browser kann das Video nicht zeigen. Senden können Sie es trotzdem.
review-located = In dieser Datei steht, wo sie gefilmt wurde. Wer sie bekommt, kann das sehen.
review-closes-soon = Dieser Link läuft in wenigen Minuten ab. Bitte senden Sie das Video vorher.
review-send = Video senden
review-again = Neu aufnehmen
review-save = Video speichern
discard-heading = Dieses Video löschen und neu aufnehmen?
discard-text = Es wird gelöscht, hier und auf unserem Server.
discard-confirm = Löschen und neu aufnehmen
discard-keep = Dieses behalten

## Sending

submit-progress = Wird gesendet: { $percent }
submit-keep-open = Bitte lassen Sie diese Seite noch einen Moment offen.
submit-preparing = Es ist angekommen und wird vorbereitet.
submit-sent-heading = Gesendet. Vielen Dank!
submit-sent-text = Wer um das Video gebeten hat, kann es jetzt ansehen. Sie können diese Seite schließen.
receipt-sent = Gesendet: { $time }
receipt-save = Beleg speichern

## The end of a link or of a recording

end-expired-heading = Dieser Link ist abgelaufen
end-expired-text = Seine Zeit war um, bevor das Video gesendet wurde. Was schon hochgeladen war, ist gelöscht. Wird noch ein Video gebraucht, bitten Sie um einen neuen Link.
end-submitted-heading = Es wurde schon ein Video gesendet
end-submitted-text = Jemand hat mit diesem Link eines gesendet, vielleicht Sie selbst auf einem anderen Gerät. Er gilt nur einmal, darum wurde dieses nicht gesendet.
end-withdrawn-heading = Diese Anfrage wurde zurückgezogen
end-withdrawn-text = Das Video wird nicht mehr gebraucht. Was schon hochgeladen war, ist gelöscht.
end-taken-down-heading = Diese Anfrage wurde gesperrt
end-taken-down-text = Der Betreiber dieses Dienstes hat sie entfernt. Alles, was dafür hochgeladen wurde, ist gelöscht.
end-too-large-heading = Dieses Video ist zu groß
end-too-large-text = Es ist größer, als dieser Server annimmt, und wurde darum nicht gesendet. Bitte nehmen Sie ein kürzeres auf.
end-unreadable-heading = Diese Datei lässt sich nicht mehr lesen
end-unreadable-text = Sie wurde geändert oder verschoben oder liegt nicht ganz auf diesem Gerät. Es wurde nichts gesendet. Bitte wählen Sie sie noch einmal aus.
end-refused-heading = Dieses Video kann nicht angenommen werden
end-refused-text = Der Server hat es abgelehnt. Bitte nehmen Sie es neu auf, vielleicht in einem anderen Browser.
end-unplayable-heading = Dieses Video kann nicht abgespielt werden
end-unplayable-text = Etwas darin fehlt oder ist beschädigt, darum wurde es nicht gesendet. Bitte nehmen Sie es neu auf.
end-still-here = Ihre Aufnahme ist noch hier: Sie können sie ansehen und speichern, bis Sie diese Seite schließen.

## Announced by screen readers

announce-countdown =
    Die Aufnahme beginnt in { $seconds ->
        [one] { $seconds } Sekunde
       *[other] { $seconds } Sekunden
    }.
announce-recording = Aufnahme läuft.
announce-paused = Pause.
announce-stopped = Aufnahme beendet.
announce-last-minute = Noch weniger als eine Minute, dann endet die Aufnahme von selbst.

## The form, where the recorder can't run

form-cannot-start = Die Aufnahme konnte in diesem Browser nicht starten. Laden Sie die Seite neu, oder öffnen Sie den Link in einem anderen Browser. Sie können auch mit Ihrer Kamera-App filmen und das Video hier senden.
form-no-script = Zum Aufnehmen auf dieser Seite ist JavaScript nötig, das in diesem Browser ausgeschaltet ist. Sie können mit Ihrer Kamera-App filmen und das Video hier senden.
form-video = Ihr Video
form-no-file-heading = Es wurde kein Video ausgewählt
form-no-file-text = Bitte gehen Sie zurück, wählen Sie ein Video aus und senden Sie es erneut.
form-not-a-video-heading = Diese Datei kann nicht angenommen werden
form-not-a-video-text = Bitte gehen Sie zurück und wählen Sie ein Video aus: WebM, MP4, MOV oder MKV.
form-unplayable-text = Es enthält kein Bild, oder ein Teil der Datei fehlt; darum wurde es nicht gespeichert. Bitte gehen Sie zurück und wählen Sie ein anderes aus.
form-too-large-text = Es ist größer, als dieser Server annimmt, und wurde darum nicht gespeichert. Bitte gehen Sie zurück und senden Sie ein kürzeres.
form-interrupted-heading = Das Video ist nicht angekommen
form-interrupted-text = Die Verbindung brach ab, bevor alles da war, und nichts wurde gespeichert. Bitte gehen Sie zurück und senden Sie es erneut.

## The form that reports a request

report-text = Der Betreiber dieses Dienstes liest die Meldung und kann die Anfrage sperren. Wer das Video wollte, erfährt davon nichts, und mit der Meldung wird nichts über Sie gespeichert.
report-reason = Was stimmt damit nicht?
report-reason-danger = Es wird etwas Verbotenes oder Gefährliches verlangt
report-reason-harassment = Jemand wird belästigt, oder es wird etwas Intimes verlangt
report-reason-fraud = Es ist Betrug, oder jemand gibt sich als jemand anderes aus
report-reason-other = Etwas anderes
report-details = Was sollten Sie filmen, und wer hat Ihnen den Link geschickt? Sie können das Feld leer lassen.
report-send = Meldung senden
report-reason-missing = Bitte wählen Sie aus, was damit nicht stimmt. Noch wurde nichts gesendet.
report-too-long = Ihr Text ist zu lang: Bitte kürzen Sie ihn. Noch wurde nichts gesendet.
report-contact = Sie können sich auch direkt an den Betreiber dieses Dienstes wenden:
report-received-heading = Danke für Ihre Meldung
report-received-text =
    Der Betreiber dieses Dienstes kann sie { $days ->
        [one] { $days } Tag
       *[other] { $days } Tage
    } lang lesen. Sie müssen sonst nichts tun, und Sie müssen nichts aufnehmen.
report-enough-heading = Diese Anfrage wurde schon oft genug gemeldet
report-enough-text = Der Betreiber dieses Dienstes kann die vorhandenen Meldungen lesen. Diese kam nicht mehr dazu.
report-too-many-heading = Zu viele Meldungen auf einmal
report-too-many-text = Aus Ihrem Netz kamen in kurzer Zeit mehrere, darum wurde diese nicht gespeichert. Bitte versuchen Sie es später erneut.

## A link that leads to no recording

closed-expired-text = Er galt für eine begrenzte Zeit, und die ist vorbei. Alles, was damit aufgenommen wurde, ist gelöscht. Wird noch ein Video gebraucht, bitten Sie um einen neuen Link.
closed-submitted-heading = Das Video ist angekommen
closed-submitted-text = Mit diesem Link hat jemand ein Video aufgenommen und gesendet. Er gilt nur einmal, darum ist hier nichts mehr zu tun.
closed-not-found-heading = Unter diesem Link gibt es nichts
closed-not-found-text = Vielleicht fehlt ein Teil der Adresse, oder die Anfrage wurde zurückgezogen. Wenn Sie den Link kopiert haben, prüfen Sie, ob er vollständig ist.
closed-error-heading = Etwas ist schiefgegangen
closed-error-text = Das ist unser Fehler, nicht Ihrer. Bitte versuchen Sie es in einer Minute erneut.
