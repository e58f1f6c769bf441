//! French, polite (vous).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Langue",
        Message::Title => "Enregistrer une vidéo",
        Message::Description => {
            "Enregistrez une vidéo dans votre navigateur et envoyez-la. Sans application ni compte."
        }
        Message::Terms => "Conditions",
        Message::Privacy => "Confidentialité",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "On vous demande d’enregistrer une vidéo",
        Message::ForWhom => {
            "Elle est destinée à l’auteur de cette demande, peut-être un agent d’IA. Nous ne \
             vérifions pas de qui il s’agit."
        }
        Message::NothingYet => {
            "Rien n’est enregistré tant que vous n’avez pas appuyé sur Enregistrer."
        }
        Message::TurnOnCamera => "Activer la caméra",
        Message::RecordScreen => "Enregistrer l’écran",
        Message::ChooseVideo => "Choisir une vidéo",
        Message::FilmWithApp => "Utiliser l’appli photo",
        Message::UsePhone => "Utiliser plutôt la caméra du téléphone",
        Message::UsePhoneHow => {
            "Visez ce code avec l’appareil photo de votre téléphone. Cette même page s’y ouvrira."
        }
        Message::CodeOfLink => "Code QR de ce lien",
        Message::OtherRecords => "Un autre appareil est en train d’enregistrer.",
        Message::InApp => {
            "Vous êtes dans le navigateur d’une autre application. Si la caméra ne marche pas ici :"
        }
        Message::OpenInSafari => {
            "Touchez ••• ou le symbole de partage.\n\
             Choisissez « Ouvrir dans Safari » ou « Ouvrir dans le navigateur »."
        }
        Message::OpenInChrome => {
            "Touchez ⋮ ou ••• en haut.\n\
             Choisissez « Ouvrir dans Chrome » ou « Ouvrir dans le navigateur »."
        }
        Message::CopyLink => "Copier le lien",
        Message::Copied => "Copié",

        // What to know.
        Message::GoodToKnow => "Bon à savoir",
        Message::WhoWatches => "Qui la regarde",
        Message::WhoWatchesText => {
            "Uniquement l’auteur de cette demande : une personne ou un agent d’IA, pas forcément \
             qui vous a envoyé le lien. Nous ne vérifions pas de qui il s’agit."
        }
        Message::WhatIsRecorded => "Ce qui est enregistré",
        Message::WhatIsRecordedText => {
            "Seulement ce qui se passe tant que la barre rouge est visible. La vidéo est envoyée à \
             notre serveur pendant l’enregistrement, pour que rien ne se perde. Si vous n’en \
             voulez pas, elle y est supprimée."
        }
        Message::HowLong => "Durée de conservation",
        Message::HowLongText => "Le lien et la vidéo sont supprimés le {until}.",
        Message::YourChoice => "Vous avez le choix",
        Message::YourChoiceText => {
            "Rien ne vous y oblige. Si vous fermez simplement cette page, il ne se passe rien."
        }
        Message::TakeCare => "Attention",
        Message::TakeCareText => {
            "Ne montrez jamais de pièce d’identité, de carte bancaire ni de mot de passe, sauf si \
             vous vous y attendiez."
        }
        Message::Private => "Pas de compte, pas de pistage, pas de tiers.",
        Message::Report => "Signaler cette demande",

        // Nothing to do here for the moment.
        Message::Asking => "Votre navigateur demande l’autorisation",
        Message::AskingText => {
            "Veuillez l’accorder. Vous verrez d’abord l’image ; rien n’est encore enregistré."
        }
        Message::Cancel => "Annuler",
        Message::Elsewhere => "Cette page est ouverte dans un autre onglet",
        Message::ElsewhereText => {
            "Si un enregistrement y est en cours, il s’arrête, et vous le retrouvez ici."
        }
        Message::GoOnHere => "Continuer ici",

        // What keeps the camera from us.
        Message::Denied => "La caméra est bloquée pour cette page",
        Message::NoCamera => "Aucune caméra trouvée",
        Message::NoCameraText => {
            "Branchez-en une et réessayez, ou ouvrez ce lien sur votre téléphone."
        }
        Message::Busy => "La caméra est déjà utilisée",
        Message::BusyText => {
            "Une autre application ou un autre onglet semble l’utiliser, un appel vidéo par exemple. \
             Fermez-le, puis réessayez."
        }
        Message::Insecure => "La caméra exige une adresse sécurisée",
        Message::InsecureText => {
            "Les navigateurs ne l’autorisent que pour les liens qui commencent par https. Demandez \
             un tel lien."
        }
        Message::Unsupported => "Ce navigateur ne peut pas enregistrer",
        Message::UnsupportedText => {
            "Copiez le lien et ouvrez-le dans une version récente de Safari, Chrome ou Firefox."
        }
        Message::NoPicture => "La caméra ne donne aucune image",
        Message::NoPictureText => "Rien n’a été enregistré. Veuillez réessayer.",
        Message::NoScreen => "L’écran n’a pas été partagé",
        Message::NoScreenText => {
            "Rien n’a été enregistré. Pour continuer, réessayez et choisissez ce que vous partagez."
        }
        Message::TryAgain => "Réessayer",
        Message::WithSound => "Avec le son. Décochez si seul le micro pose problème.",
        Message::OrFile => "Ou filmez avec votre appli photo et choisissez cette vidéo ici.",
        Message::UnblockIosSafari => {
            "Touchez le symbole à côté de l’adresse, puis « Réglages du site web ».\n\
             Autorisez la caméra et le micro."
        }
        Message::UnblockIosApp => {
            "Ouvrez les réglages de votre appareil et cherchez {browser}.\n\
             Activez l’appareil photo et le micro."
        }
        Message::UnblockAndroid => {
            "Touchez le symbole au début de l’adresse, puis « Autorisations ».\n\
             Autorisez la caméra et le micro."
        }
        Message::UnblockAndroidFirefox => {
            "Touchez le cadenas ou le bouclier à côté de l’adresse.\n\
             Touchez « Bloqué » pour la caméra et le micro afin de les autoriser."
        }
        Message::UnblockChrome => {
            "Cliquez sur le symbole au début de l’adresse.\n\
             Activez la caméra et le micro."
        }
        Message::UnblockEdge => {
            "Cliquez sur le cadenas au début de l’adresse, puis sur « Autorisations pour ce site ».\n\
             Autorisez la caméra et le micro."
        }
        Message::UnblockFirefox => {
            "Cliquez sur la caméra barrée au début de l’adresse.\n\
             Retirez « Bloqué » avec la croix (×) à côté."
        }
        Message::UnblockSafari => {
            "Dans la barre des menus, choisissez « Safari », puis « Réglages pour ce site web… ».\n\
             Autorisez la caméra et le micro."
        }
        Message::UnblockOther => {
            "Touchez le symbole à côté de l’adresse.\n\
             Autorisez la caméra et le micro."
        }
        Message::UnblockSystem => {
            "Toujours bloquée ? Alors autorisez la caméra pour ce navigateur dans les réglages de \
             votre appareil."
        }

        // At the camera.
        Message::CameraSees => "Ce que voit la caméra",
        Message::NotYet => {
            "Rien n’est encore enregistré. Appuyez sur Enregistrer quand vous voulez."
        }
        Message::Record => "Enregistrer",
        Message::Flip => "Changer de caméra",
        Message::TurnOff => "Désactiver",
        Message::Sound => "Son",
        Message::Devices => "Caméra et micro",
        Message::Camera => "Caméra",
        Message::Microphone => "Micro",
        Message::Loudness => "Volume",
        Message::NoSound => "Sans son",
        Message::Unheard => "On ne vous entend pas. Le micro est-il coupé ou couvert ?",
        Message::Dark => "L’image est sombre ou masquée.",
        Message::Muted => "Votre appareil bloque la caméra : la vidéo serait noire.",
        Message::SoundLost => "Le micro a été perdu. La vidéo continue sans le son.",
        Message::LittleRoom => "Il reste peu de place sur cet appareil : faites court.",
        Message::Unkept => {
            "Ce navigateur ne garde rien : laissez la page ouverte jusqu’à l’envoi de la vidéo."
        }
        Message::StartNow => "Commencer tout de suite",

        // Recording.
        Message::Recording => "Enregistrement {recorded}",
        Message::Paused => "En pause {recorded}",
        Message::Progress => "Enregistré {recorded} · envoyé {sent}",
        Message::Waiting => "L’envoi est impossible pour le moment et reprendra tout seul.",
        Message::ServerFull => {
            "Le serveur n’a plus de place pour le moment. Nous réessayons automatiquement."
        }
        Message::Offline => "Vous êtes hors ligne. Nous reprendrons dès votre retour.",
        Message::KeptHere => "D’ici là, tout est gardé ici.",
        Message::LastMinute => "Encore {left}, puis l’enregistrement s’arrête tout seul.",
        Message::Pause => "Pause",
        Message::GoOn => "Reprendre",
        Message::Stop => "Arrêter",
        Message::OneMoment => "Un instant…",

        // Reviewing.
        Message::YourRecording => "Votre enregistrement",
        Message::HaveALook => "Regardez-la",
        Message::NobodyYet => "Personne ne reçoit cette vidéo avant que vous ne l’envoyiez.",
        Message::Facts => "Durée {recorded} · taille {size}",
        Message::Uploaded => "{percent} transférés, le reste suit tout seul.",
        Message::UploadedAll => "Tout est transféré, prêt à être envoyé.",
        Message::Located => "Ce fichier indique où il a été filmé. Qui le reçoit peut le voir.",
        Message::Interrupted => {
            "L’enregistrement s’est arrêté tout seul. Ce qui a été enregistré jusque-là est ici."
        }
        Message::Resumed => "Vous revoilà ! Votre enregistrement ({recorded}) est conservé.",
        Message::ChosenFile => "Voici la vidéo que vous avez choisie.",
        Message::Reading => "Chargement de la vidéo…",
        Message::NoPreview => {
            "Elle ne peut plus être lue ici, car il fallait de la place. Elle est conservée tout \
             de même."
        }
        Message::NoPlayer => {
            "Ce navigateur ne peut pas lire ce fichier. Vous pouvez l’envoyer quand même."
        }
        Message::ClosesSoon => "Ce lien expire dans quelques minutes. Envoyez la vidéo avant.",
        Message::Send => "Envoyer cette vidéo",
        Message::Again => "Recommencer",
        Message::Save => "Enregistrer sur cet appareil",
        Message::ThrowAway => "Supprimer cette vidéo ?",
        Message::ThrowAwayText => "Elle sera supprimée, ici et sur notre serveur.",
        Message::Discard => "Oui, recommencer",
        Message::Keep => "Garder celle-ci",

        // Sending.
        Message::Sending => "Envoi : {percent}",
        Message::KeepOpen => "Veuillez laisser cette page ouverte un instant.",
        Message::Preparing => "Elle est arrivée et en cours de préparation.",
        Message::Received => "Vidéo reçue",
        Message::ReceivedText => "C’est envoyé. Vous pouvez fermer cette page. Merci !",
        Message::StillHere => {
            "Votre enregistrement est toujours ici : vous pouvez le regarder et l’enregistrer sur cet appareil jusqu’à la fermeture de cette page."
        }

        // Over.
        Message::Expired => "Ce lien a expiré",
        Message::ExpiredText => {
            "Son délai s’est écoulé avant l’envoi de la vidéo. Ce qui avait été envoyé au serveur est supprimé. \
             Si une vidéo est encore utile, demandez un nouveau lien."
        }
        Message::AlreadySent => "Une vidéo a déjà été envoyée",
        Message::AlreadySentText => {
            "Quelqu’un en a envoyé une avec ce lien, peut-être vous sur un autre appareil. Il ne \
             sert qu’une fois, celle-ci n’a donc pas été envoyée."
        }
        Message::Withdrawn => "Cette demande a été retirée",
        Message::WithdrawnText => {
            "La vidéo n’est plus nécessaire. Ce qui avait été envoyé au serveur est supprimé."
        }
        Message::TakenDown => "Cette demande a été supprimée",
        Message::TakenDownText => {
            "L’exploitant de ce service l’a retirée. Tout ce qui avait été envoyé au serveur est effacé."
        }
        Message::TooLarge => "Cette vidéo est trop volumineuse",
        Message::TooLargeText => {
            "Elle dépasse ce que ce serveur accepte et n’a donc pas été envoyée. Veuillez en \
             enregistrer une plus courte."
        }
        Message::Unreadable => "Ce fichier n’est plus lisible",
        Message::UnreadableText => {
            "Il a été modifié ou déplacé, ou n’est pas entièrement sur cet appareil. Rien n’a été envoyé. Veuillez le choisir à nouveau."
        }
        Message::Refused => "Cette vidéo ne peut pas être acceptée",
        Message::RefusedText => {
            "Le serveur l’a refusée. Veuillez recommencer, peut-être dans un autre navigateur."
        }
        Message::Unplayable => "Cette vidéo ne peut pas être lue",
        Message::UnplayableText => {
            "Il y manque quelque chose, ou elle est abîmée ; elle n’a donc pas été envoyée. Veuillez \
             recommencer."
        }

        // Said aloud.
        Message::SaidCountdown => "L’enregistrement commence dans 3 secondes.",
        Message::SaidRecording => "Enregistrement en cours.",
        Message::SaidPaused => "En pause.",
        Message::SaidStopped => "Enregistrement terminé.",
        Message::SaidReview => "Voici votre enregistrement.",
        Message::SaidReceived => "Vidéo reçue.",
        Message::SaidLastMinute => "Il reste une minute.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "L’enregistreur n’a pas pu démarrer dans ce navigateur. Rechargez la page ou ouvrez le \
             lien dans un autre navigateur. Vous pouvez aussi filmer avec votre appli photo et \
             envoyer la vidéo ici."
        }
        Message::NoScript => {
            "Pour enregistrer sur cette page, il faut JavaScript, qui est désactivé dans ce \
             navigateur. Vous pouvez filmer avec votre appli photo et envoyer la vidéo ici."
        }
        Message::YourVideo => "Votre vidéo",

        // Reporting.
        Message::ReportText => {
            "L’exploitant de ce service le lira et peut supprimer la demande. L’auteur de la \
             demande n’en est pas informé, et rien n’est conservé à votre sujet."
        }
        Message::ReportWhy => "Qu’est-ce qui ne va pas ?",
        Message::ReportDanger => "Elle demande quelque chose d’illégal ou de dangereux",
        Message::ReportHarassment => "Elle harcèle quelqu’un ou demande quelque chose d’intime",
        Message::ReportFraud => "C’est une escroquerie, ou quelqu’un se fait passer pour un autre",
        Message::ReportOther => "Autre chose",
        Message::ReportMore => "Que faut-il savoir ? Vous pouvez laisser ce champ vide.",
        Message::ReportSend => "Envoyer le signalement",
        Message::ReportLacksReason => "Choisissez ce qui ne va pas. Rien n’a encore été envoyé.",
        Message::ReportTooLong => {
            "Votre texte est trop long : raccourcissez-le. Rien n’a encore été envoyé."
        }
        Message::ReportContact => {
            "Vous pouvez aussi vous adresser directement à l’exploitant de ce service :"
        }
        Message::Reported => "Merci pour votre signalement",
        Message::ReportedText => {
            "L’exploitant de ce service peut le lire pendant 30 jours. Vous n’avez rien d’autre à \
             faire, et rien à enregistrer."
        }
        Message::ReportedOften => "Cette demande a déjà été assez signalée",
        Message::ReportedOftenText => {
            "L’exploitant de ce service peut lire les signalements reçus. Celui-ci n’y a pas été \
             ajouté."
        }
        Message::TooManyReports => "Trop de signalements à la fois",
        Message::TooManyReportsText => {
            "Plusieurs sont venus de votre réseau en peu de temps ; celui-ci n’a donc pas été \
             conservé. Veuillez réessayer plus tard."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Il était ouvert pour un temps limité, et ce temps est écoulé. Tout ce qui a été \
             enregistré avec lui est supprimé. Si une vidéo est encore utile, demandez un nouveau \
             lien."
        }
        Message::ClosedSubmitted => "La vidéo a été reçue",
        Message::ClosedSubmittedText => {
            "Quelqu’un a enregistré et envoyé une vidéo avec ce lien. Il ne sert qu’une fois, il n’y \
             a donc plus rien à faire ici."
        }
        Message::Unknown => "Ce lien ne mène à rien",
        Message::UnknownText => {
            "Une partie de l’adresse manque peut-être, ou la demande a été retirée. Si vous avez \
             copié le lien, vérifiez qu’il est complet."
        }
        Message::NoFile => "Aucune vidéo n’a été choisie",
        Message::NoFileText => {
            "Veuillez revenir en arrière, choisir une vidéo et l’envoyer de nouveau."
        }
        Message::NoVideo => "Ce fichier ne peut pas être accepté",
        Message::NoVideoText => {
            "Veuillez revenir en arrière et choisir une vidéo : WebM, MP4, MOV ou MKV."
        }
        Message::NoPictureInFileText => {
            "Elle ne contient pas d’image, ou une partie du fichier manque ; elle n’a donc pas été \
             gardée. Veuillez revenir en arrière et en choisir une autre."
        }
        Message::ClosedTooLargeText => {
            "Elle dépasse ce que ce serveur accepte et n’a donc pas été gardée. Veuillez revenir en \
             arrière et en envoyer une plus courte."
        }
        Message::NotArrived => "La vidéo n’est pas arrivée",
        Message::NotArrivedText => {
            "La connexion a été coupée avant la fin, et rien n’a été gardé. Veuillez revenir en \
             arrière et l’envoyer de nouveau."
        }
        Message::Broken => "Un problème est survenu",
        Message::BrokenText => {
            "C’est notre faute, pas la vôtre. Veuillez réessayer dans une minute."
        }
    }
}
