### Italian, familiar (tu) as services in it write.

## Every page

page-language = Lingua
page-description = Registra un video nel browser e invialo. Senza app né account.
page-terms = Condizioni
page-privacy = Privacy
report-heading = Segnala questa richiesta
date-utc =
    { $day } { $month ->
        [1] gennaio
        [2] febbraio
        [3] marzo
        [4] aprile
        [5] maggio
        [6] giugno
        [7] luglio
        [8] agosto
        [9] settembre
        [10] ottobre
        [11] novembre
       *[12] dicembre
    }, { $time } UTC

## The recording page, before the camera

record-title = Registra un video
record-prompt-heading = Ti viene chiesto di registrare un video
record-audience = Lo guarderà una persona o un’IA. Non verifichiamo chi sia: continua solo se te lo aspettavi.
record-step = { $number } di { $total }
record-camera-hint = Aprire la fotocamera non registra nulla.
record-other-device = Un altro dispositivo sta registrando.
source-camera = Apri la fotocamera
source-screen = Registra lo schermo
source-file = Usa un video esistente
source-camera-app = Usa l’app fotocamera
source-other = Altri modi
source-file-hint = Oppure filma con l’app fotocamera e scegli qui quel video.
source-drop = Rilascia qui il video
source-drop-hint = Puoi anche trascinare o incollare qui un video.
source-several-files = Scegli un solo video, per favore.
source-no-video = Non possiamo accettare questo file. Scegli un video, per favore: WebM, MP4, MOV o MKV.
source-phone = Usa la fotocamera del telefono
source-phone-how = Inquadra questo codice con la fotocamera del telefono. Lì si aprirà questa stessa pagina.
source-phone-code = Codice QR di questo link
link-copy = Copia il link
link-copied = Copiato
in-app-browser = Sei nel browser di un’altra app. Se qui la fotocamera non funziona:
in-app-leave = Apri nel browser
in-app-open-safari =
    Tocca ••• o l’icona di condivisione.
    Scegli «Apri in Safari» o «Apri nel browser».
in-app-open-chrome =
    Tocca ⋮ o ••• in alto.
    Scegli «Apri in Chrome» o «Apri nel browser».

## What to know before recording

privacy-heading = Buono a sapersi
privacy-audience = Chi lo guarda
privacy-audience-text = Solo chi ha fatto questa richiesta: una persona o un agente IA, e non necessariamente chi ti ha mandato il link. Non verifichiamo chi sia. Può tenerne una copia.
privacy-recording = Che cosa si registra
privacy-recording-text = Solo mentre si vede la barra rossa. Il video viene caricato mentre registri, così non si perde nulla. Se registri di nuovo, il precedente viene cancellato.
privacy-retention-text = Link e video vengono cancellati: { $until }.
privacy-transcript = Ciò che si dice può essere trascritto.
privacy-choice-text = Puoi dire di no: basta chiudere questa pagina.
privacy-caution = Non mostrare mai documenti d’identità, carte bancarie o password, a meno che non te lo aspettassi.
privacy-no-account = Niente account, niente tracciamento.

## The browser asks for permission

permission-heading = Il browser chiede il permesso
permission-text = Scegli «Consenti», per favore. Prima vedrai l’immagine; non si registra ancora nulla.
action-cancel = Annulla
action-close = Chiudi

## Open in another tab

tab-heading = Questa pagina è aperta in un’altra scheda
tab-text = Se lì è in corso una registrazione, termina e la ritrovi qui.
tab-continue = Continua qui

## No camera, and what to do about it

