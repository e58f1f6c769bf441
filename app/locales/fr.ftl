### French, polite (vous).

## Every page

page-language = Langue
page-description = Enregistrez une vidéo dans votre navigateur et envoyez-la. Sans application ni compte.
page-terms = Conditions
page-privacy = Confidentialité
report-heading = Signaler cette demande
date-utc =
    { $day } { $month ->
        [1] janvier
        [2] février
        [3] mars
        [4] avril
        [5] mai
        [6] juin
        [7] juillet
        [8] août
        [9] septembre
        [10] octobre
        [11] novembre
       *[12] décembre
    }, { $time } UTC

## The recording page, before the camera

record-title = Enregistrer une vidéo
record-prompt-heading = On vous demande d’enregistrer une vidéo
record-audience = Une personne ou une IA la regardera. Nous ne vérifions pas de qui il s’agit : ne continuez que si vous vous y attendiez.
record-step = { $number } sur { $total }
record-camera-hint = Ouvrir la caméra n’enregistre rien.
record-other-device = Un autre appareil est en train d’enregistrer.
source-camera = Ouvrir la caméra
source-screen = Enregistrer l’écran
source-file = Utiliser une vidéo existante
source-camera-app = Utiliser l’appli photo
source-other = Autres options
source-file-hint = Ou filmez avec votre appli photo et choisissez cette vidéo ici.
source-drop = Déposez la vidéo ici
source-drop-hint = Vous pouvez aussi glisser ou coller une vidéo ici.
source-several-files = Veuillez choisir une seule vidéo.
source-no-video = Nous ne pouvons pas accepter ce fichier. Veuillez choisir une vidéo : WebM, MP4, MOV ou MKV.
source-phone = Filmer avec le téléphone
source-phone-how = Visez ce code avec l’appareil photo de votre téléphone. Cette même page s’y ouvrira.
source-phone-code = Code QR de ce lien
link-copy = Copier le lien
link-copied = Copié
in-app-browser = Vous êtes dans le navigateur d’une autre application. Si la caméra ne marche pas ici :
in-app-leave = Ouvrir dans votre navigateur
in-app-open-safari =
    Touchez ••• ou l’icône de partage.
    Choisissez « Ouvrir dans Safari » ou « Ouvrir dans le navigateur ».
in-app-open-chrome =
    Touchez ⋮ ou ••• en haut.
    Choisissez « Ouvrir dans Chrome » ou « Ouvrir dans le navigateur ».

## What to know before recording

privacy-heading = Bon à savoir
privacy-audience = Qui la regarde
privacy-audience-text = Uniquement l’auteur de cette demande : une personne ou un agent d’IA, pas forcément la personne qui vous a envoyé le lien. Nous ne vérifions pas de qui il s’agit. Il peut en garder une copie.
privacy-recording = Ce qui est enregistré
privacy-recording-text = Seulement tant que la barre rouge est visible. La vidéo est transférée pendant que vous enregistrez, pour que rien ne se perde. Si vous recommencez, l’ancienne est supprimée.
privacy-retention-text = Le lien et la vidéo sont supprimés le { $until }.
privacy-transcript = Ce qui est dit peut être transcrit.
privacy-choice-text = Vous pouvez refuser : fermez simplement cette page.
privacy-caution = Ne montrez jamais de pièce d’identité, de carte bancaire ni de mot de passe, sauf si vous vous y attendiez.
privacy-no-account = Pas de compte, pas de pistage.

## The browser asks for permission

permission-heading = Votre navigateur demande l’autorisation
permission-text = Choisissez « Autoriser ». Vous verrez d’abord l’image ; rien n’est encore enregistré.
action-cancel = Annuler
action-close = Fermer

## Open in another tab

tab-heading = Cette page est ouverte dans un autre onglet
tab-text = Si un enregistrement y est en cours, il s’arrête, et vous le retrouvez ici.
tab-continue = Continuer ici

## No camera, and what to do about it

