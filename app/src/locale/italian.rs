//! Italian, familiar (tu) as services in it write.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Lingua",
        Message::Title => "Registra un video",
        Message::Description => "Registra un video nel browser e invialo. Senza app né account.",
        Message::Terms => "Condizioni",
        Message::Privacy => "Privacy",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "Ti viene chiesto di registrare un video",
        Message::ForWhom => {
            "Andrà a chi ha fatto questa richiesta, forse un agente IA. Non verifichiamo chi sia."
        }
        Message::NothingYet => "Non si registra nulla finché non premi Registra.",
        Message::TurnOnCamera => "Accendi la fotocamera",
        Message::RecordScreen => "Registra lo schermo",
        Message::ChooseVideo => "Scegli un video",
        Message::FilmWithApp => "Usa l’app fotocamera",
        Message::UsePhone => "Usa invece la fotocamera del telefono",
        Message::UsePhoneHow => {
            "Inquadra questo codice con la fotocamera del telefono. Lì si aprirà questa stessa \
             pagina."
        }
        Message::CodeOfLink => "Codice QR di questo link",
        Message::OtherRecords => "Un altro dispositivo sta registrando.",
        Message::InApp => "Sei nel browser di un’altra app. Se qui la fotocamera non funziona:",
        Message::OpenInSafari => {
            "Tocca ••• o il simbolo di condivisione.\n\
             Scegli «Apri in Safari» o «Apri nel browser»."
        }
        Message::OpenInChrome => {
            "Tocca ⋮ o ••• in alto.\n\
             Scegli «Apri in Chrome» o «Apri nel browser»."
        }
        Message::CopyLink => "Copia il link",
        Message::Copied => "Copiato",

        // What to know.
        Message::GoodToKnow => "Buono a sapersi",
        Message::WhoWatches => "Chi lo guarda",
        Message::WhoWatchesText => {
            "Solo chi ha fatto questa richiesta: una persona o un agente IA, e non sempre chi ti \
             ha mandato il link. Non verifichiamo chi sia."
        }
        Message::WhatIsRecorded => "Che cosa si registra",
        Message::WhatIsRecordedText => {
            "Solo ciò che accade mentre si vede la barra rossa. Viene inviato al nostro server \
             mentre registri, così non si perde nulla. Se lo scarti, viene cancellato da lì."
        }
        Message::HowLong => "Per quanto resta",
        Message::HowLongText => "Link e video vengono cancellati: {until}.",
        Message::YourChoice => "Decidi tu",
        Message::YourChoiceText => {
            "Non devi farlo per forza. Se chiudi semplicemente la pagina, non succede nulla."
        }
        Message::TakeCare => "Fai attenzione",
        Message::TakeCareText => {
            "Non mostrare mai documenti d’identità, carte bancarie o password, a meno che non te lo \
             aspettassi."
        }
        Message::Private => "Nessun account, nessun tracciamento, nessuna terza parte.",
        Message::Report => "Segnala questa richiesta",

        // Nothing to do here for the moment.
        Message::Asking => "Il browser chiede il permesso",
        Message::AskingText => {
            "Concedilo, per favore. Prima vedrai l’immagine; ancora non si registra nulla."
        }
        Message::Cancel => "Annulla",
        Message::Elsewhere => "Questa pagina è aperta in un’altra scheda",
        Message::ElsewhereText => "Se lì è in corso una registrazione, termina e la ritrovi qui.",
        Message::GoOnHere => "Continua qui",

        // What keeps the camera from us.
        Message::Denied => "La fotocamera è bloccata per questa pagina",
        Message::NoCamera => "Nessuna fotocamera trovata",
        Message::NoCameraText => "Collegane una e riprova, oppure apri questo link sul telefono.",
        Message::Busy => "La fotocamera è in uso",
        Message::BusyText => {
            "Sembra usarla un’altra app o scheda, per esempio una videochiamata. Chiudila e riprova."
        }
        Message::Insecure => "La fotocamera richiede un indirizzo sicuro",
        Message::InsecureText => {
            "I browser la permettono solo per link che iniziano con https. Chiedi un link così."
        }
        Message::Unsupported => "Questo browser non può registrare",
        Message::UnsupportedText => {
            "Copia il link e aprilo in una versione recente di Safari, Chrome o Firefox."
        }
        Message::NoPicture => "Dalla fotocamera non è arrivata alcuna immagine",
        Message::NoPictureText => "Non è stato registrato nulla. Riprova, per favore.",
        Message::NoScreen => "Lo schermo non è stato condiviso",
        Message::NoScreenText => {
            "Non è stato registrato nulla. Se vuoi continuare, riprova e scegli che cosa condividere."
        }
        Message::TryAgain => "Riprova",
        Message::WithSound => "Con audio. Togli la spunta se il problema è solo il microfono.",
        Message::OrFile => "Oppure filma con l’app fotocamera e scegli qui quel video.",
        Message::UnblockIosSafari => {
            "Tocca il simbolo accanto all’indirizzo, poi «Impostazioni sito web».\n\
             Consenti fotocamera e microfono."
        }
        Message::UnblockIosApp => {
            "Apri le Impostazioni del dispositivo e cerca {browser}.\n\
             Attiva fotocamera e microfono."
        }
        Message::UnblockAndroid => {
            "Tocca il simbolo all’inizio dell’indirizzo, poi «Autorizzazioni».\n\
             Consenti fotocamera e microfono."
        }
        Message::UnblockAndroidFirefox => {
            "Tocca il lucchetto o lo scudo accanto all’indirizzo.\n\
             Tocca «Bloccato» per fotocamera e microfono, così da consentirli."
        }
        Message::UnblockChrome => {
            "Fai clic sul simbolo all’inizio dell’indirizzo.\n\
             Attiva fotocamera e microfono."
        }
        Message::UnblockEdge => {
            "Fai clic sul lucchetto all’inizio dell’indirizzo, poi su «Autorizzazioni per questo \
             sito».\n\
             Consenti fotocamera e microfono."
        }
        Message::UnblockFirefox => {
            "Fai clic sulla fotocamera barrata all’inizio dell’indirizzo.\n\
             Rimuovi «Bloccato» con la × accanto."
        }
        Message::UnblockSafari => {
            "Nella barra dei menu scegli «Safari», poi «Impostazioni per questo sito web…».\n\
             Consenti fotocamera e microfono."
        }
        Message::UnblockOther => {
            "Tocca il simbolo accanto all’indirizzo.\n\
             Consenti fotocamera e microfono."
        }
        Message::UnblockSystem => {
            "Ancora bloccata? Allora consenti la fotocamera a questo browser nelle impostazioni del \
             dispositivo."
        }

        // At the camera.
        Message::CameraSees => "Ciò che vede la fotocamera",
        Message::NotYet => "Ancora non si registra nulla. Premi Registra quando vuoi iniziare.",
        Message::Record => "Registra",
        Message::Flip => "Cambia fotocamera",
        Message::TurnOff => "Spegni",
        Message::Sound => "Audio",
        Message::Devices => "Fotocamera e microfono",
        Message::Camera => "Fotocamera",
        Message::Microphone => "Microfono",
        Message::Loudness => "Volume",
        Message::NoSound => "Senza audio",
        Message::Unheard => "Non ti sentiamo. Il microfono è disattivato o coperto?",
        Message::Dark => "L’immagine è scura o coperta.",
        Message::Muted => "Il tuo dispositivo blocca la fotocamera: il video sarebbe nero.",
        Message::SoundLost => "Il microfono non c’è più. Il video continua senza audio.",
        Message::LittleRoom => "C’è poco spazio su questo dispositivo: registra qualcosa di breve.",
        Message::Unkept => {
            "Questo browser non conserva nulla: lascia aperta la pagina finché il video non è \
             inviato."
        }
        Message::StartNow => "Inizia subito",

        // Recording.
        Message::Recording => "In registrazione {recorded}",
        Message::Paused => "In pausa {recorded}",
        Message::Progress => "Registrato {recorded} · inviato {sent}",
        Message::Waiting => "Ora non si può inviare; l’invio riprenderà da solo.",
        Message::ServerFull => "Il server al momento non ha spazio. Riproviamo automaticamente.",
        Message::Offline => "Sei offline. Riprendiamo quando torni.",
        Message::KeptHere => "Fino ad allora resta salvato qui.",
        Message::LastMinute => "Ancora {left}, poi la registrazione termina da sola.",
        Message::Pause => "Pausa",
        Message::GoOn => "Continua",
        Message::Stop => "Ferma",
        Message::OneMoment => "Un momento…",

        // Reviewing.
        Message::YourRecording => "La tua registrazione",
        Message::HaveALook => "Dai un’occhiata",
        Message::NobodyYet => "Nessuno riceve questo video prima che tu lo invii.",
        Message::Facts => "Durata {recorded} · dimensione {size}",
        Message::Uploaded => "Caricato il {percent}, il resto segue da solo.",
        Message::UploadedAll => "È tutto caricato, pronto da inviare.",
        Message::Located => "Questo file dice dove è stato girato. Chi lo riceve può vederlo.",
        Message::Interrupted => {
            "La registrazione è terminata da sola. Ciò che hai registrato fino ad allora è qui."
        }
        Message::Resumed => "Rieccoti: la tua registrazione ({recorded}) è al sicuro.",
        Message::ChosenFile => "Questo è il video che hai scelto.",
        Message::Reading => "Caricamento del video…",
        Message::NoPreview => {
            "Qui non si può più riprodurre, perché serviva spazio. È comunque al sicuro."
        }
        Message::NoPlayer => {
            "Questo browser non riesce a riprodurre il file. Puoi inviarlo lo stesso."
        }
        Message::ClosesSoon => {
            "Questo link scade tra pochi minuti. Invia il video prima di allora."
        }
        Message::Send => "Invia questo video",
        Message::Again => "Registra di nuovo",
        Message::Save => "Salvalo su questo dispositivo",
        Message::ThrowAway => "Scartare questo video?",
        Message::ThrowAwayText => "Viene cancellato, qui e sul nostro server.",
        Message::Discard => "Sì, registra di nuovo",
        Message::Keep => "Tieni questo",

        // Sending.
        Message::Sending => "Invio: {percent}",
        Message::KeepOpen => "Lascia aperta questa pagina ancora un momento, per favore.",
        Message::Preparing => "È arrivato ed è in preparazione.",
        Message::Received => "Video ricevuto",
        Message::ReceivedText => "Inviato. Puoi chiudere questa pagina. Grazie!",
        Message::StillHere => {
            "La tua registrazione è ancora qui: puoi guardarla e salvarla finché non chiudi questa pagina."
        }

        // Over.
        Message::Expired => "Questo link è scaduto",
        Message::ExpiredText => {
            "Il tempo è finito prima che il video fosse inviato. Ciò che era stato caricato è \
             cancellato. Se serve ancora un video, chiedi un nuovo link."
        }
        Message::AlreadySent => "Un video è già stato inviato",
        Message::AlreadySentText => {
            "Qualcuno ne ha inviato uno con questo link, forse tu su un altro dispositivo. Vale una \
             sola volta, perciò questo non è stato inviato."
        }
        Message::Withdrawn => "Questa richiesta è stata ritirata",
        Message::WithdrawnText => {
            "Chi l’ha chiesto non ha più bisogno del video. Ciò che era stato caricato è cancellato."
        }
        Message::TakenDown => "Questa richiesta è stata rimossa",
        Message::TakenDownText => {
            "Chi gestisce questo servizio l’ha ritirata. Tutto ciò che era stato caricato è cancellato."
        }
        Message::TooLarge => "Questo video è troppo grande",
        Message::TooLargeText => {
            "È più grande di quanto accetti questo server, perciò non è stato inviato. Registrane \
             uno più breve, per favore."
        }
        Message::Unreadable => "Il file non è più leggibile",
        Message::UnreadableText => {
            "È stato modificato o spostato, oppure non è tutto su questo dispositivo. Non è stato inviato nulla. Sceglilo di nuovo."
        }
        Message::Refused => "Questo video non può essere accettato",
        Message::RefusedText => {
            "Il server l’ha rifiutato. Registra di nuovo, per favore, magari in un altro browser."
        }
        Message::Unplayable => "Questo video non può essere riprodotto",
        Message::UnplayableText => {
            "Qualcosa manca o è danneggiato, perciò non è stato inviato. Registra di nuovo, per \
             favore."
        }

        // Said aloud.
        Message::SaidCountdown => "La registrazione inizia tra 3 secondi.",
        Message::SaidRecording => "In registrazione.",
        Message::SaidPaused => "In pausa.",
        Message::SaidStopped => "Registrazione terminata.",
        Message::SaidReview => "Ecco la tua registrazione.",
        Message::SaidReceived => "Video ricevuto.",
        Message::SaidLastMinute => "Resta un minuto.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "Il registratore non è riuscito ad avviarsi in questo browser. Ricarica la pagina o apri \
             il link in un altro browser. Puoi anche filmare con l’app fotocamera e inviare qui il \
             video."
        }
        Message::NoScript => {
            "Per registrare in questa pagina serve JavaScript, che in questo browser è disattivato. \
             Puoi filmare con l’app fotocamera e inviare qui il video."
        }
        Message::YourVideo => "Il tuo video",

        // Reporting.
        Message::ReportText => {
            "Chi gestisce questo servizio la legge e può rimuovere la richiesta. Chi ha chiesto \
             il video non lo viene a sapere, e di te non viene salvato nulla."
        }
        Message::ReportWhy => "Che cosa non va?",
        Message::ReportDanger => "Chiede qualcosa di illegale o pericoloso",
        Message::ReportHarassment => "Molesta qualcuno o chiede qualcosa di intimo",
        Message::ReportFraud => "È una truffa, o qualcuno si spaccia per un altro",
        Message::ReportOther => "Altro",
        Message::ReportMore => "Che cosa bisogna sapere? Puoi lasciare vuoto questo campo.",
        Message::ReportSend => "Invia la segnalazione",
        Message::ReportLacksReason => "Scegli che cosa non va. Non è stato ancora inviato nulla.",
        Message::ReportTooLong => {
            "Il testo è troppo lungo: accorcialo. Non è stato ancora inviato nulla."
        }
        Message::ReportContact => {
            "Puoi anche rivolgerti direttamente a chi gestisce questo servizio:"
        }
        Message::Reported => "Grazie per la segnalazione",
        Message::ReportedText => {
            "Chi gestisce questo servizio può leggerla per 30 giorni. Non devi fare altro, e non \
             devi registrare nulla."
        }
        Message::ReportedOften => "Questa richiesta è già stata segnalata abbastanza",
        Message::ReportedOftenText => {
            "Chi gestisce questo servizio può leggere le segnalazioni arrivate. Questa non è \
             stata aggiunta."
        }
        Message::TooManyReports => "Troppe segnalazioni insieme",
        Message::TooManyReportsText => {
            "Ne sono arrivate diverse dalla tua rete in poco tempo, perciò questa non è stata \
             salvata. Riprova più tardi."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Era aperto per un tempo limitato, e quel tempo è finito. Tutto ciò che è stato \
             registrato è cancellato. Se serve ancora un video, chiedi un nuovo link."
        }
        Message::ClosedSubmitted => "Il video è stato ricevuto",
        Message::ClosedSubmittedText => {
            "Qualcuno ha registrato e inviato un video con questo link. Vale una sola volta, perciò \
             qui non c’è altro da fare."
        }
        Message::Unknown => "A questo link non c’è nulla",
        Message::UnknownText => {
            "Forse manca una parte dell’indirizzo, o la richiesta è stata ritirata. Se hai copiato \
             il link, controlla che sia intero."
        }
        Message::NoFile => "Nessun video scelto",
        Message::NoFileText => "Torna indietro, scegli un video e invialo di nuovo, per favore.",
        Message::NoVideo => "Questo file non può essere accettato",
        Message::NoVideoText => {
            "Torna indietro e scegli un video, per favore: WebM, MP4, MOV o MKV."
        }
        Message::NoPictureInFileText => {
            "Non contiene immagini, o manca una parte del file, perciò non è stato conservato. Torna \
             indietro e scegline un altro, per favore."
        }
        Message::ClosedTooLargeText => {
            "È più grande di quanto accetti questo server, perciò non è stato conservato. Torna \
             indietro e inviane uno più breve, per favore."
        }
        Message::NotArrived => "Il video non è arrivato",
        Message::NotArrivedText => {
            "La connessione si è interrotta prima che arrivasse tutto, e nulla è stato conservato. \
             Torna indietro e invialo di nuovo, per favore."
        }
        Message::Broken => "Qualcosa è andato storto",
        Message::BrokenText => "È colpa nostra, non tua. Riprova tra un minuto, per favore.",
    }
}