blocked-denied-heading = Il tuo browser blocca la fotocamera
blocked-no-camera-heading = Nessuna fotocamera trovata
blocked-no-camera-text = Collegane una e riprova, oppure apri questo link sul telefono.
blocked-busy-heading = La fotocamera è in uso
blocked-busy-text = Sembra usarla un’altra app o scheda, per esempio una videochiamata. Chiudila e riprova.
blocked-insecure-heading = La fotocamera richiede un indirizzo sicuro
blocked-insecure-text = I browser la permettono solo per link che iniziano con https. Chiedi un link così.
blocked-unsupported-heading = Questo browser non può registrare
blocked-unsupported-text = Copia il link e aprilo in una versione recente di Safari, Chrome o Firefox.
blocked-no-picture-heading = Nessuna immagine dalla fotocamera
blocked-no-picture-text = Non è stato registrato nulla. Riprova, per favore.
blocked-no-screen-heading = Lo schermo non è stato condiviso
blocked-no-screen-text = Non è stato registrato nulla. Se vuoi continuare, riprova e scegli che cosa condividere.
blocked-try-again = Riprova
blocked-with-sound = Con audio. Togli la spunta se il problema è solo il microfono.
unblock-ios-safari =
    Tocca l’icona accanto all’indirizzo, poi «Impostazioni sito web».
    Consenti fotocamera e microfono.
unblock-ios-app =
    Apri le Impostazioni del dispositivo e cerca { $browser }.
    Attiva fotocamera e microfono.
unblock-android =
    Tocca l’icona all’inizio dell’indirizzo, poi «Autorizzazioni».
    Consenti fotocamera e microfono.
unblock-android-firefox =
    Tocca il lucchetto o lo scudo accanto all’indirizzo.
    Tocca «Bloccato» per fotocamera e microfono, così da consentirli.
unblock-chrome =
    Fai clic sull’icona all’inizio dell’indirizzo.
    Attiva fotocamera e microfono.
unblock-edge =
    Fai clic sul lucchetto all’inizio dell’indirizzo, poi su «Autorizzazioni per questo sito».
    Consenti fotocamera e microfono.
unblock-firefox =
    Fai clic sulla fotocamera barrata all’inizio dell’indirizzo.
    Rimuovi «Bloccato» con la × accanto.
unblock-safari =
    Nella barra dei menu scegli «Safari», poi «Impostazioni per questo sito web…».
    Consenti fotocamera e microfono.
unblock-other =
    Tocca l’icona accanto all’indirizzo.
    Consenti fotocamera e microfono.
unblock-system = Ancora bloccata? Allora consenti la fotocamera a questo browser nelle impostazioni del dispositivo.

## At the camera

camera-picture = Ciò che vede la fotocamera
camera-not-recording = Non sta ancora registrando
camera-record = Registra
camera-start-now = Inizia subito
camera-flip = Cambia fotocamera
camera-front = Fotocamera anteriore
camera-back = Fotocamera posteriore
camera-torch = Torcia
camera-zoom = Zoom
camera-lens = Obiettivo
camera-lens-wide = Grandangolo
camera-lens-main = Normale
camera-lens-tele = Tele
camera-devices = Fotocamera e microfono
camera-device = Fotocamera
camera-microphone = Microfono
camera-sound = Audio
camera-sound-level = Volume
signal-silent = Senza audio
signal-no-microphone = Solo l’audio dello schermo, senza microfono
signal-unheard = Non ti sentiamo. Il microfono è disattivato o coperto?
signal-sound-lost = L’audio si è interrotto. Il video continua senza.
signal-dark = L’immagine è scura o coperta.
signal-muted = Il tuo dispositivo blocca la fotocamera: il video sarebbe nero.
storage-low = C’è poco spazio su questo dispositivo: registra qualcosa di breve.
storage-none = Questo browser non può conservare la registrazione: lascia aperta la pagina finché il video non è inviato.

## Recording

recording-status = In registrazione { $recorded }
recording-paused = In pausa { $recorded }
recording-last-minute = Ancora { $left }, poi la registrazione termina da sola.
recording-pause = Pausa
recording-resume = Riprendi
recording-stop = Interrompi
recording-finish = Fine
recording-stopping = Un momento…

## Uploading

