### Portuguese, as understood in Brazil and Portugal (você).

## Every page

page-language = Idioma
page-description = Grave um vídeo no seu navegador e envie-o. Sem aplicativo nem conta.
page-terms = Termos
page-privacy = Privacidade
report-heading = Denunciar este pedido
date-utc =
    { $day } de { $month ->
        [1] janeiro
        [2] fevereiro
        [3] março
        [4] abril
        [5] maio
        [6] junho
        [7] julho
        [8] agosto
        [9] setembro
        [10] outubro
        [11] novembro
       *[12] dezembro
    }, { $time } UTC

## The recording page, before the camera

record-title = Gravar um vídeo
record-prompt-heading = Pediram que você grave um vídeo
record-audience = Uma pessoa ou uma IA vai assistir. Não verificamos quem é; continue só se já esperava por isto.
record-step = { $number } de { $total }
record-camera-hint = Abrir a câmera não grava nada.
record-other-device = Outro aparelho está gravando.
source-camera = Abrir a câmera
source-screen = Gravar a tela
source-file = Usar um vídeo existente
source-camera-app = Usar o app da câmera
source-other = Outras formas
source-file-hint = Ou filme com o app da câmera e escolha esse vídeo aqui.
source-drop = Solte o vídeo aqui
source-drop-hint = Você também pode arrastar ou colar um vídeo aqui.
source-several-files = Escolha apenas um vídeo, por favor.
source-no-video = Não podemos aceitar este arquivo. Escolha um vídeo, por favor: WebM, MP4, MOV ou MKV.
source-phone = Usar a câmera do celular
source-phone-how = Aponte a câmera do celular para este código. Esta mesma página se abre lá.
source-phone-code = Código QR deste link
link-copy = Copiar o link
link-copied = Copiado
in-app-browser = Você está no navegador de outro aplicativo. Se a câmera não funcionar aqui:
in-app-leave = Abrir no navegador
in-app-open-safari =
    Toque em ••• ou no ícone de compartilhar.
    Escolha “Abrir no Safari” ou “Abrir no navegador”.
in-app-open-chrome =
    Toque em ⋮ ou ••• na parte superior.
    Escolha “Abrir no Chrome” ou “Abrir no navegador”.

## What to know before recording

privacy-heading = Bom saber
privacy-audience = Quem assiste
privacy-audience-text = Só quem fez este pedido: uma pessoa ou um agente de IA, e não necessariamente quem lhe enviou o link. Não verificamos quem é. Essa pessoa ou esse agente pode ficar com uma cópia.
privacy-recording = O que é gravado
privacy-recording-text = Só enquanto a barra vermelha aparece. O vídeo é carregado enquanto você grava, para que nada se perca. Se gravar de novo, o anterior é apagado.
privacy-retention-text = O link e o vídeo são apagados: { $until }.
privacy-transcript = O que for dito pode ser passado a texto.
privacy-choice-text = Você pode dizer não: basta fechar esta página.
privacy-caution = Nunca mostre documentos de identidade, cartões bancários ou senhas, a não ser que já esperasse por isso.
privacy-no-account = Sem conta, sem rastreadores.

## The browser asks for permission

permission-heading = Seu navegador pede permissão
permission-text = Escolha “Permitir”. Primeiro você verá a imagem; nada está sendo gravado ainda.
action-cancel = Cancelar
action-close = Fechar

## Open in another tab

tab-heading = Esta página está aberta em outra aba
tab-text = Se houver uma gravação em andamento lá, ela termina e você continua com ela aqui.
tab-continue = Continuar aqui

## No camera, and what to do about it

blocked-denied-heading = Seu navegador está bloqueando a câmera
blocked-no-camera-heading = Nenhuma câmera encontrada
blocked-no-camera-text = Conecte uma e tente de novo, ou abra este link no celular.
blocked-busy-heading = A câmera está em uso
blocked-busy-text = Outro aplicativo ou outra aba parece estar usando a câmera, como em uma chamada de vídeo. Feche e tente de novo.
blocked-insecure-heading = A câmera precisa de um endereço seguro
blocked-insecure-text = Os navegadores só a permitem em links que começam com https. Peça um link assim.
blocked-unsupported-heading = Este navegador não consegue gravar
blocked-unsupported-text = Copie o link e abra-o em um Safari, Chrome ou Firefox recente.
blocked-no-picture-heading = A câmera não mostra imagem
blocked-no-picture-text = Nada foi gravado. Tente de novo, por favor.
blocked-no-screen-heading = A tela não foi compartilhada
blocked-no-screen-text = Nada foi gravado. Se quiser continuar, tente de novo e escolha o que compartilhar.
blocked-try-again = Tentar de novo
blocked-with-sound = Com som. Desmarque se o problema for só o microfone.
unblock-ios-safari =
    Toque no ícone ao lado do endereço e depois em “Ajustes do Site”.
    Permita a câmera e o microfone.