blocked-denied-heading = Votre navigateur bloque la caméra
blocked-no-camera-heading = Aucune caméra trouvée
blocked-no-camera-text = Branchez-en une et réessayez, ou ouvrez ce lien sur votre téléphone.
blocked-busy-heading = La caméra est déjà utilisée
blocked-busy-text = Une autre application ou un autre onglet semble l’utiliser, un appel vidéo par exemple. Fermez-le, puis réessayez.
blocked-insecure-heading = La caméra exige une adresse sécurisée
blocked-insecure-text = Les navigateurs ne l’autorisent que pour les liens qui commencent par https. Demandez un tel lien.
blocked-unsupported-heading = Ce navigateur ne peut pas enregistrer
blocked-unsupported-text = Copiez le lien et ouvrez-le dans une version récente de Safari, Chrome ou Firefox.
blocked-no-picture-heading = La caméra ne donne aucune image
blocked-no-picture-text = Rien n’a été enregistré. Veuillez réessayer.
blocked-no-screen-heading = L’écran n’a pas été partagé
blocked-no-screen-text = Rien n’a été enregistré. Pour continuer, réessayez et choisissez ce que vous partagez.
blocked-try-again = Réessayer
blocked-with-sound = Avec le son. Décochez si seul le micro pose problème.
unblock-ios-safari =
    Touchez l’icône à côté de l’adresse, puis « Réglages du site web ».
    Autorisez la caméra et le micro.
unblock-ios-app =
    Ouvrez les réglages de votre appareil et cherchez { $browser }.
    Activez l’appareil photo et le micro.
unblock-android =
    Touchez l’icône au début de l’adresse, puis « Autorisations ».
    Autorisez la caméra et le micro.
unblock-android-firefox =
    Touchez le cadenas ou le bouclier à côté de l’adresse.
    Touchez « Bloqué » pour la caméra et le micro afin de les autoriser.
unblock-chrome =
    Cliquez sur l’icône au début de l’adresse.
    Activez la caméra et le micro.
unblock-edge =
    Cliquez sur le cadenas au début de l’adresse, puis sur « Autorisations pour ce site ».
    Autorisez la caméra et le micro.
unblock-firefox =
    Cliquez sur la caméra barrée au début de l’adresse.
    Retirez « Bloqué » avec la croix (×) à côté.
unblock-safari =
    Dans la barre des menus, choisissez « Safari », puis « Réglages pour ce site web… ».
    Autorisez la caméra et le micro.
unblock-other =
    Touchez l’icône à côté de l’adresse.
    Autorisez la caméra et le micro.
unblock-system = Toujours bloquée ? Alors autorisez la caméra pour ce navigateur dans les réglages de votre appareil.

## At the camera

camera-picture = Ce que voit la caméra
camera-not-recording = Rien n’est encore enregistré
camera-record = Enregistrer
camera-start-now = Démarrer maintenant
camera-flip = Changer de caméra
camera-front = Caméra avant
camera-back = Caméra arrière
camera-torch = Lampe
camera-zoom = Zoom
camera-lens = Objectif
camera-lens-wide = Grand-angle
camera-lens-main = Normal
camera-lens-tele = Télé
camera-devices = Caméra et micro
camera-device = Caméra
camera-microphone = Micro
camera-sound = Son
camera-sound-level = Volume
signal-silent = Sans son
signal-no-microphone = Seul le son de l’écran, sans micro
signal-unheard = On ne vous entend pas. Le micro est-il coupé ou couvert ?
signal-sound-lost = Le son a été perdu. La vidéo continue sans lui.
signal-dark = L’image est sombre ou masquée.
signal-muted = Votre appareil bloque la caméra : la vidéo serait noire.
storage-low = Il reste peu de place sur cet appareil : faites court.
storage-none = Ce navigateur ne peut pas garder l’enregistrement : laissez la page ouverte jusqu’à l’envoi de la vidéo.

## Recording

recording-status = Enregistrement { $recorded }
recording-paused = En pause { $recorded }
recording-last-minute = Encore { $left }, puis l’enregistrement s’arrête tout seul.
recording-pause = Pause
recording-resume = Reprendre
recording-stop = Arrêter
recording-finish = Terminer
recording-stopping = Un instant…

## Uploading