upload-sent = Caricato { $sent }
upload-progress = { $percent } caricato, il resto segue da solo.
upload-complete = Caricato e pronto da inviare.
upload-offline = Sei offline. Il caricamento riprende quando torni online.
upload-waiting = Al momento il caricamento non riesce. Continuiamo a provare.
upload-server-full = Al momento il server è pieno. Continuiamo a provare.
upload-kept = Fino ad allora la registrazione è al sicuro qui.

## Reviewing

review-heading = Controlla il tuo video
review-question = Hai mostrato questo?
review-not-sent = Non viene inviato finché non premi Invia.
review-video = La tua registrazione
review-facts = Durata { $recorded } · dimensione { $size }
review-interrupted = La registrazione è terminata da sola. Ciò che hai registrato fino ad allora è qui.
review-resumed = Rieccoti: la tua registrazione ({ $recorded }) è al sicuro.
review-file = Il video che hai scelto: { $name }
review-reading = Lettura del video… { $read }
review-no-preview = Qui non si può più riprodurre, perché serviva spazio. È comunque al sicuro.
review-no-player = Nessuna anteprima: questo browser non può mostrare il video. Puoi inviarlo lo stesso.
review-located = Questo file dice dove è stato girato. Chi lo riceve può vederlo.
review-closes-soon = Questo link scade tra pochi minuti. Invia il video prima.
review-send = Invia questo video
review-again = Registra di nuovo
review-save = Salva sul dispositivo
discard-heading = Cancellare questo video e registrare di nuovo?
discard-text = Viene cancellato, qui e sul nostro server.
discard-confirm = Cancella e registra di nuovo
discard-keep = Tieni questo

## Sending

submit-progress = Invio: { $percent }
submit-keep-open = Lascia aperta questa pagina ancora un momento, per favore.
submit-preparing = È arrivato ed è in preparazione.
submit-sent-heading = Inviato. Grazie!
submit-sent-text = Chi ha chiesto il video ora può guardarlo. Puoi chiudere questa pagina.
receipt-sent = Inviato: { $time }
receipt-save = Salva ricevuta

## The end of a link or of a recording

end-expired-heading = Questo link è scaduto
end-expired-text = Il tempo è finito prima che il video fosse inviato. Ciò che era stato caricato è stato cancellato. Se serve ancora un video, chiedi un nuovo link.
end-submitted-heading = Un video è già stato inviato
end-submitted-text = Qualcuno ne ha inviato uno con questo link, forse tu su un altro dispositivo. Il link vale una sola volta, perciò questo non è stato inviato.
end-withdrawn-heading = Questa richiesta è stata ritirata
end-withdrawn-text = Chi l’ha chiesto non ha più bisogno del video. Ciò che era stato caricato è stato cancellato.
end-taken-down-heading = Questa richiesta è stata rimossa
end-taken-down-text = Chi gestisce questo servizio l’ha rimossa. Tutto ciò che era stato caricato è stato cancellato.
end-too-large-heading = Questo video è troppo grande
end-too-large-text = È più grande di quanto accetti questo server, perciò non è stato inviato. Registrane uno più breve, per favore.
end-unreadable-heading = Il file non è più leggibile
end-unreadable-text = È stato modificato o spostato, oppure non è tutto su questo dispositivo. Non è stato inviato nulla. Sceglilo di nuovo.
end-refused-heading = Questo video non può essere accettato
end-refused-text = Il server l’ha rifiutato. Registra di nuovo, per favore, magari in un altro browser.
end-unplayable-heading = Questo video non può essere riprodotto
end-unplayable-text = Qualcosa manca o è danneggiato, perciò non è stato inviato. Registra di nuovo, per favore.
end-still-here = La tua registrazione è ancora qui: puoi guardarla e salvarla finché non chiudi questa pagina.

## Announced by screen readers

