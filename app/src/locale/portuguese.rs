//! Portuguese, as understood in Brazil and Portugal (você).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Idioma",
        Message::Title => "Gravar um vídeo",
        Message::Description => {
            "Grave um vídeo no seu navegador e envie-o. Sem aplicativo nem conta."
        }
        Message::Terms => "Termos",
        Message::Privacy => "Privacidade",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} de {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "Pediram que você grave um vídeo",
        Message::ForWhom => {
            "Ele vai para quem fez este pedido, talvez um agente de IA. Não verificamos quem é."
        }
        Message::NothingYet => "Nada é gravado até você tocar em Gravar.",
        Message::TurnOnCamera => "Ligar a câmera",
        Message::RecordScreen => "Gravar a tela",
        Message::ChooseVideo => "Escolher um vídeo",
        Message::FilmWithApp => "Usar o app da câmera",
        Message::UsePhone => "Usar a câmera do celular",
        Message::UsePhoneHow => {
            "Aponte a câmera do celular para este código. Esta mesma página se abre lá."
        }
        Message::CodeOfLink => "Código QR deste link",
        Message::OtherRecords => "Outro aparelho está gravando.",
        Message::InApp => {
            "Você está no navegador de outro aplicativo. Se a câmera não funcionar aqui:"
        }
        Message::OpenInSafari => {
            "Toque em ••• ou no símbolo de compartilhar.\n\
             Escolha “Abrir no Safari” ou “Abrir no navegador”."
        }
        Message::OpenInChrome => {
            "Toque em ⋮ ou ••• no alto.\n\
             Escolha “Abrir no Chrome” ou “Abrir no navegador”."
        }
        Message::CopyLink => "Copiar o link",
        Message::Copied => "Copiado",

        // What to know.
        Message::GoodToKnow => "Bom saber",
        Message::WhoWatches => "Quem assiste",
        Message::WhoWatchesText => {
            "Só quem fez este pedido: uma pessoa ou um agente de IA, e nem sempre quem lhe enviou \
             o link. Não verificamos quem é."
        }
        Message::WhatIsRecorded => "O que é gravado",
        Message::WhatIsRecordedText => {
            "Só o que acontece enquanto a barra vermelha aparece. É enviado ao nosso servidor \
             durante a gravação, para que nada se perca. Se você rejeitar a gravação, ela é apagada \
             de lá."
        }
        Message::HowLong => "Por quanto tempo fica",
        Message::HowLongText => "O link e o vídeo são apagados: {until}.",
        Message::YourChoice => "Você decide",
        Message::YourChoiceText => {
            "Você não precisa fazer isto. Se simplesmente fechar esta página, nada acontece."
        }
        Message::TakeCare => "Tome cuidado",
        Message::TakeCareText => {
            "Nunca mostre documentos de identidade, cartões bancários ou senhas, a não ser que já \
             esperasse por isso."
        }
        Message::Private => "Sem conta, sem rastreadores, sem terceiros.",
        Message::Report => "Denunciar este pedido",

        // Nothing to do here for the moment.
        Message::Asking => "Seu navegador pede permissão",
        Message::AskingText => {
            "Permita, por favor. Primeiro você verá a imagem; nada é gravado ainda."
        }
        Message::Cancel => "Cancelar",
        Message::Elsewhere => "Esta página está aberta em outra aba",
        Message::ElsewhereText => {
            "Se lá estiver a gravar, essa gravação termina e continua com ela aqui."
        }
        Message::GoOnHere => "Continuar aqui",

        // What keeps the camera from us.
        Message::Denied => "A câmera está bloqueada para esta página",
        Message::NoCamera => "Nenhuma câmera encontrada",
        Message::NoCameraText => "Conecte uma e tente de novo, ou abra este link no celular.",
        Message::Busy => "A câmera está em uso",
        Message::BusyText => {
            "Outro aplicativo ou outra aba parece estar com ela, como uma chamada de vídeo. Feche e \
             tente de novo."
        }
        Message::Insecure => "A câmera precisa de um endereço seguro",
        Message::InsecureText => {
            "Os navegadores só a permitem em links que começam com https. Peça um link assim."
        }
        Message::Unsupported => "Este navegador não consegue gravar",
        Message::UnsupportedText => {
            "Copie o link e abra-o em um Safari, Chrome ou Firefox recente."
        }
        Message::NoPicture => "A câmera não mostrou imagem",
        Message::NoPictureText => "Nada foi gravado. Tente de novo, por favor.",
        Message::NoScreen => "A tela não foi compartilhada",
        Message::NoScreenText => {
            "Nada foi gravado. Se quiser continuar, tente de novo e escolha o que compartilhar."
        }
        Message::TryAgain => "Tentar de novo",
        Message::WithSound => "Com som. Desmarque se o problema for só o microfone.",
        Message::OrFile => "Ou filme com o app da câmera e escolha esse vídeo aqui.",
        Message::UnblockIosSafari => {
            "Toque no símbolo ao lado do endereço e depois em “Ajustes do Site”.\n\
             Permita a câmera e o microfone."
        }
        Message::UnblockIosApp => {
            "Abra os Ajustes do seu aparelho e procure {browser}.\n\
             Ative a câmera e o microfone."
        }
        Message::UnblockAndroid => {
            "Toque no símbolo no início do endereço e depois em “Permissões”.\n\
             Permita a câmera e o microfone."
        }
        Message::UnblockAndroidFirefox => {
            "Toque no cadeado ou no escudo ao lado do endereço.\n\
             Toque em “Bloqueado” na câmera e no microfone para permiti-los."
        }
        Message::UnblockChrome => {
            "Clique no símbolo no início do endereço.\n\
             Ative a câmera e o microfone."
        }
        Message::UnblockEdge => {
            "Clique no cadeado no início do endereço e depois em “Permissões para este site”.\n\
             Permita a câmera e o microfone."
        }
        Message::UnblockFirefox => {
            "Clique na câmera riscada no início do endereço.\n\
             Remova “Bloqueado” com o × ao lado."
        }
        Message::UnblockSafari => {
            "Na barra de menus, escolha “Safari” e depois “Ajustes para Este Site…”.\n\
             Permita a câmera e o microfone."
        }
        Message::UnblockOther => {
            "Toque no símbolo ao lado do endereço.\n\
             Permita a câmera e o microfone."
        }
        Message::UnblockSystem => {
            "Ainda bloqueada? Então permita a câmera para este navegador nas configurações do seu \
             aparelho."
        }

        // At the camera.
        Message::CameraSees => "O que a câmera vê",
        Message::NotYet => "Nada é gravado ainda. Toque em Gravar quando quiser começar.",
        Message::Record => "Gravar",
        Message::Flip => "Trocar de câmera",
        Message::TurnOff => "Desligar",
        Message::Sound => "Som",
        Message::Devices => "Câmera e microfone",
        Message::Camera => "Câmera",
        Message::Microphone => "Microfone",
        Message::Loudness => "Volume",
        Message::NoSound => "Sem som",
        Message::Unheard => "Não ouvimos você. O microfone está mudo ou coberto?",
        Message::Dark => "A imagem está escura ou coberta.",
        Message::Muted => "O seu dispositivo está a bloquear a câmara: o vídeo ficaria preto.",
        Message::SoundLost => "O microfone foi desligado. O vídeo continua sem som.",
        Message::LittleRoom => "Há pouco espaço neste aparelho: grave algo curto.",
        Message::Unkept => {
            "Este navegador não guarda nada: deixe a página aberta até o vídeo ser enviado."
        }
        Message::StartNow => "Começar já",

        // Recording.
        Message::Recording => "Gravando {recorded}",
        Message::Paused => "Em pausa {recorded}",
        Message::Progress => "Gravado {recorded} · enviado {sent}",
        Message::Waiting => "Não é possível enviar agora; o envio continua sozinho.",
        Message::ServerFull => {
            "O servidor está sem espaço neste momento. Tentamos de novo automaticamente."
        }
        Message::Offline => "Você está sem conexão. Continuamos quando você voltar.",
        Message::KeptHere => "Até lá, fica guardado aqui.",
        Message::LastMinute => "Faltam {left}; depois a gravação termina sozinha.",
        Message::Pause => "Pausar",
        Message::GoOn => "Continuar",
        Message::Stop => "Parar",
        Message::OneMoment => "Um momento…",

        // Reviewing.
        Message::YourRecording => "Sua gravação",
        Message::HaveALook => "Dê uma olhada",
        Message::NobodyYet => "Ninguém recebe este vídeo antes de você enviá-lo.",
        Message::Facts => "Duração {recorded} · tamanho {size}",
        Message::Uploaded => "{percent} já carregado, o resto segue sozinho.",
        Message::UploadedAll => "Tudo carregado, pronto para ser enviado.",
        Message::Located => "Este arquivo diz onde foi filmado. Quem o receber pode ver isso.",
        Message::Interrupted => {
            "A gravação terminou sozinha. O que foi gravado até então está aqui."
        }
        Message::Resumed => "Que bom ver você de novo: sua gravação ({recorded}) está a salvo.",
        Message::ChosenFile => "Este é o vídeo que você escolheu.",
        Message::Reading => "Carregando o vídeo…",
        Message::NoPreview => {
            "Não dá mais para reproduzi-lo aqui, porque faltou espaço. Mesmo assim, está a salvo."
        }
        Message::NoPlayer => {
            "Este navegador não consegue reproduzir o ficheiro. Pode enviá-lo na mesma."
        }
        Message::ClosesSoon => {
            "Este link expira dentro de poucos minutos. Envie o vídeo antes disso."
        }
        Message::Send => "Enviar este vídeo",
        Message::Again => "Gravar de novo",
        Message::Save => "Salvar neste aparelho",
        Message::ThrowAway => "Descartar este vídeo?",
        Message::ThrowAwayText => "Ele é apagado, aqui e no nosso servidor.",
        Message::Discard => "Sim, gravar de novo",
        Message::Keep => "Ficar com este",

        // Sending.
        Message::Sending => "Enviando: {percent}",
        Message::KeepOpen => "Deixe esta página aberta por um momento, por favor.",
        Message::Preparing => "Chegou e está sendo preparado.",
        Message::Received => "Vídeo recebido",
        Message::ReceivedText => "Enviado. Você pode fechar esta página. Obrigado!",
        Message::StillHere => {
            "A sua gravação ainda está aqui: pode vê-la e guardá-la até fechar esta página."
        }

        // Over.
        Message::Expired => "Este link expirou",
        Message::ExpiredText => {
            "O prazo acabou antes de o vídeo ser enviado. O que tinha sido carregado foi apagado. Se ainda \
             for preciso um vídeo, peça um novo link."
        }
        Message::AlreadySent => "Um vídeo já foi enviado",
        Message::AlreadySentText => {
            "Alguém enviou um com este link, talvez você em outro aparelho. Ele só vale uma vez, por \
             isso este não foi enviado."
        }
        Message::Withdrawn => "Este pedido foi retirado",
        Message::WithdrawnText => {
            "Quem pediu não precisa mais do vídeo. O que tinha sido carregado foi apagado."
        }
        Message::TakenDown => "Este pedido foi removido",
        Message::TakenDownText => {
            "Quem opera este serviço o retirou. Tudo o que tinha sido carregado foi apagado."
        }
        Message::TooLarge => "Este vídeo é grande demais",
        Message::TooLargeText => {
            "É maior do que este servidor aceita, por isso não foi enviado. Grave um mais curto, por \
             favor."
        }
        Message::Unreadable => "Já não é possível ler este ficheiro",
        Message::UnreadableText => {
            "Foi alterado ou movido, ou não está completo neste dispositivo. Nada foi enviado. Escolha-o novamente."
        }
        Message::Refused => "Este vídeo não pode ser aceito",
        Message::RefusedText => {
            "O servidor o recusou. Grave de novo, por favor, talvez em outro navegador."
        }
        Message::Unplayable => "Este vídeo não pode ser reproduzido",
        Message::UnplayableText => {
            "Algo nele falta ou está danificado, por isso não foi enviado. Grave de novo, por favor."
        }

        // Said aloud.
        Message::SaidCountdown => "A gravação começa em 3 segundos.",
        Message::SaidRecording => "Gravando.",
        Message::SaidPaused => "Em pausa.",
        Message::SaidStopped => "Gravação encerrada.",
        Message::SaidReview => "Aqui está sua gravação.",
        Message::SaidReceived => "Vídeo recebido.",
        Message::SaidLastMinute => "Falta um minuto.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "O gravador não conseguiu iniciar neste navegador. Recarregue a página ou abra o link em \
             outro navegador. Você também pode filmar com o app da câmera e enviar o vídeo aqui."
        }
        Message::NoScript => {
            "Para gravar nesta página é preciso JavaScript, que está desativado neste navegador. \
             Você pode filmar com o app da câmera e enviar o vídeo aqui."
        }
        Message::YourVideo => "Seu vídeo",

        // Reporting.
        Message::ReportText => {
            "Quem opera este serviço vai lê-la e pode remover o pedido. Quem pediu o vídeo não \
             fica sabendo, e nada sobre você é guardado."
        }
        Message::ReportWhy => "O que há de errado?",
        Message::ReportDanger => "Pede algo ilegal ou perigoso",
        Message::ReportHarassment => "Assedia alguém ou pede algo íntimo",
        Message::ReportFraud => "É uma fraude, ou alguém se faz passar por outra pessoa",
        Message::ReportOther => "Outra coisa",
        Message::ReportMore => "O que devemos saber? Você pode deixar em branco.",
        Message::ReportSend => "Enviar a denúncia",
        Message::ReportLacksReason => "Escolha o que há de errado. Nada foi enviado ainda.",
        Message::ReportTooLong => "Seu texto é longo demais: encurte-o. Nada foi enviado ainda.",
        Message::ReportContact => "Você também pode falar diretamente com quem opera este serviço:",
        Message::Reported => "Obrigado pela sua denúncia",
        Message::ReportedText => {
            "Quem opera este serviço pode lê-la por 30 dias. Você não precisa fazer mais nada nem \
             gravar nada."
        }
        Message::ReportedOften => "Este pedido já foi denunciado vezes suficientes",
        Message::ReportedOftenText => {
            "Quem opera este serviço pode ler as denúncias que já chegaram. Esta não foi acrescentada."
        }
        Message::TooManyReports => "Denúncias demais de uma vez",
        Message::TooManyReportsText => {
            "Várias vieram da sua rede em pouco tempo, por isso esta não foi guardada. Tente \
             novamente mais tarde."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Ele ficou aberto por tempo limitado, e esse tempo acabou. Tudo o que foi gravado com \
             ele foi apagado. Se ainda for preciso um vídeo, peça um novo link."
        }
        Message::ClosedSubmitted => "O vídeo foi recebido",
        Message::ClosedSubmittedText => {
            "Alguém gravou e enviou um vídeo com este link. Ele só vale uma vez, por isso não há \
             mais nada a fazer aqui."
        }
        Message::Unknown => "Não há nada neste link",
        Message::UnknownText => {
            "Talvez falte uma parte do endereço ou o pedido tenha sido retirado. Se você copiou o \
             link, verifique se ele está inteiro."
        }
        Message::NoFile => "Nenhum vídeo foi escolhido",
        Message::NoFileText => "Volte, escolha um vídeo e envie de novo, por favor.",
        Message::NoVideo => "Este arquivo não pode ser aceito",
        Message::NoVideoText => "Volte e escolha um vídeo, por favor: WebM, MP4, MOV ou MKV.",
        Message::NoPictureInFileText => {
            "Não há imagem nele, ou falta uma parte do arquivo, por isso não foi guardado. Volte e \
             escolha outro, por favor."
        }
        Message::ClosedTooLargeText => {
            "É maior do que este servidor aceita, por isso não foi guardado. Volte e envie um mais \
             curto, por favor."
        }
        Message::NotArrived => "O vídeo não chegou",
        Message::NotArrivedText => {
            "A conexão caiu antes de tudo chegar, e nada foi guardado. Volte e envie de novo, por \
             favor."
        }
        Message::Broken => "Algo deu errado",
        Message::BrokenText => "A culpa é nossa, não sua. Tente de novo em um minuto, por favor.",
    }
}