upload-sent = Transféré { $sent }
upload-progress = Transfert à { $percent }, le reste suit tout seul.
upload-complete = Transférée et prête à être envoyée.
upload-offline = Vous êtes hors ligne. Le transfert reprendra dès que la connexion reviendra.
upload-waiting = Le transfert n’aboutit pas pour le moment. Nous continuons d’essayer.
upload-server-full = Le serveur est plein pour le moment. Nous continuons d’essayer.
upload-kept = D’ici là, votre enregistrement est conservé ici.

## Reviewing

review-heading = Vérifiez votre vidéo
review-question = Avez-vous montré ceci ?
review-not-sent = Elle n’est envoyée que si vous appuyez sur Envoyer.
review-video = Votre enregistrement
review-facts = Durée { $recorded } · taille { $size }
review-interrupted = L’enregistrement s’est arrêté tout seul. Ce qui a été enregistré jusque-là est ici.
review-resumed = Vous revoilà ! Votre enregistrement ({ $recorded }) est conservé.
review-file = La vidéo que vous avez choisie : { $name }
review-reading = Chargement de la vidéo… { $read }
review-no-preview = Elle ne peut plus être lue ici, car il fallait de la place. Elle est conservée tout de même.
review-no-player = Pas d’aperçu : ce navigateur ne peut pas afficher la vidéo. Vous pouvez quand même l’envoyer.
review-located = Ce fichier indique où il a été filmé. Qui le reçoit peut le voir.
review-closes-soon = Ce lien expire dans quelques minutes. Envoyez la vidéo avant.
review-send = Envoyer cette vidéo
review-again = Recommencer
review-save = Télécharger la vidéo
discard-heading = Supprimer cette vidéo et recommencer ?
discard-text = Elle sera supprimée, ici et sur notre serveur.
discard-confirm = Supprimer et recommencer
discard-keep = Garder celle-ci

## Sending

submit-progress = Envoi : { $percent }
submit-keep-open = Veuillez laisser cette page ouverte un instant.
submit-preparing = Elle est arrivée et en cours de préparation.
submit-sent-heading = C’est envoyé. Merci !
submit-sent-text = La personne ou l’IA qui a demandé la vidéo peut maintenant la regarder. Vous pouvez fermer cette page.
receipt-sent = Envoyée : { $time }
receipt-save = Enregistrer le reçu

## The end of a link or of a recording

end-expired-heading = Ce lien a expiré
end-expired-text = Son délai s’est écoulé avant l’envoi de la vidéo. Ce qui avait déjà été transféré a été supprimé. Si une vidéo est encore utile, demandez un nouveau lien.
end-submitted-heading = Une vidéo a déjà été envoyée
end-submitted-text = Quelqu’un en a envoyé une avec ce lien, peut-être vous sur un autre appareil. Il ne sert qu’une fois, celle-ci n’a donc pas été envoyée.
end-withdrawn-heading = Cette demande a été retirée
end-withdrawn-text = La vidéo n’est plus nécessaire. Ce qui avait déjà été transféré a été supprimé.
end-taken-down-heading = Cette demande a été supprimée
end-taken-down-text = L’exploitant de ce service l’a supprimée. Tout ce qui avait été transféré a été effacé.
end-too-large-heading = Cette vidéo est trop volumineuse
end-too-large-text = Elle dépasse ce que ce serveur accepte et n’a donc pas été envoyée. Veuillez en enregistrer une plus courte.
end-unreadable-heading = Ce fichier n’est plus lisible
end-unreadable-text = Il a été modifié ou déplacé, ou n’est pas entièrement sur cet appareil. Rien n’a été envoyé. Veuillez le choisir à nouveau.
end-refused-heading = Cette vidéo ne peut pas être acceptée
end-refused-text = Le serveur l’a refusée. Veuillez recommencer, peut-être dans un autre navigateur.
end-unplayable-heading = Cette vidéo ne peut pas être lue
end-unplayable-text = Il y manque quelque chose, ou elle est endommagée ; elle n’a donc pas été envoyée. Veuillez recommencer.
end-still-here = Votre enregistrement est toujours ici : vous pouvez le regarder et le télécharger sur cet appareil jusqu’à la fermeture de cette page.

## Announced by screen readers

announce-countdown =
    L’enregistrement commence dans { $seconds ->
        [one] { $seconds } seconde
       *[other] { $seconds } secondes
    }.