announce-countdown =
    La registrazione inizia tra { $seconds ->
        [one] { $seconds } secondo
       *[other] { $seconds } secondi
    }.
announce-recording = In registrazione.
announce-paused = In pausa.
announce-stopped = Registrazione terminata.
announce-last-minute = Resta meno di un minuto, poi la registrazione termina da sola.

## The form, where the recorder can't run

form-cannot-start = Non è stato possibile avviare la registrazione in questo browser. Ricarica la pagina o apri il link in un altro browser. Puoi anche filmare con l’app fotocamera e inviare qui il video.
form-no-script = Per registrare in questa pagina serve JavaScript, che in questo browser è disattivato. Puoi filmare con l’app fotocamera e inviare qui il video.
form-video = Il tuo video
form-no-file-heading = Nessun video scelto
form-no-file-text = Torna indietro, scegli un video e invialo di nuovo, per favore.
form-not-a-video-heading = Questo file non può essere accettato
form-not-a-video-text = Torna indietro e scegli un video, per favore: WebM, MP4, MOV o MKV.
form-unplayable-text = Non contiene immagini, o manca una parte del file, perciò non è stato conservato. Torna indietro e scegline un altro, per favore.
form-too-large-text = È più grande di quanto accetti questo server, perciò non è stato conservato. Torna indietro e inviane uno più breve, per favore.
form-interrupted-heading = Il video non è arrivato
form-interrupted-text = La connessione si è interrotta prima che arrivasse tutto, e nulla è stato conservato. Torna indietro e invialo di nuovo, per favore.

## The form that reports a request

report-text = Chi gestisce questo servizio leggerà la segnalazione e può rimuovere la richiesta. Chi ha chiesto il video non lo viene a sapere, e con la segnalazione non viene salvato nulla su di te.
report-reason = Che cosa non va?
report-reason-danger = Chiede qualcosa di illegale o pericoloso
report-reason-harassment = Molesta qualcuno o chiede qualcosa di intimo
report-reason-fraud = È una truffa, o qualcuno si spaccia per qualcun altro
report-reason-other = Altro
report-details = Che cosa ti chiedeva di filmare, e chi ti ha mandato il link? Puoi lasciare vuoto questo campo.
report-send = Invia la segnalazione
report-reason-missing = Scegli che cosa non va. Non è stato ancora inviato nulla.
report-too-long = Il testo è troppo lungo: accorcialo. Non è stato ancora inviato nulla.
report-contact = Puoi anche rivolgerti direttamente a chi gestisce questo servizio:
report-received-heading = Grazie per la segnalazione
report-received-text =
    Chi gestisce questo servizio può leggerla per { $days ->
        [one] { $days } giorno
       *[other] { $days } giorni
    }. Non devi fare altro, e non devi registrare nulla.
report-enough-heading = Questa richiesta è già stata segnalata abbastanza volte
report-enough-text = Chi gestisce questo servizio può leggere le segnalazioni arrivate. Questa non è stata aggiunta.
report-too-many-heading = Troppe segnalazioni insieme
report-too-many-text = Ne sono arrivate diverse dalla tua rete in poco tempo, perciò questa non è stata salvata. Riprova più tardi.

## A link that leads to no recording

closed-expired-text = Era aperto per un tempo limitato, e quel tempo è finito. Tutto ciò che è stato registrato con questo link è stato cancellato. Se serve ancora un video, chiedi un nuovo link.
closed-submitted-heading = Il video è stato ricevuto
closed-submitted-text = Qualcuno ha registrato e inviato un video con questo link. Vale una sola volta, perciò qui non c’è altro da fare.
closed-not-found-heading = A questo link non c’è nulla
closed-not-found-text = Forse manca una parte dell’indirizzo, o la richiesta è stata ritirata. Se hai copiato il link, controlla che sia completo.
closed-error-heading = Qualcosa è andato storto
closed-error-text = È colpa nostra, non tua. Riprova tra un minuto, per favore.
