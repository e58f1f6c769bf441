### Dutch, informal (je).

## Every page

page-language = Taal
page-description = Neem in je browser een video op en verstuur die. Geen app, geen account.
page-terms = Voorwaarden
page-privacy = Privacy
report-heading = Dit verzoek melden
date-utc =
    { $day } { $month ->
        [1] januari
        [2] februari
        [3] maart
        [4] april
        [5] mei
        [6] juni
        [7] juli
        [8] augustus
        [9] september
        [10] oktober
        [11] november
       *[12] december
    }, { $time } uur UTC

## The recording page, before the camera

record-title = Een video opnemen
record-prompt-heading = Je wordt om een video gevraagd
record-audience = Een mens of een AI bekijkt hem. We controleren niet wie dat is, dus ga alleen verder als je dit verzoek verwachtte.
record-step = { $number } van { $total }
record-camera-hint = Als je de camera opent, wordt er nog niets opgenomen.
record-other-device = Een ander apparaat is aan het opnemen.
source-camera = Camera openen
source-screen = Scherm opnemen
source-file = Bestaande video kiezen
source-camera-app = Camera-app gebruiken
source-other = Andere manieren
source-file-hint = Of film met je camera-app en kies die video hier.
source-drop = Laat de video hier los
source-drop-hint = Je kunt een video ook hierheen slepen of hier plakken.
source-several-files = Kies één video.
source-no-video = Dit bestand kunnen we niet aannemen. Kies een video: WebM, MP4, MOV of MKV.
source-phone = Liever met je telefoon filmen
source-phone-how = Richt de camera van je telefoon op deze code. Daar opent dezelfde pagina.
source-phone-code = QR-code van deze link
link-copy = Link kopiëren
link-copied = Gekopieerd
in-app-browser = Deze pagina is geopend in een andere app. Doet de camera het hier niet?
in-app-leave = Openen in je browser
in-app-open-safari =
    Tik op ••• of op het deelsymbool.
    Kies ‘Open in Safari’ of ‘Openen in browser’.
in-app-open-chrome =
    Tik bovenaan op ⋮ of •••.
    Kies ‘Openen in Chrome’ of ‘Openen in browser’.

## What to know before recording

privacy-heading = Goed om te weten
privacy-audience = Wie de video bekijkt
privacy-audience-text = Alleen de mens of AI-agent die dit verzoek heeft gedaan. Dat hoeft niet degene te zijn die je de link stuurde. We controleren niet wie het is. Die kan een kopie bewaren.
privacy-recording = Wat er wordt opgenomen
privacy-recording-text = Alleen zolang je de rode balk ziet. De video wordt tijdens het opnemen al geüpload, zodat er niets verloren gaat. Neem je opnieuw op, dan wordt de vorige verwijderd.
privacy-retention-text = De link en de video worden verwijderd op { $until }.
privacy-transcript = Wat er gezegd wordt, kan in tekst worden omgezet.
privacy-choice-text = Je mag nee zeggen. Sluit dan gewoon deze pagina.
privacy-caution = Laat nooit een identiteitsbewijs, bankpas of wachtwoord zien, tenzij je wist dat daarom gevraagd zou worden.
privacy-no-account = Geen account, geen tracking.

## The browser asks for permission

permission-heading = Je browser vraagt om toestemming
permission-text = Kies ‘Toestaan’. Je ziet eerst alleen het beeld; er wordt nog niets opgenomen.
action-cancel = Annuleren
action-close = Sluiten

## Open in another tab

tab-heading = Deze pagina is geopend in een ander tabblad
tab-text = Als daar wordt opgenomen, stopt die opname en ga je er hier mee verder.
tab-continue = Hier verdergaan

## No camera, and what to do about it

