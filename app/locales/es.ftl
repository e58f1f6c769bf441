### Spanish, familiar (tú) as services in it write.

## Every page

page-language = Idioma
page-description = Graba un vídeo en tu navegador y envíalo. Sin aplicación ni cuenta.
page-terms = Condiciones
page-privacy = Privacidad
report-heading = Denunciar esta solicitud
date-utc =
    { $day } de { $month ->
        [1] enero
        [2] febrero
        [3] marzo
        [4] abril
        [5] mayo
        [6] junio
        [7] julio
        [8] agosto
        [9] septiembre
        [10] octubre
        [11] noviembre
       *[12] diciembre
    }, { $time } UTC

## The recording page, before the camera

record-title = Grabar un vídeo
record-prompt-heading = Te piden que grabes un vídeo
record-audience = Lo verá una persona o una IA. No comprobamos quién es, así que sigue solo si lo esperabas.
record-step = { $number } de { $total }
record-camera-hint = Abrir la cámara no graba nada.
record-other-device = Otro dispositivo está grabando.
source-camera = Abrir la cámara
source-screen = Grabar la pantalla
source-file = Usar un vídeo existente
source-camera-app = Usar la app de cámara
source-other = Otras formas
source-file-hint = O graba con la app de cámara y elige aquí ese vídeo.
source-drop = Suelta el vídeo aquí
source-drop-hint = También puedes arrastrar o pegar un vídeo aquí.
source-several-files = Elige un solo vídeo, por favor.
source-no-video = No podemos aceptar este archivo. Elige un vídeo, por favor: WebM, MP4, MOV o MKV.
source-phone = Usar la cámara del teléfono
source-phone-how = Apunta con la cámara del teléfono a este código. Allí se abrirá esta misma página.
source-phone-code = Código QR de este enlace
link-copy = Copiar el enlace
link-copied = Copiado
in-app-browser = Estás en el navegador de otra aplicación. Si la cámara no funciona aquí:
in-app-leave = Abrir en tu navegador
in-app-open-safari =
    Toca ••• o el icono de compartir.
    Elige «Abrir en Safari» o «Abrir en el navegador».
in-app-open-chrome =
    Toca ⋮ o ••• en la parte superior.
    Elige «Abrir en Chrome» o «Abrir en el navegador».

## What to know before recording

privacy-heading = Conviene saber
privacy-audience = Quién lo verá
privacy-audience-text = Solo quien hizo esta solicitud: una persona o un agente de IA, y no necesariamente quien te envió el enlace. No comprobamos quién es. Puede quedarse con una copia.
privacy-recording = Qué se graba
privacy-recording-text = Solo mientras se ve la barra roja. El vídeo se sube a medida que grabas, para que no se pierda nada. Si grabas de nuevo, el anterior se borra.
privacy-retention-text = El enlace y el vídeo se borran el { $until }.
privacy-transcript = Lo que se diga puede pasarse a texto.
privacy-choice-text = Puedes decir que no: basta con cerrar esta página.
privacy-caution = Nunca muestres documentos de identidad, tarjetas bancarias ni contraseñas, salvo que ya contaras con ello.
privacy-no-account = Sin cuenta, sin rastreadores.

## The browser asks for permission

permission-heading = Tu navegador pide permiso
permission-text = Elige «Permitir», por favor. Primero verás la imagen; aún no se graba nada.
action-cancel = Cancelar
action-close = Cerrar

## Open in another tab

tab-heading = Esta página está abierta en otra pestaña
tab-text = Si allí se está grabando, esa grabación termina y sigues con ella aquí.
tab-continue = Continuar aquí

## No camera, and what to do about it

blocked-denied-heading = Tu navegador está bloqueando la cámara
blocked-no-camera-heading = No se ha encontrado ninguna cámara
blocked-no-camera-text = Conecta una e inténtalo de nuevo, o abre este enlace en tu teléfono.
blocked-busy-heading = La cámara está en uso
blocked-busy-text = Parece que la está usando otra aplicación o pestaña, por ejemplo una videollamada. Ciérrala e inténtalo de nuevo.
blocked-insecure-heading = La cámara necesita una dirección segura
blocked-insecure-text = Los navegadores solo la permiten en enlaces que empiezan por https. Pide un enlace así.
blocked-unsupported-heading = Este navegador no puede grabar
blocked-unsupported-text = Copia el enlace y ábrelo en una versión reciente de Safari, Chrome o Firefox.
blocked-no-picture-heading = La cámara no da imagen
blocked-no-picture-text = No se ha grabado nada. Inténtalo de nuevo, por favor.
blocked-no-screen-heading = La pantalla no se ha compartido
blocked-no-screen-text = No se ha grabado nada. Si quieres continuar, inténtalo de nuevo y elige qué compartir.
blocked-try-again = Intentar de nuevo
blocked-with-sound = Con sonido. Desmárcalo si el problema es solo el micrófono.
unblock-ios-safari =
    Toca el icono junto a la dirección y luego «Ajustes del sitio web».
    Permite la cámara y el micrófono.
unblock-ios-app =
    Abre los ajustes de tu dispositivo y busca { $browser }.
    Activa la cámara y el micrófono.