announce-recording = Enregistrement en cours.
announce-paused = En pause.
announce-stopped = Enregistrement terminé.
announce-last-minute = Il reste moins d’une minute, puis l’enregistrement s’arrête tout seul.

## The form, where the recorder can't run

form-cannot-start = L’enregistreur n’a pas pu démarrer dans ce navigateur. Rechargez la page ou ouvrez le lien dans un autre navigateur. Vous pouvez aussi filmer avec votre appli photo et envoyer la vidéo ici.
form-no-script = Pour enregistrer sur cette page, il faut JavaScript, qui est désactivé dans ce navigateur. Vous pouvez filmer avec votre appli photo et envoyer la vidéo ici.
form-video = Votre vidéo
form-no-file-heading = Aucune vidéo n’a été choisie
form-no-file-text = Veuillez revenir en arrière, choisir une vidéo et l’envoyer de nouveau.
form-not-a-video-heading = Ce fichier ne peut pas être accepté
form-not-a-video-text = Veuillez revenir en arrière et choisir une vidéo : WebM, MP4, MOV ou MKV.
form-unplayable-text = Elle ne contient pas d’image, ou une partie du fichier manque ; elle n’a donc pas été gardée. Veuillez revenir en arrière et en choisir une autre.
form-too-large-text = Elle dépasse ce que ce serveur accepte et n’a donc pas été gardée. Veuillez revenir en arrière et en envoyer une plus courte.
form-interrupted-heading = La vidéo n’est pas arrivée
form-interrupted-text = La connexion a été coupée avant la fin, et rien n’a été gardé. Veuillez revenir en arrière et l’envoyer de nouveau.

## The form that reports a request

report-text = L’exploitant de ce service lira votre signalement et peut supprimer la demande. L’auteur de la demande n’en est pas informé, et rien à votre sujet n’est conservé avec le signalement.
report-reason = Qu’est-ce qui ne va pas ?
report-reason-danger = Elle demande quelque chose d’illégal ou de dangereux
report-reason-harassment = Elle harcèle quelqu’un ou demande quelque chose d’intime
report-reason-fraud = C’est une escroquerie, ou quelqu’un se fait passer pour quelqu’un d’autre
report-reason-other = Autre chose
report-details = Que vous demandait-on de filmer, et qui vous a envoyé le lien ? Vous pouvez laisser ce champ vide.
report-send = Envoyer le signalement
report-reason-missing = Choisissez ce qui ne va pas. Rien n’a encore été envoyé.
report-too-long = Votre texte est trop long : raccourcissez-le. Rien n’a encore été envoyé.
report-contact = Vous pouvez aussi vous adresser directement à l’exploitant de ce service :
report-received-heading = Merci pour votre signalement
report-received-text =
    L’exploitant de ce service peut le lire pendant { $days ->
        [one] { $days } jour
       *[other] { $days } jours
    }. Vous n’avez rien d’autre à faire, et rien à enregistrer.
report-enough-heading = Cette demande a déjà été signalée assez souvent
report-enough-text = L’exploitant de ce service peut lire les signalements reçus. Celui-ci n’y a pas été ajouté.
report-too-many-heading = Trop de signalements à la fois
report-too-many-text = Plusieurs sont venus de votre réseau en peu de temps ; celui-ci n’a donc pas été conservé. Veuillez réessayer plus tard.

## A link that leads to no recording

closed-expired-text = Il était ouvert pour un temps limité, et ce temps est écoulé. Tout ce qui a été enregistré avec ce lien a été supprimé. Si une vidéo est encore utile, demandez un nouveau lien.
closed-submitted-heading = La vidéo a été reçue
closed-submitted-text = Quelqu’un a enregistré et envoyé une vidéo avec ce lien. Il ne sert qu’une fois, il n’y a donc plus rien à faire ici.
closed-not-found-heading = Ce lien ne mène à rien
closed-not-found-text = Une partie de l’adresse manque peut-être, ou la demande a été retirée. Si vous avez copié le lien, vérifiez qu’il est complet.
closed-error-heading = Un problème est survenu
closed-error-text = C’est notre faute, pas la vôtre. Veuillez réessayer dans une minute.