blocked-denied-heading = Je browser blokkeert de camera
blocked-no-camera-heading = Geen camera gevonden
blocked-no-camera-text = Sluit er een aan en probeer het opnieuw, of open deze link op je telefoon.
blocked-busy-heading = De camera is in gebruik
blocked-busy-text = Een andere app of een ander tabblad lijkt de camera te gebruiken, bijvoorbeeld voor een videogesprek. Sluit die en probeer het opnieuw.
blocked-insecure-heading = De camera werkt alleen op een veilig adres
blocked-insecure-text = Browsers staan de camera alleen toe bij links die met https beginnen. Vraag om zo’n link.
blocked-unsupported-heading = Deze browser kan niet opnemen
blocked-unsupported-text = Kopieer de link en open hem in een recente versie van Safari, Chrome of Firefox.
blocked-no-picture-heading = De camera geeft geen beeld
blocked-no-picture-text = Er is niets opgenomen. Probeer het opnieuw.
blocked-no-screen-heading = Het scherm is niet gedeeld
blocked-no-screen-text = Er is niets opgenomen. Wil je verder, probeer het dan opnieuw en kies wat je wilt delen.
blocked-try-again = Opnieuw proberen
blocked-with-sound = Met geluid. Haal het vinkje weg als alleen de microfoon het probleem is.
unblock-ios-safari =
    Tik op het symbool naast het adres en daarna op ‘Website-instellingen’.
    Sta camera en microfoon toe.
unblock-ios-app =
    Open Instellingen op je apparaat en zoek { $browser }.
    Zet camera en microfoon aan.
unblock-android =
    Tik op het icoon aan het begin van het adres en daarna op ‘Rechten’.
    Sta camera en microfoon toe.
unblock-android-firefox =
    Tik op het slot of het schild naast het adres.
    Tik bij camera en microfoon op ‘Geblokkeerd’ om ze toe te staan.
unblock-chrome =
    Klik op het icoon aan het begin van het adres.
    Zet camera en microfoon aan.
unblock-edge =
    Klik op het slot aan het begin van het adres en daarna op ‘Machtigingen voor deze site’.
    Sta camera en microfoon toe.
unblock-firefox =
    Klik op de doorgestreepte camera aan het begin van het adres.
    Verwijder ‘Geblokkeerd’ met de × ernaast.
unblock-safari =
    Kies in de menubalk ‘Safari’ en daarna ‘Instellingen voor deze website…’.
    Sta camera en microfoon toe.
unblock-other =
    Tik op het icoon naast het adres.
    Sta camera en microfoon toe.
unblock-system = Nog steeds geblokkeerd? Sta de camera voor deze browser toe in de instellingen van je apparaat.

## At the camera

camera-picture = Wat de camera ziet
camera-not-recording = Er wordt nog niets opgenomen
camera-record = Opnemen
camera-start-now = Nu beginnen
camera-flip = Camera wisselen
camera-front = Camera aan de voorkant
camera-back = Camera aan de achterkant
camera-torch = Lamp
camera-zoom = Zoom
camera-lens = Lens
camera-lens-wide = Groothoek
camera-lens-main = Normaal
camera-lens-tele = Tele
camera-devices = Camera en microfoon
camera-device = Camera
camera-microphone = Microfoon
camera-sound = Geluid
camera-sound-level = Geluidsniveau
signal-silent = Geen geluid
signal-no-microphone = Alleen het geluid van het scherm, geen microfoon
signal-unheard = We horen je niet. Staat de microfoon uit, of is hij afgedekt?
signal-sound-lost = Het geluid is weggevallen. De video gaat zonder dat geluid verder.
signal-dark = Het beeld is donker of afgedekt.
signal-muted = Je apparaat blokkeert de camera: de video zou zwart worden.
storage-low = Dit apparaat heeft weinig ruimte: houd het kort.
storage-none = Deze browser kan je opname niet bewaren: houd deze pagina open tot de video is verstuurd.

## Recording

recording-status = Opname { $recorded }
recording-paused = Gepauzeerd { $recorded }
recording-last-minute = Nog { $left }, dan stopt de opname vanzelf.
recording-pause = Pauzeren
recording-resume = Hervatten
recording-stop = Stoppen
recording-finish = Afronden
recording-stopping = Een ogenblik…