unblock-android =
    Toca el icono al principio de la dirección y luego «Permisos».
    Permite la cámara y el micrófono.
unblock-android-firefox =
    Toca el candado o el escudo junto a la dirección.
    Toca «Bloqueado» en cámara y micrófono para permitirlos.
unblock-chrome =
    Haz clic en el icono al principio de la dirección.
    Activa la cámara y el micrófono.
unblock-edge =
    Haz clic en el candado al principio de la dirección y luego en «Permisos para este sitio».
    Permite la cámara y el micrófono.
unblock-firefox =
    Haz clic en la cámara tachada al principio de la dirección.
    Quita «Bloqueado» con la × de al lado.
unblock-safari =
    En la barra de menús elige «Safari» y luego «Ajustes para este sitio web…».
    Permite la cámara y el micrófono.
unblock-other =
    Toca el icono junto a la dirección.
    Permite la cámara y el micrófono.
unblock-system = ¿Sigue bloqueada? Entonces permite la cámara a este navegador en los ajustes de tu dispositivo.

## At the camera

camera-picture = Lo que ve la cámara
camera-not-recording = Aún no se graba
camera-record = Grabar
camera-start-now = Empezar ya
camera-flip = Cambiar de cámara
camera-front = Cámara frontal
camera-back = Cámara trasera
camera-torch = Linterna
camera-zoom = Zoom
camera-lens = Objetivo
camera-lens-wide = Gran angular
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Cámara y micrófono
camera-device = Cámara
camera-microphone = Micrófono
camera-sound = Sonido
camera-sound-level = Volumen
signal-silent = Sin sonido
signal-no-microphone = Solo el sonido de la pantalla, sin micrófono
signal-unheard = No se te oye. ¿Está el micrófono silenciado o tapado?
signal-sound-lost = Se ha perdido el sonido. El vídeo sigue sin él.
signal-dark = La imagen está oscura o tapada.
signal-muted = Tu dispositivo bloquea la cámara: el vídeo saldría en negro.
storage-low = Queda poco espacio en este dispositivo: haz un vídeo corto.
storage-none = Este navegador no puede guardar la grabación: deja la página abierta hasta que se envíe el vídeo.

## Recording

recording-status = Grabando { $recorded }
recording-paused = En pausa { $recorded }
recording-last-minute = Quedan { $left }; después la grabación termina sola.
recording-pause = Pausa
recording-resume = Reanudar
recording-stop = Detener
recording-finish = Terminar
recording-stopping = Un momento…

## Uploading

upload-sent = Subido { $sent }
upload-progress = Se ha subido el { $percent }; el resto sigue por sí solo.
upload-complete = Subido y listo para enviar.
upload-offline = Estás sin conexión. La subida continuará cuando recuperes la conexión.
upload-waiting = Ahora mismo no se puede subir. Lo seguimos intentando.
upload-server-full = El servidor está lleno en este momento. Lo seguimos intentando.
upload-kept = Hasta entonces, tu grabación está a salvo aquí.

## Reviewing

review-heading = Revisa tu vídeo
review-question = ¿Has mostrado esto?
review-not-sent = No se envía hasta que pulses Enviar.
review-video = Tu grabación
review-facts = Duración { $recorded } · tamaño { $size }
review-interrupted = La grabación terminó sola. Lo que grabaste hasta entonces está aquí.
review-resumed = Hola de nuevo: tu grabación ({ $recorded }) está a salvo.
review-file = El vídeo que has elegido: { $name }
review-reading = Cargando el vídeo… { $read }
review-no-preview = Ya no se puede reproducir aquí porque hacía falta espacio. Aun así, está a salvo.
review-no-player = No hay vista previa: este navegador no puede mostrar el vídeo. Puedes enviarlo igualmente.
review-located = Este archivo dice dónde se grabó. Quien lo reciba puede verlo.
review-closes-soon = Este enlace caduca en unos minutos. Envía el vídeo antes.
review-send = Enviar este vídeo
review-again = Grabar de nuevo
review-save = Guardar en el dispositivo
discard-heading = ¿Borrar este vídeo y grabar de nuevo?
discard-text = Se borra, aquí y en nuestro servidor.
discard-confirm = Borrar y grabar de nuevo
discard-keep = Conservar este

## Sending

submit-progress = Enviando: { $percent }
submit-keep-open = Deja esta página abierta un momento, por favor.
submit-preparing = Ha llegado y se está preparando.
submit-sent-heading = Enviado. ¡Gracias!
submit-sent-text = Quien pidió el vídeo ya puede verlo. Puedes cerrar esta página.
receipt-sent = Enviado: { $time }
receipt-save = Guardar comprobante

## The end of a link or of a recording