unblock-ios-app =
    Abra os Ajustes do seu aparelho e procure { $browser }.
    Ative a câmera e o microfone.
unblock-android =
    Toque no ícone no início do endereço e depois em “Permissões”.
    Permita a câmera e o microfone.
unblock-android-firefox =
    Toque no cadeado ou no escudo ao lado do endereço.
    Toque em “Bloqueado” na câmera e no microfone para permiti-los.
unblock-chrome =
    Clique no ícone no início do endereço.
    Ative a câmera e o microfone.
unblock-edge =
    Clique no cadeado no início do endereço e depois em “Permissões para este site”.
    Permita a câmera e o microfone.
unblock-firefox =
    Clique na câmera riscada no início do endereço.
    Remova “Bloqueado” com o × ao lado.
unblock-safari =
    Na barra de menus, escolha “Safari” e depois “Ajustes para Este Site…”.
    Permita a câmera e o microfone.
unblock-other =
    Toque no ícone ao lado do endereço.
    Permita a câmera e o microfone.
unblock-system = Ainda bloqueada? Então permita a câmera para este navegador nas configurações do seu aparelho.

## At the camera

camera-picture = O que a câmera vê
camera-not-recording = Ainda não está gravando
camera-record = Gravar
camera-start-now = Começar já
camera-flip = Trocar de câmera
camera-front = Câmera frontal
camera-back = Câmera traseira
camera-torch = Lanterna
camera-zoom = Zoom
camera-lens = Lente
camera-lens-wide = Grande-angular
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Câmera e microfone
camera-device = Câmera
camera-microphone = Microfone
camera-sound = Som
camera-sound-level = Volume
signal-silent = Sem som
signal-no-microphone = Só o som da tela, sem microfone
signal-unheard = Não ouvimos você. O microfone está mudo ou coberto?
signal-sound-lost = O som foi perdido. O vídeo continua sem ele.
signal-dark = A imagem está escura ou coberta.
signal-muted = Seu aparelho está bloqueando a câmera: o vídeo ficaria preto.
storage-low = Há pouco espaço neste aparelho: grave algo curto.
storage-none = Este navegador não consegue guardar a gravação: deixe a página aberta até o vídeo ser enviado.

## Recording

recording-status = Gravando { $recorded }
recording-paused = Em pausa { $recorded }
recording-last-minute = Faltam { $left }; depois a gravação termina sozinha.
recording-pause = Pausar
recording-resume = Retomar
recording-stop = Parar
recording-finish = Concluir
recording-stopping = Um momento…

## Uploading

upload-sent = Carregado { $sent }
upload-progress = { $percent } já carregado, o resto segue sozinho.
upload-complete = Carregado e pronto para enviar.
upload-offline = Você está sem conexão. O carregamento continua quando a conexão voltar.
upload-waiting = Não estamos conseguindo carregar agora. Continuamos tentando.
upload-server-full = O servidor está cheio neste momento. Continuamos tentando.
upload-kept = Até lá, sua gravação fica guardada aqui.

## Reviewing

review-heading = Confira seu vídeo
review-question = Você mostrou isto?
review-not-sent = Ele só é enviado quando você tocar em Enviar.
review-video = Sua gravação
review-facts = Duração { $recorded } · tamanho { $size }
review-interrupted = A gravação terminou sozinha. O que foi gravado até então está aqui.
review-resumed = Que bom ver você de novo: sua gravação ({ $recorded }) está a salvo.
review-file = O vídeo que você escolheu: { $name }
review-reading = Lendo o vídeo… { $read }
review-no-preview = Não dá mais para reproduzi-lo aqui, porque faltou espaço. Mesmo assim, está a salvo.
review-no-player = Sem prévia: este navegador não consegue mostrar o vídeo. Você pode enviá-lo mesmo assim.
review-located = Este arquivo diz onde foi filmado. Quem o receber pode ver isso.
review-closes-soon = Este link expira em poucos minutos. Envie o vídeo antes disso.
review-send = Enviar este vídeo
review-again = Gravar de novo
review-save = Salvar neste aparelho
discard-heading = Apagar este vídeo e gravar de novo?
discard-text = Ele é apagado, aqui e no nosso servidor.
discard-confirm = Apagar e gravar de novo
discard-keep = Ficar com este

## Sending

submit-progress = Enviando: { $percent }
submit-keep-open = Deixe esta página aberta por um momento, por favor.
submit-preparing = Chegou e está sendo preparado.
submit-sent-heading = Enviado. Obrigado!
submit-sent-text = Quem pediu o vídeo já pode assistir. Você pode fechar esta página.
receipt-sent = Enviado: { $time }
receipt-save = Salvar comprovante

## The end of a link or of a recording