## Uploading

upload-sent = Geüpload { $sent }
upload-progress = { $percent } geüpload. De rest volgt vanzelf.
upload-complete = Geüpload en klaar om te versturen.
upload-offline = Je bent offline. Het uploaden gaat verder zodra je weer verbinding hebt.
upload-waiting = Uploaden lukt nu even niet. We blijven het proberen.
upload-server-full = De server zit nu vol. We blijven het proberen.
upload-kept = Tot die tijd is je opname hier veilig.

## Reviewing

review-heading = Bekijk je video
review-question = Heb je dit laten zien?
review-not-sent = Hij wordt pas verstuurd als je op ‘Versturen’ drukt.
review-video = Je opname
review-facts = Duur { $recorded } · grootte { $size }
review-interrupted = De opname is vanzelf gestopt. Alles tot dat moment staat hier.
review-resumed = Welkom terug: je opname van { $recorded } is bewaard.
review-file = De video die je hebt gekozen: { $name }
review-reading = De video wordt geladen… { $read }
review-no-preview = De video kan hier niet meer worden afgespeeld, omdat er ruimte nodig was. Hij is nog wel bewaard.
review-no-player = Geen voorbeeld: deze browser kan de video niet tonen. Je kunt hem toch versturen.
review-located = In dit bestand staat waar het is gefilmd. Wie het krijgt, kan dat zien.
review-closes-soon = Deze link verloopt over enkele minuten. Verstuur de video voor die tijd.
review-send = Video versturen
review-again = Opnieuw opnemen
review-save = Op dit apparaat opslaan
discard-heading = Deze video verwijderen en opnieuw opnemen?
discard-text = Hij wordt hier en op onze server verwijderd.
discard-confirm = Verwijderen en opnieuw
discard-keep = Deze houden

## Sending

submit-progress = Versturen: { $percent }
submit-keep-open = Houd deze pagina nog even open.
submit-preparing = De video is aangekomen. We maken hem klaar.
submit-sent-heading = Verstuurd. Bedankt!
submit-sent-text = Wie om de video vroeg, kan hem nu bekijken. Je kunt deze pagina sluiten.
receipt-sent = Verstuurd: { $time }
receipt-save = Bewijs opslaan

## The end of a link or of a recording

end-expired-heading = Deze link is verlopen
end-expired-text = De tijd was om voordat de video werd verstuurd. Wat al was geüpload, is verwijderd. Is er nog steeds een video nodig, vraag dan om een nieuwe link.
end-submitted-heading = Er is al een video verstuurd
end-submitted-text = Iemand heeft er een verstuurd met deze link, misschien jijzelf op een ander apparaat. De link werkt maar één keer, dus deze video is niet verstuurd.
end-withdrawn-heading = Dit verzoek is ingetrokken
end-withdrawn-text = De video is niet meer nodig. Wat al was geüpload, is verwijderd.
end-taken-down-heading = Dit verzoek is verwijderd
end-taken-down-text = De beheerder van deze dienst heeft het weggehaald. Alles wat ervoor was geüpload, is verwijderd.
end-too-large-heading = Deze video is te groot
end-too-large-text = Hij is groter dan deze server aanneemt en is daarom niet verstuurd. Neem een kortere op.
end-unreadable-heading = Dit bestand kan niet meer worden gelezen
end-unreadable-text = Het is gewijzigd of verplaatst, of het staat niet helemaal op dit apparaat. Er is niets verstuurd. Kies het opnieuw.
end-refused-heading = Deze video kan niet worden aangenomen
end-refused-text = De server heeft hem geweigerd. Neem opnieuw op, misschien in een andere browser.
end-unplayable-heading = Deze video kan niet worden afgespeeld
end-unplayable-text = Er ontbreekt een stuk of er is iets beschadigd, dus hij is niet verstuurd. Neem opnieuw op.
end-still-here = Je opname is er nog. Tot je deze pagina sluit, kun je hem bekijken en opslaan.

## Announced by screen readers