end-expired-heading = Este enlace ha caducado
end-expired-text = Su tiempo se acabó antes de que se enviara el vídeo. Lo que se había subido se ha borrado. Si aún hace falta un vídeo, pide otro enlace.
end-submitted-heading = Ya se envió un vídeo
end-submitted-text = Alguien envió uno con este enlace, quizá tú desde otro dispositivo. Solo funciona una vez, así que este no se ha enviado.
end-withdrawn-heading = Esta solicitud se ha retirado
end-withdrawn-text = Quien lo pidió ya no necesita el vídeo. Lo que se había subido se ha borrado.
end-taken-down-heading = Esta solicitud se ha eliminado
end-taken-down-text = Quien gestiona este servicio la ha eliminado. Todo lo que se había subido se ha borrado.
end-too-large-heading = Este vídeo es demasiado grande
end-too-large-text = Es mayor de lo que acepta este servidor, así que no se ha enviado. Graba uno más corto, por favor.
end-unreadable-heading = El archivo ya no se puede leer
end-unreadable-text = Se ha modificado o movido, o no está completo en este dispositivo. No se ha enviado nada. Vuelve a elegirlo.
end-refused-heading = Este vídeo no se puede aceptar
end-refused-text = El servidor lo ha rechazado. Graba de nuevo, por favor, quizá en otro navegador.
end-unplayable-heading = Este vídeo no se puede reproducir
end-unplayable-text = Algo falta o está dañado, así que no se ha enviado. Graba de nuevo, por favor.
end-still-here = Tu grabación sigue aquí: puedes verla y guardarla hasta que cierres esta página.

## Announced by screen readers

announce-countdown =
    La grabación empieza en { $seconds ->
        [one] { $seconds } segundo
       *[other] { $seconds } segundos
    }.
announce-recording = Grabando.
announce-paused = En pausa.
announce-stopped = Grabación terminada.
announce-last-minute = Queda menos de un minuto; después la grabación termina sola.

## The form, where the recorder can't run

form-cannot-start = No se ha podido iniciar la grabación en este navegador. Vuelve a cargar la página o abre el enlace en otro navegador. También puedes grabar con la app de cámara y enviar el vídeo aquí.
form-no-script = Para grabar en esta página hace falta JavaScript, que está desactivado en este navegador. Puedes grabar con la app de cámara y enviar el vídeo aquí.
form-video = Tu vídeo
form-no-file-heading = No se ha elegido ningún vídeo
form-no-file-text = Vuelve atrás, elige un vídeo y envíalo de nuevo, por favor.
form-not-a-video-heading = Este archivo no se puede aceptar
form-not-a-video-text = Vuelve atrás y elige un vídeo, por favor: WebM, MP4, MOV o MKV.
form-unplayable-text = No tiene imagen o falta una parte del archivo, así que no se ha guardado. Vuelve atrás y elige otro, por favor.
form-too-large-text = Es mayor de lo que acepta este servidor, así que no se ha guardado. Vuelve atrás y envía uno más corto, por favor.
form-interrupted-heading = El vídeo no ha llegado
form-interrupted-text = La conexión se cortó antes de que llegara entero, y no se ha guardado nada. Vuelve atrás y envíalo de nuevo, por favor.

## The form that reports a request

report-text = Quien gestiona este servicio leerá tu denuncia y puede eliminar la solicitud. Quien pidió el vídeo no se enterará, y con la denuncia no se guarda nada sobre ti.
report-reason = ¿Cuál es el problema?
report-reason-danger = Pide algo ilegal o peligroso
report-reason-harassment = Acosa a alguien o pide algo íntimo
report-reason-fraud = Es una estafa, o alguien se hace pasar por otra persona
report-reason-other = Otra cosa
report-details = ¿Qué te pedía grabar y quién te envió el enlace? Puedes dejarlo vacío.
report-send = Enviar la denuncia
report-reason-missing = Elige cuál es el problema. Todavía no se ha enviado nada.
report-too-long = Tu texto es demasiado largo: acórtalo. Todavía no se ha enviado nada.
report-contact = También puedes dirigirte directamente a quien gestiona este servicio:
report-received-heading = Gracias por tu denuncia
report-received-text =
    Quien gestiona este servicio puede leerla durante { $days ->
        [one] { $days } día
       *[other] { $days } días
    }. No tienes que hacer nada más ni grabar nada.
report-enough-heading = Esta solicitud ya se ha denunciado bastantes veces
report-enough-text = Quien gestiona este servicio puede leer las denuncias que hay. Esta no se ha añadido.
report-too-many-heading = Demasiadas denuncias a la vez
report-too-many-text = Han llegado varias desde tu red en poco tiempo, así que esta no se ha guardado. Inténtalo más tarde.

## A link that leads to no recording

closed-expired-text = Estuvo abierto un tiempo limitado, y ese tiempo ha pasado. Todo lo grabado con él se ha borrado. Si aún hace falta un vídeo, pide otro enlace.
closed-submitted-heading = El vídeo se ha recibido
closed-submitted-text = Alguien ha grabado y enviado un vídeo con este enlace. Solo funciona una vez, así que aquí ya no queda nada por hacer.
closed-not-found-heading = No hay nada en este enlace
closed-not-found-text = Quizá falte una parte de la dirección o se haya retirado la solicitud. Si copiaste el enlace, comprueba que esté completo.
closed-error-heading = Algo ha fallado
closed-error-text = Es culpa nuestra, no tuya. Inténtalo de nuevo dentro de un minuto, por favor.