end-expired-heading = Este link expirou
end-expired-text = O prazo acabou antes de o vídeo ser enviado. O que tinha sido carregado foi apagado. Se ainda for preciso um vídeo, peça um novo link.
end-submitted-heading = Um vídeo já foi enviado
end-submitted-text = Alguém enviou um com este link, talvez você em outro aparelho. Ele só vale uma vez, por isso este não foi enviado.
end-withdrawn-heading = Este pedido foi retirado
end-withdrawn-text = Quem pediu não precisa mais do vídeo. O que tinha sido carregado foi apagado.
end-taken-down-heading = Este pedido foi removido
end-taken-down-text = Quem opera este serviço o removeu. Tudo o que tinha sido carregado foi apagado.
end-too-large-heading = Este vídeo é grande demais
end-too-large-text = É maior do que este servidor aceita, por isso não foi enviado. Grave um mais curto, por favor.
end-unreadable-heading = Não é mais possível ler este arquivo
end-unreadable-text = Ele foi alterado ou movido, ou não está completo neste aparelho. Nada foi enviado. Escolha-o de novo, por favor.
end-refused-heading = Este vídeo não pode ser aceito
end-refused-text = O servidor o recusou. Grave de novo, por favor, talvez em outro navegador.
end-unplayable-heading = Este vídeo não pode ser reproduzido
end-unplayable-text = Algo nele falta ou está danificado, por isso não foi enviado. Grave de novo, por favor.
end-still-here = Sua gravação ainda está aqui: você pode assistir e salvar até fechar esta página.

## Announced by screen readers

announce-countdown =
    A gravação começa em { $seconds ->
        [one] { $seconds } segundo
       *[other] { $seconds } segundos
    }.
announce-recording = Gravando.
announce-paused = Em pausa.
announce-stopped = Gravação encerrada.
announce-last-minute = Falta menos de um minuto; depois a gravação termina sozinha.

## The form, where the recorder can't run

form-cannot-start = Não foi possível iniciar a gravação neste navegador. Recarregue a página ou abra o link em outro navegador. Você também pode filmar com o app da câmera e enviar o vídeo aqui.
form-no-script = Para gravar nesta página é preciso JavaScript, que está desativado neste navegador. Você pode filmar com o app da câmera e enviar o vídeo aqui.
form-video = Seu vídeo
form-no-file-heading = Nenhum vídeo foi escolhido
form-no-file-text = Volte, escolha um vídeo e envie de novo, por favor.
form-not-a-video-heading = Este arquivo não pode ser aceito
form-not-a-video-text = Volte e escolha um vídeo, por favor: WebM, MP4, MOV ou MKV.
form-unplayable-text = Não há imagem nele, ou falta uma parte do arquivo, por isso não foi guardado. Volte e escolha outro, por favor.
form-too-large-text = É maior do que este servidor aceita, por isso não foi guardado. Volte e envie um mais curto, por favor.
form-interrupted-heading = O vídeo não chegou
form-interrupted-text = A conexão caiu antes de tudo chegar, e nada foi guardado. Volte e envie de novo, por favor.

## The form that reports a request

report-text = Quem opera este serviço vai ler sua denúncia e pode remover o pedido. Quem pediu o vídeo não fica sabendo, e nada sobre você é guardado com a denúncia.
report-reason = O que há de errado?
report-reason-danger = Pede algo ilegal ou perigoso
report-reason-harassment = Assedia alguém ou pede algo íntimo
report-reason-fraud = É uma fraude, ou alguém se faz passar por outra pessoa
report-reason-other = Outra coisa
report-details = O que pediram para você filmar e quem enviou o link? Você pode deixar em branco.
report-send = Enviar a denúncia
report-reason-missing = Escolha o que há de errado. Nada foi enviado ainda.
report-too-long = Seu texto é longo demais: encurte-o. Nada foi enviado ainda.
report-contact = Você também pode falar diretamente com quem opera este serviço:
report-received-heading = Obrigado pela sua denúncia
report-received-text =
    Quem opera este serviço pode lê-la por { $days ->
        [one] { $days } dia
       *[other] { $days } dias
    }. Você não precisa fazer mais nada nem gravar nada.
report-enough-heading = Este pedido já foi denunciado vezes suficientes
report-enough-text = Quem opera este serviço pode ler as denúncias que já chegaram. Esta não foi acrescentada.
report-too-many-heading = Denúncias demais de uma vez
report-too-many-text = Várias vieram da sua rede em pouco tempo, por isso esta não foi guardada. Tente de novo mais tarde.

## A link that leads to no recording

closed-expired-text = Ele ficou aberto por tempo limitado, e esse tempo acabou. Tudo o que foi gravado com ele foi apagado. Se ainda for preciso um vídeo, peça um novo link.
closed-submitted-heading = O vídeo foi recebido
closed-submitted-text = Alguém gravou e enviou um vídeo com este link. Ele só vale uma vez, por isso não há mais nada a fazer aqui.
closed-not-found-heading = Não há nada neste link
closed-not-found-text = Talvez falte uma parte do endereço ou o pedido tenha sido retirado. Se você copiou o link, verifique se ele está completo.
closed-error-heading = Algo deu errado
closed-error-text = A culpa é nossa, não sua. Tente de novo em um minuto, por favor.