announce-countdown =
    De opname begint over { $seconds ->
        [one] { $seconds } seconde
       *[other] { $seconds } seconden
    }.
announce-recording = De opname loopt.
announce-paused = Gepauzeerd.
announce-stopped = De opname is gestopt.
announce-last-minute = Nog minder dan een minuut, dan stopt de opname vanzelf.

## The form, where the recorder can't run

form-cannot-start = De opname kon in deze browser niet starten. Laad de pagina opnieuw of open de link in een andere browser. Je kunt ook filmen met je camera-app en de video hier versturen.
form-no-script = Om op deze pagina op te nemen is JavaScript nodig, en dat staat uit in deze browser. Je kunt filmen met je camera-app en de video hier versturen.
form-video = Je video
form-no-file-heading = Er is geen video gekozen
form-no-file-text = Ga terug, kies een video en verstuur hem opnieuw.
form-not-a-video-heading = Dit bestand kan niet worden aangenomen
form-not-a-video-text = Ga terug en kies een video: WebM, MP4, MOV of MKV.
form-unplayable-text = Er zit geen beeld in, of een deel van het bestand ontbreekt. Daarom is het niet bewaard. Ga terug en kies een andere video.
form-too-large-text = Hij is groter dan deze server aanneemt en is daarom niet bewaard. Ga terug en verstuur een kortere.
form-interrupted-heading = De video is niet aangekomen
form-interrupted-text = De verbinding viel weg voordat alles er was, en er is niets bewaard. Ga terug en verstuur de video opnieuw.

## The form that reports a request

report-text = De beheerder van deze dienst leest je melding en kan het verzoek verwijderen. Wie om de video vroeg, hoort er niets van, en er wordt niets over jou bij bewaard.
report-reason = Wat is er mis mee?
report-reason-danger = Er wordt iets illegaals of gevaarlijks gevraagd
report-reason-harassment = Iemand wordt lastiggevallen, of er wordt iets intiems gevraagd
report-reason-fraud = Het is oplichting, of iemand doet zich voor als een ander
report-reason-other = Iets anders
report-details = Wat moest je filmen, en wie heeft je de link gestuurd? Je mag dit leeg laten.
report-send = Melding versturen
report-reason-missing = Kies wat er mis mee is. Er is nog niets verstuurd.
report-too-long = Je tekst is te lang: maak hem korter. Er is nog niets verstuurd.
report-contact = Je kunt ook rechtstreeks contact opnemen met de beheerder van deze dienst:
report-received-heading = Bedankt voor je melding
report-received-text =
    De beheerder van deze dienst kan de melding { $days ->
        [one] { $days } dag
       *[other] { $days } dagen
    } lang lezen. Je hoeft verder niets te doen, en je hoeft niets op te nemen.
report-enough-heading = Dit verzoek is al vaak genoeg gemeld
report-enough-text = De beheerder van deze dienst kan de eerdere meldingen lezen. De jouwe is er niet meer bij gekomen.
report-too-many-heading = Te veel meldingen tegelijk
report-too-many-text = Vanaf jouw netwerk kwamen er in korte tijd meerdere, dus deze is niet bewaard. Probeer het later opnieuw.

## A link that leads to no recording

closed-expired-text = De link was een bepaalde tijd geldig en die is voorbij. Alles wat ermee is opgenomen, is verwijderd. Is er nog steeds een video nodig, vraag dan om een nieuwe link.
closed-submitted-heading = De video is ontvangen
closed-submitted-text = Iemand heeft met deze link een video opgenomen en verstuurd. De link werkt maar één keer, dus hier is niets meer te doen.
closed-not-found-heading = Achter deze link zit niets
closed-not-found-text = Misschien ontbreekt er een stuk van het adres, of is het verzoek ingetrokken. Heb je de link gekopieerd, kijk dan of hij compleet is.
closed-error-heading = Er ging iets mis
closed-error-text = Dat ligt aan ons, niet aan jou. Probeer het over een minuut opnieuw.
