//! Spanish, familiar (tú) as services in it write.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Idioma",
        Message::Title => "Grabar un vídeo",
        Message::Description => {
            "Graba un vídeo en tu navegador y envíalo. Sin aplicación ni cuenta."
        }
        Message::Terms => "Condiciones",
        Message::Privacy => "Privacidad",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} de {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "Te piden que grabes un vídeo",
        Message::ForWhom => {
            "Lo recibirá quien hizo esta solicitud, quizá un agente de IA. No comprobamos quién es."
        }
        Message::NothingYet => "No se graba nada hasta que pulses Grabar.",
        Message::TurnOnCamera => "Encender la cámara",
        Message::RecordScreen => "Grabar la pantalla",
        Message::ChooseVideo => "Elegir un vídeo",
        Message::FilmWithApp => "Usar la app de cámara",
        Message::UsePhone => "Usar la cámara del móvil",
        Message::UsePhoneHow => {
            "Apunta con la cámara del móvil a este código. Allí se abrirá esta misma página."
        }
        Message::CodeOfLink => "Código QR de este enlace",
        Message::OtherRecords => "Otro dispositivo está grabando.",
        Message::InApp => {
            "Estás en el navegador de otra aplicación. Si la cámara no funciona aquí:"
        }
        Message::OpenInSafari => {
            "Toca ••• o el símbolo de compartir.\n\
             Elige «Abrir en Safari» o «Abrir en el navegador»."
        }
        Message::OpenInChrome => {
            "Toca ⋮ o ••• en la parte superior.\n\
             Elige «Abrir en Chrome» o «Abrir en el navegador»."
        }
        Message::CopyLink => "Copiar el enlace",
        Message::Copied => "Copiado",

        // What to know.
        Message::GoodToKnow => "Conviene saber",
        Message::WhoWatches => "Quién lo verá",
        Message::WhoWatchesText => {
            "Solo quien hizo esta solicitud: una persona o un agente de IA, y no siempre quien te \
             envió el enlace. No comprobamos quién es."
        }
        Message::WhatIsRecorded => "Qué se graba",
        Message::WhatIsRecordedText => {
            "Solo lo que ocurre mientras se ve la barra roja. Se envía a nuestro servidor mientras \
             grabas, para que no se pierda nada. Si lo descartas, se borra de allí."
        }
        Message::HowLong => "Cuánto tiempo se guarda",
        Message::HowLongText => "El enlace y el vídeo se borran el {until}.",
        Message::YourChoice => "Tú decides",
        Message::YourChoiceText => {
            "No tienes que hacerlo. Si simplemente cierras esta página, no pasa nada."
        }
        Message::TakeCare => "Ten cuidado",
        Message::TakeCareText => {
            "Nunca muestres documentos de identidad, tarjetas bancarias ni contraseñas, salvo que \
             ya contaras con ello."
        }
        Message::Private => "Sin cuenta, sin rastreadores, sin terceros.",
        Message::Report => "Denunciar esta solicitud",

        // Nothing to do here for the moment.
        Message::Asking => "Tu navegador pide permiso",
        Message::AskingText => {
            "Permítelo, por favor. Primero verás la imagen; aún no se graba nada."
        }
        Message::Cancel => "Cancelar",
        Message::Elsewhere => "Esta página está abierta en otra pestaña",
        Message::ElsewhereText => {
            "Si allí se está grabando, esa grabación termina y sigues con ella aquí."
        }
        Message::GoOnHere => "Continuar aquí",

        // What keeps the camera from us.
        Message::Denied => "La cámara está bloqueada para esta página",
        Message::NoCamera => "No se ha encontrado ninguna cámara",
        Message::NoCameraText => {
            "Conecta una e inténtalo de nuevo, o abre este enlace en tu móvil."
        }
        Message::Busy => "La cámara está en uso",
        Message::BusyText => {
            "Parece que la tiene otra aplicación o pestaña, como una videollamada. Ciérrala e \
             inténtalo de nuevo."
        }
        Message::Insecure => "La cámara necesita una dirección segura",
        Message::InsecureText => {
            "Los navegadores solo la permiten en enlaces que empiezan por https. Pide un enlace así."
        }
        Message::Unsupported => "Este navegador no puede grabar",
        Message::UnsupportedText => {
            "Copia el enlace y ábrelo en una versión reciente de Safari, Chrome o Firefox."
        }
        Message::NoPicture => "La cámara no da imagen",
        Message::NoPictureText => "No se ha grabado nada. Inténtalo de nuevo, por favor.",
        Message::NoScreen => "La pantalla no se ha compartido",
        Message::NoScreenText => {
            "No se ha grabado nada. Si quieres continuar, inténtalo de nuevo y elige qué compartir."
        }
        Message::TryAgain => "Intentar de nuevo",
        Message::WithSound => "Con sonido. Desmárcalo si el problema es solo el micrófono.",
        Message::OrFile => "O graba con la app de cámara y elige aquí ese vídeo.",
        Message::UnblockIosSafari => {
            "Toca el símbolo junto a la dirección y luego «Configuración del sitio web».\n\
             Permite la cámara y el micrófono."
        }
        Message::UnblockIosApp => {
            "Abre los ajustes de tu dispositivo y busca {browser}.\n\
             Activa la cámara y el micrófono."
        }
        Message::UnblockAndroid => {
            "Toca el símbolo al principio de la dirección y luego «Permisos».\n\
             Permite la cámara y el micrófono."
        }
        Message::UnblockAndroidFirefox => {
            "Toca el candado o el escudo junto a la dirección.\n\
             Toca «Bloqueado» en cámara y micrófono para permitirlos."
        }
        Message::UnblockChrome => {
            "Haz clic en el símbolo al principio de la dirección.\n\
             Activa la cámara y el micrófono."
        }
        Message::UnblockEdge => {
            "Haz clic en el candado al principio de la dirección y luego en «Permisos para este \
             sitio».\n\
             Permite la cámara y el micrófono."
        }
        Message::UnblockFirefox => {
            "Haz clic en la cámara tachada al principio de la dirección.\n\
             Quita «Bloqueado» con la × de al lado."
        }
        Message::UnblockSafari => {
            "En la barra de menús elige «Safari» y luego «Ajustes para este sitio web…».\n\
             Permite la cámara y el micrófono."
        }
        Message::UnblockOther => {
            "Toca el símbolo junto a la dirección.\n\
             Permite la cámara y el micrófono."
        }
        Message::UnblockSystem => {
            "¿Sigue bloqueada? Entonces permite la cámara a este navegador en los ajustes de tu \
             dispositivo."
        }

        // At the camera.
        Message::CameraSees => "Lo que ve la cámara",
        Message::NotYet => "Aún no se graba nada. Pulsa Grabar cuando quieras empezar.",
        Message::Record => "Grabar",
        Message::Flip => "Cambiar de cámara",
        Message::TurnOff => "Apagar",
        Message::Sound => "Sonido",
        Message::Devices => "Cámara y micrófono",
        Message::Camera => "Cámara",
        Message::Microphone => "Micrófono",
        Message::Loudness => "Volumen",
        Message::NoSound => "Sin sonido",
        Message::Unheard => "No se te oye. ¿Está el micrófono silenciado o tapado?",
        Message::Dark => "La imagen está oscura o tapada.",
        Message::Muted => "Tu dispositivo bloquea la cámara: el vídeo saldría en negro.",
        Message::SoundLost => "Se perdió el micrófono. El vídeo sigue sin sonido.",
        Message::LittleRoom => "Queda poco espacio en este dispositivo: haz un vídeo corto.",
        Message::Unkept => {
            "Este navegador no guarda nada: deja la página abierta hasta que se envíe el vídeo."
        }
        Message::StartNow => "Empezar ya",

        // Recording.
        Message::Recording => "Grabando {recorded}",
        Message::Paused => "En pausa {recorded}",
        Message::Progress => "Grabado {recorded} · enviado {sent}",
        Message::Waiting => "Ahora no se puede enviar; continuará por sí solo.",
        Message::ServerFull => {
            "El servidor no tiene espacio en este momento. Se vuelve a intentar automáticamente."
        }
        Message::Offline => "Estás sin conexión. Continuaremos cuando vuelvas.",
        Message::KeptHere => "Hasta entonces se guarda aquí.",
        Message::LastMinute => "Quedan {left}; después la grabación termina sola.",
        Message::Pause => "Pausa",
        Message::GoOn => "Continuar",
        Message::Stop => "Parar",
        Message::OneMoment => "Un momento…",

        // Reviewing.
        Message::YourRecording => "Tu grabación",
        Message::HaveALook => "Échale un vistazo",
        Message::NobodyYet => "Nadie recibe este vídeo antes de que lo envíes.",
        Message::Facts => "Duración {recorded} · tamaño {size}",
        Message::Uploaded => "Se ha subido el {percent}; el resto sigue por sí solo.",
        Message::UploadedAll => "Todo está subido y listo para enviar.",
        Message::Located => "Este archivo dice dónde se grabó. Quien lo reciba puede verlo.",
        Message::Interrupted => {
            "La grabación terminó sola. Lo que grabaste hasta entonces está aquí."
        }
        Message::Resumed => "Hola de nuevo: tu grabación ({recorded}) está a salvo.",
        Message::ChosenFile => "Este es el vídeo que has elegido.",
        Message::Reading => "Cargando el vídeo…",
        Message::NoPreview => {
            "Ya no se puede reproducir aquí porque hacía falta espacio. Aun así, está a salvo."
        }
        Message::NoPlayer => {
            "Este navegador no puede reproducir el archivo. Puedes enviarlo de todos modos."
        }
        Message::ClosesSoon => "Este enlace caduca en unos minutos. Envía el vídeo antes.",
        Message::Send => "Enviar este vídeo",
        Message::Again => "Grabar de nuevo",
        Message::Save => "Guardarlo en este dispositivo",
        Message::ThrowAway => "¿Descartar este vídeo?",
        Message::ThrowAwayText => "Se borra, aquí y en nuestro servidor.",
        Message::Discard => "Sí, grabar de nuevo",
        Message::Keep => "Conservar este",

        // Sending.
        Message::Sending => "Enviando: {percent}",
        Message::KeepOpen => "Deja esta página abierta un momento, por favor.",
        Message::Preparing => "Ha llegado y se está preparando.",
        Message::Received => "Vídeo recibido",
        Message::ReceivedText => "Enviado. Ya puedes cerrar esta página. ¡Gracias!",
        Message::StillHere => {
            "Tu grabación sigue aquí: puedes verla y guardarla hasta que cierres esta página."
        }

        // Over.
        Message::Expired => "Este enlace ha caducado",
        Message::ExpiredText => {
            "Su tiempo se acabó antes de que se enviara el vídeo. Lo que se había subido se ha borrado. Si aún \
             hace falta un vídeo, pide otro enlace."
        }
        Message::AlreadySent => "Ya se envió un vídeo",
        Message::AlreadySentText => {
            "Alguien envió uno con este enlace, quizá tú desde otro dispositivo. Solo funciona una \
             vez, así que este no se ha enviado."
        }
        Message::Withdrawn => "Esta solicitud se ha retirado",
        Message::WithdrawnText => {
            "Quien lo pidió ya no necesita el vídeo. Lo que se había subido se ha borrado."
        }
        Message::TakenDown => "Esta solicitud se ha eliminado",
        Message::TakenDownText => {
            "Quien gestiona este servicio la ha retirado. Todo lo que se había subido se ha borrado."
        }
        Message::TooLarge => "Este vídeo es demasiado grande",
        Message::TooLargeText => {
            "Es mayor de lo que acepta este servidor, así que no se ha enviado. Graba uno más corto, \
             por favor."
        }
        Message::Unreadable => "El archivo ya no se puede leer",
        Message::UnreadableText => {
            "Se ha modificado o movido, o no está completo en este dispositivo. No se ha enviado nada. Vuelve a elegirlo."
        }
        Message::Refused => "Este vídeo no se puede aceptar",
        Message::RefusedText => {
            "El servidor lo ha rechazado. Graba de nuevo, por favor, quizá en otro navegador."
        }
        Message::Unplayable => "Este vídeo no se puede reproducir",
        Message::UnplayableText => {
            "Algo falta o está dañado, así que no se ha enviado. Graba de nuevo, por favor."
        }

        // Said aloud.
        Message::SaidCountdown => "La grabación empieza en 3 segundos.",
        Message::SaidRecording => "Grabando.",
        Message::SaidPaused => "En pausa.",
        Message::SaidStopped => "Grabación terminada.",
        Message::SaidReview => "Aquí está tu grabación.",
        Message::SaidReceived => "Vídeo recibido.",
        Message::SaidLastMinute => "Queda un minuto.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "La grabadora no ha podido arrancar en este navegador. Vuelve a cargar la página o abre \
             el enlace en otro navegador. También puedes grabar con la app de cámara y enviar el \
             vídeo aquí."
        }
        Message::NoScript => {
            "Para grabar en esta página hace falta JavaScript, que está desactivado en este \
             navegador. Puedes grabar con la app de cámara y enviar el vídeo aquí."
        }
        Message::YourVideo => "Tu vídeo",

        // Reporting.
        Message::ReportText => {
            "Quien gestiona este servicio la leerá y puede eliminar la solicitud. Quien pidió el \
             vídeo no se entera, y no se guarda nada sobre ti."
        }
        Message::ReportWhy => "¿Qué tiene de malo?",
        Message::ReportDanger => "Pide algo ilegal o peligroso",
        Message::ReportHarassment => "Acosa a alguien o pide algo íntimo",
        Message::ReportFraud => "Es una estafa, o alguien se hace pasar por otra persona",
        Message::ReportOther => "Otra cosa",
        Message::ReportMore => "¿Qué conviene saber? Puedes dejarlo vacío.",
        Message::ReportSend => "Enviar la denuncia",
        Message::ReportLacksReason => "Elige qué tiene de malo. Todavía no se ha enviado nada.",
        Message::ReportTooLong => {
            "Tu texto es demasiado largo: acórtalo. Todavía no se ha enviado nada."
        }
        Message::ReportContact => {
            "También puedes dirigirte directamente a quien gestiona este servicio:"
        }
        Message::Reported => "Gracias por tu denuncia",
        Message::ReportedText => {
            "Quien gestiona este servicio puede leerla durante 30 días. No tienes que hacer nada \
             más ni grabar nada."
        }
        Message::ReportedOften => "Esta solicitud ya se ha denunciado bastantes veces",
        Message::ReportedOftenText => {
            "Quien gestiona este servicio puede leer las denuncias que hay. Esta no se ha añadido."
        }
        Message::TooManyReports => "Demasiadas denuncias a la vez",
        Message::TooManyReportsText => {
            "Han llegado varias desde tu red en poco tiempo, así que esta no se ha guardado. \
             Inténtalo más tarde."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Estuvo abierto un tiempo limitado, y ese tiempo ha pasado. Todo lo grabado con él se ha \
             borrado. Si aún hace falta un vídeo, pide otro enlace."
        }
        Message::ClosedSubmitted => "El vídeo se ha recibido",
        Message::ClosedSubmittedText => {
            "Alguien ha grabado y enviado un vídeo con este enlace. Solo funciona una vez, así que \
             aquí ya no queda nada por hacer."
        }
        Message::Unknown => "No hay nada en este enlace",
        Message::UnknownText => {
            "Quizá falte una parte de la dirección o se haya retirado la solicitud. Si copiaste el \
             enlace, comprueba que esté entero."
        }
        Message::NoFile => "No se ha elegido ningún vídeo",
        Message::NoFileText => "Vuelve atrás, elige un vídeo y envíalo de nuevo, por favor.",
        Message::NoVideo => "Este archivo no se puede aceptar",
        Message::NoVideoText => "Vuelve atrás y elige un vídeo, por favor: WebM, MP4, MOV o MKV.",
        Message::NoPictureInFileText => {
            "No tiene imagen o falta una parte del archivo, así que no se ha guardado. Vuelve atrás \
             y elige otro, por favor."
        }
        Message::ClosedTooLargeText => {
            "Es mayor de lo que acepta este servidor, así que no se ha guardado. Vuelve atrás y \
             envía uno más corto, por favor."
        }
        Message::NotArrived => "El vídeo no ha llegado",
        Message::NotArrivedText => {
            "La conexión se cortó antes de que llegara entero, y no se ha guardado nada. Vuelve \
             atrás y envíalo de nuevo, por favor."
        }
        Message::Broken => "Algo ha fallado",
        Message::BrokenText => {
            "Es culpa nuestra, no tuya. Inténtalo de nuevo dentro de un minuto, por favor."
        }
    }
}
