//! Japanese, polite (です・ます).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "言語",
        Message::Title => "動画を撮影",
        Message::Description => {
            "ブラウザーで動画を撮影して送信できます。アプリもアカウントも不要です。"
        }
        Message::Terms => "利用規約",
        Message::Privacy => "プライバシー",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{month}{day}日 {time}（UTC）",

        // Before the camera.
        Message::Heading => "動画の撮影をお願いされています",
        Message::ForWhom => {
            "動画は、この依頼をした相手に届きます。AIエージェントの場合もあります。相手が誰かは確\
             認していません。"
        }
        Message::NothingYet => "「録画」を押すまで、何も録画されません。",
        Message::TurnOnCamera => "カメラをオンにする",
        Message::RecordScreen => "画面を録画",
        Message::ChooseVideo => "動画を選ぶ",
        Message::FilmWithApp => "カメラアプリを使う",
        Message::UsePhone => "スマートフォンのカメラを使う",
        Message::UsePhoneHow => {
            "スマートフォンのカメラをこのコードに向けてください。同じページが開きます。"
        }
        Message::CodeOfLink => "このリンクのQRコード",
        Message::OtherRecords => "別の端末で録画中です。",
        Message::InApp => "別のアプリ内のブラウザーで開いています。ここでカメラが使えない場合：",
        Message::OpenInSafari => {
            "••• または共有アイコンをタップします。\n\
             「Safariで開く」または「ブラウザで開く」を選びます。"
        }
        Message::OpenInChrome => {
            "上部の ⋮ または ••• をタップします。\n\
             「Chromeで開く」または「ブラウザで開く」を選びます。"
        }
        Message::CopyLink => "リンクをコピー",
        Message::Copied => "コピーしました",

        // What to know.
        Message::GoodToKnow => "はじめにお読みください",
        Message::WhoWatches => "誰が見るか",
        Message::WhoWatchesText => {
            "この依頼をした相手だけです。人の場合もAIエージェントの場合もあり、リンクを送った人と\
             は限りません。相手が誰かは確認していません。"
        }
        Message::WhatIsRecorded => "何が録画されるか",
        Message::WhatIsRecordedText => {
            "赤いバーが表示されている間だけです。失われないように、録画しながらサーバーに送られま\
             す。破棄すると、サーバーからも削除されます。"
        }
        Message::HowLong => "いつまで残るか",
        Message::HowLongText => "リンクと動画は {until} に削除されます。",
        Message::YourChoice => "するかどうかは自由です",
        Message::YourChoiceText => {
            "応じる必要はありません。このページを閉じるだけなら、何も起こりません。"
        }
        Message::TakeCare => "ご注意ください",
        Message::TakeCareText => {
            "事前に聞いていた場合を除き、身分証明書、銀行カード、パスワードは決して映さないでくだ\
             さい。"
        }
        Message::Private => "アカウントもトラッカーもなく、第三者も関わりません。",
        Message::Report => "この依頼を報告する",

        // Nothing to do here for the moment.
        Message::Asking => "ブラウザーが許可を求めています",
        Message::AskingText => "許可してください。まず映像が表示されるだけで、まだ録画されません。",
        Message::Cancel => "キャンセル",
        Message::Elsewhere => "このページは別のタブで開かれています",
        Message::ElsewhereText => {
            "そちらで録画中の場合、録画は終了し、その動画の続きをここで行えます。"
        }
        Message::GoOnHere => "ここで続ける",

        // What keeps the camera from us.
        Message::Denied => "このページではカメラがブロックされています",
        Message::NoCamera => "カメラが見つかりません",
        Message::NoCameraText => {
            "カメラを接続してもう一度試すか、このリンクをスマートフォンで開いてください。"
        }
        Message::Busy => "カメラは使用中です",
        Message::BusyText => {
            "ビデオ通話など、別のアプリやタブが使用しているようです。それを閉じてから、もう一度お\
             試しください。"
        }
        Message::Insecure => "カメラには安全なアドレスが必要です",
        Message::InsecureText => {
            "ブラウザーは https で始まるリンクでのみカメラを許可します。https のリンクを送ってもら\
             ってください。"
        }
        Message::Unsupported => "このブラウザーでは録画できません",
        Message::UnsupportedText => {
            "リンクをコピーして、新しいバージョンの Safari、Chrome、Firefox で開いてください。"
        }
        Message::NoPicture => "カメラの映像が得られませんでした",
        Message::NoPictureText => "何も録画されていません。もう一度お試しください。",
        Message::NoScreen => "画面は共有されませんでした",
        Message::NoScreenText => {
            "何も録画されていません。続けるには、もう一度試して共有するものを選んでください。"
        }
        Message::TryAgain => "もう一度試す",
        Message::WithSound => {
            "音声も録音する。問題がマイクだけの場合は、チェックを外してください。"
        }
        Message::OrFile => "または、カメラアプリで撮影して、その動画をここで選んでください。",
        Message::UnblockIosSafari => {
            "アドレスの横のアイコンをタップし、「Webサイトの設定」をタップします。\n\
             カメラとマイクを許可します。"
        }
        Message::UnblockIosApp => {
            "端末の「設定」を開き、{browser} を探します。\n\
             カメラとマイクをオンにします。"
        }
        Message::UnblockAndroid => {
            "アドレスの先頭のアイコンをタップし、「権限」をタップします。\n\
             カメラとマイクを許可します。"
        }
        Message::UnblockAndroidFirefox => {
            "アドレスの横の鍵または盾をタップします。\n\
             カメラとマイクの「ブロック」をタップして許可します。"
        }
        Message::UnblockChrome => {
            "アドレスの先頭のアイコンをクリックします。\n\
             カメラとマイクをオンにします。"
        }
        Message::UnblockEdge => {
            "アドレスの先頭の鍵をクリックし、「このサイトのアクセス許可」をクリックします。\n\
             カメラとマイクを許可します。"
        }
        Message::UnblockFirefox => {
            "アドレスの先頭の、斜線の入ったカメラをクリックします。\n\
             横の × で「ブロック」を解除します。"
        }
        Message::UnblockSafari => {
            "メニューバーで「Safari」、「このWebサイトの設定…」の順に選びます。\n\
             カメラとマイクを許可します。"
        }
        Message::UnblockOther => {
            "アドレスの横のアイコンをタップします。\n\
             カメラとマイクを許可します。"
        }
        Message::UnblockSystem => {
            "まだブロックされていますか？端末の設定で、このブラウザーにカメラを許可してください。"
        }

        // At the camera.
        Message::CameraSees => "カメラの映像",
        Message::NotYet => "まだ録画されていません。準備ができたら「録画」を押してください。",
        Message::Record => "録画",
        Message::Flip => "カメラ切り替え",
        Message::TurnOff => "オフにする",
        Message::Sound => "音声",
        Message::Devices => "カメラとマイク",
        Message::Camera => "カメラ",
        Message::Microphone => "マイク",
        Message::Loudness => "音量",
        Message::NoSound => "音声なし",
        Message::Unheard => "音が聞こえません。マイクがオフか、ふさがれていませんか？",
        Message::Dark => "映像が暗いか、さえぎられています。",
        Message::Muted => {
            "お使いの端末がカメラをブロックしています。このままでは映像が真っ黒になります。"
        }
        Message::SoundLost => "マイクの接続が切れました。録画は音声なしで続いています。",
        Message::LittleRoom => "この端末の空き容量がわずかです。短めに録画してください。",
        Message::Unkept => {
            "このブラウザーには何も保存されません。送信が終わるまでページを開いておいてください。"
        }
        Message::StartNow => "今すぐ開始",

        // Recording.
        Message::Recording => "録画中 {recorded}",
        Message::Paused => "一時停止中 {recorded}",
        Message::Progress => "録画 {recorded} · 送信済み {sent}",
        Message::Waiting => "今は送信できません。自動的に再開します。",
        Message::ServerFull => "サーバーの空き容量が不足しています。自動的に再試行します。",
        Message::Offline => "オフラインです。接続が戻ると再開します。",
        Message::KeptHere => "それまで、録画はここに保存されます。",
        Message::LastMinute => "残り {left} で録画は自動的に終わります。",
        Message::Pause => "一時停止",
        Message::GoOn => "続ける",
        Message::Stop => "停止",
        Message::OneMoment => "お待ちください…",

        // Reviewing.
        Message::YourRecording => "録画した動画",
        Message::HaveALook => "ご確認ください",
        Message::NobodyYet => "送信するまで、この動画は誰にも届きません。",
        Message::Facts => "長さ {recorded} · サイズ {size}",
        Message::Uploaded => "{percent} アップロード済み。残りは自動的に続きます。",
        Message::UploadedAll => "すべてアップロードされ、送信できます。",
        Message::Located => {
            "このファイルには撮影場所が含まれています。受け取った人はそれを見ることができます。"
        }
        Message::Interrupted => "録画が自動的に終わりました。それまでの録画はここにあります。",
        Message::Resumed => "お帰りなさい。{recorded} の録画は保存されています。",
        Message::ChosenFile => "選択した動画です。",
        Message::Reading => "動画を読み込んでいます…",
        Message::NoPreview => {
            "空き容量が必要だったため、ここではもう再生できません。動画は保存されています。"
        }
        Message::NoPlayer => "このブラウザーではファイルを再生できませんが、送信はできます。",
        Message::ClosesSoon => {
            "このリンクはあと数分で期限切れになります。それまでに動画を送信してください。"
        }
        Message::Send => "この動画を送信",
        Message::Again => "もう一度録画",
        Message::Save => "この端末に保存",
        Message::ThrowAway => "この動画を破棄しますか？",
        Message::ThrowAwayText => "ここからも、サーバーからも削除されます。",
        Message::Discard => "はい、もう一度録画",
        Message::Keep => "これを残す",

        // Sending.
        Message::Sending => "送信中：{percent}",
        Message::KeepOpen => "このページをもう少し開いておいてください。",
        Message::Preparing => "届きました。準備しています。",
        Message::Received => "動画を受け取りました",
        Message::ReceivedText => {
            "送信しました。このページを閉じてかまいません。ありがとうございました。"
        }
        Message::StillHere => {
            "録画した動画はまだここにあります。このページを閉じるまで、再生と保存ができます。"
        }

        // Over.
        Message::Expired => "このリンクは期限切れです",
        Message::ExpiredText => {
            "動画が送信される前に期限が過ぎました。アップロード済みの録画は削除されました。まだ動画が必要な場合は、\
             新しいリンクを依頼してください。"
        }
        Message::AlreadySent => "動画はすでに送信されています",
        Message::AlreadySentText => {
            "このリンクで動画が送信されています。別の端末からのご自身の送信かもしれません。リンク\
             は一度しか使えないため、この動画は送信されませんでした。"
        }
        Message::Withdrawn => "この依頼は取り下げられました",
        Message::WithdrawnText => {
            "動画はもう必要ありません。アップロード済みの録画は削除されました。"
        }
        Message::TakenDown => "この依頼は削除されました",
        Message::TakenDownText => {
            "このサービスの運営者が取り下げました。アップロードされたものはすべて削除されています。"
        }
        Message::TooLarge => "この動画は大きすぎます",
        Message::TooLargeText => {
            "このサーバーの上限を超えるため、送信されませんでした。もっと短く録画してください。"
        }
        Message::Unreadable => "ファイルを読み取れなくなりました",
        Message::UnreadableText => {
            "変更または移動されたか、この端末に完全には保存されていません。何も送信されていません。もう一度選択してください。"
        }
        Message::Refused => "この動画は受け付けられません",
        Message::RefusedText => {
            "サーバーに拒否されました。もう一度、できれば別のブラウザーで録画してください。"
        }
        Message::Unplayable => "この動画は再生できません",
        Message::UnplayableText => {
            "一部が欠けているか壊れているため、送信されませんでした。もう一度録画してください。"
        }

        // Said aloud.
        Message::SaidCountdown => "3秒後に録画が始まります。",
        Message::SaidRecording => "録画中です。",
        Message::SaidPaused => "一時停止しました。",
        Message::SaidStopped => "録画を停止しました。",
        Message::SaidReview => "録画をご確認ください。",
        Message::SaidReceived => "動画を受け取りました。",
        Message::SaidLastMinute => "残り1分です。",

        // Where the recorder can't run.
        Message::CannotStart => {
            "このブラウザーでは録画機能を起動できませんでした。ページを再読み込みするか、別のブラ\
             ウザーでリンクを開いてください。カメラアプリで撮影して、ここから送信することもできます。"
        }
        Message::NoScript => {
            "このページで録画するには JavaScript \
             が必要ですが、このブラウザーではオフになっています。カメラアプリで撮影して、ここから\
             送信できます。"
        }
        Message::YourVideo => "動画ファイル",

        // Reporting.
        Message::ReportText => {
            "このサービスの運営者が読み、依頼を削除できます。動画を依頼した相手には知らされず、あなたについては何も保存されません。"
        }
        Message::ReportWhy => "何が問題ですか？",
        Message::ReportDanger => "違法なこと、危険なことを求めている",
        Message::ReportHarassment => "嫌がらせである、または性的・私的な内容を求めている",
        Message::ReportFraud => "詐欺である、または誰かになりすましている",
        Message::ReportOther => "その他",
        Message::ReportMore => "知っておくべきことはありますか？空欄でもかまいません。",
        Message::ReportSend => "報告を送信",
        Message::ReportLacksReason => "何が問題かを選んでください。まだ何も送信されていません。",
        Message::ReportTooLong => {
            "文章が長すぎます。短くしてください。まだ何も送信されていません。"
        }
        Message::ReportContact => "このサービスの運営者に直接連絡することもできます：",
        Message::Reported => "ご報告ありがとうございます",
        Message::ReportedText => {
            "このサービスの運営者は30日間これを読むことができます。ほかに何もする必要はなく、録画する必要もありません。"
        }
        Message::ReportedOften => "この依頼はすでに十分に報告されています",
        Message::ReportedOftenText => {
            "このサービスの運営者は届いている報告を読むことができます。今回の報告は追加されませんでした。"
        }
        Message::TooManyReports => "報告が多すぎます",
        Message::TooManyReportsText => {
            "短い間にお使いのネットワークから複数の報告が届いたため、今回は保存されませんでした。後でもう一度お試しください。"
        }

        // Closed.
        Message::ClosedExpiredText => {
            "使える期間が限られており、その期間は過ぎました。このリンクで録画されたものはすべて削\
             除されました。まだ動画が必要な場合は、新しいリンクを依頼してください。"
        }
        Message::ClosedSubmitted => "動画は届いています",
        Message::ClosedSubmittedText => {
            "このリンクで動画が撮影され、送信されました。リンクは一度しか使えないため、ここでする\
             ことはもうありません。"
        }
        Message::Unknown => "このリンクには何もありません",
        Message::UnknownText => {
            "アドレスの一部が欠けているか、依頼が取り下げられた可能性があります。リンクをコピーし\
             た場合は、全体があるか確認してください。"
        }
        Message::NoFile => "動画が選ばれていません",
        Message::NoFileText => "戻って動画を選び、もう一度送信してください。",
        Message::NoVideo => "このファイルは受け付けられません",
        Message::NoVideoText => "戻って動画を選んでください：WebM、MP4、MOV、MKV。",
        Message::NoPictureInFileText => {
            "映像がないか、ファイルの一部が欠けているため、保存されませんでした。戻って別の動画を\
             選んでください。"
        }
        Message::ClosedTooLargeText => {
            "このサーバーの上限を超えるため、保存されませんでした。戻って、もっと短い動画を送信し\
             てください。"
        }
        Message::NotArrived => "動画は届きませんでした",
        Message::NotArrivedText => {
            "すべて届く前に接続が切れ、何も保存されませんでした。戻って、もう一度送信してください。"
        }
        Message::Broken => "問題が発生しました",
        Message::BrokenText => "こちら側の問題です。1分ほどしてから、もう一度お試しください。",
    }
}
