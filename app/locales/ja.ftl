### Japanese, polite (です・ます).

## Every page

page-language = 言語
page-description = ブラウザーで動画を撮影して送信できます。アプリもアカウントも不要です。
page-terms = 利用規約
page-privacy = プライバシー
report-heading = この依頼を報告する
date-utc = { $month }月{ $day }日 { $time }（UTC）

## The recording page, before the camera

record-title = 動画を撮影
record-prompt-heading = 動画の撮影をお願いされています
record-audience = 動画は人またはAIが見ます。相手が誰かは確認していないため、心当たりがある場合だけ続けてください。
record-step = { $number } / { $total }
record-camera-hint = カメラを起動しただけでは、何も録画されません。
record-other-device = 別の端末で録画中です。
source-camera = カメラを起動
source-screen = 画面を録画
source-file = 保存済みの動画を使う
source-camera-app = カメラアプリを使う
source-other = ほかの方法
source-file-hint = または、カメラアプリで撮影して、その動画をここで選んでください。
source-drop = ここに動画をドロップ
source-drop-hint = 動画をここにドロップするか、貼り付けることもできます。
source-several-files = 動画は1つだけ選んでください。
source-no-video = このファイルは受け付けられません。動画を選んでください：WebM、MP4、MOV、MKV。
source-phone = スマートフォンのカメラを使う
source-phone-how = スマートフォンのカメラをこのコードに向けてください。同じページが開きます。
source-phone-code = このリンクのQRコード
link-copy = リンクをコピー
link-copied = コピーしました
in-app-browser = 別のアプリ内のブラウザーで開いています。ここでカメラが使えない場合：
in-app-leave = ブラウザーで開く
in-app-open-safari =
    ••• または共有アイコンをタップします。
    「Safariで開く」または「ブラウザで開く」を選びます。
in-app-open-chrome =
    上部の ⋮ または ••• をタップします。
    「Chromeで開く」または「ブラウザで開く」を選びます。

## What to know before recording

privacy-heading = はじめにお読みください
privacy-audience = 誰が見るか
privacy-audience-text = この依頼をした相手だけです。人の場合もAIエージェントの場合もあり、リンクを送った人とは限りません。相手が誰かは確認していません。相手はコピーを保存できます。
privacy-recording = 何が録画されるか
privacy-recording-text = 赤いバーが表示されている間だけです。失われないように、録画しながらアップロードされます。もう一度録画すると、前の動画は削除されます。
privacy-retention-text = リンクと動画は { $until } に削除されます。
privacy-transcript = 話した内容は文字に起こされることがあります。
privacy-choice-text = 断ってもかまいません。このページを閉じるだけです。
privacy-caution = 事前に聞いていた場合を除き、身分証明書、銀行カード、パスワードは決して映さないでください。
privacy-no-account = アカウントもトラッカーもありません。

## The browser asks for permission

permission-heading = ブラウザーが許可を求めています
permission-text = 許可してください。まず映像が表示されるだけで、まだ録画されません。
action-cancel = キャンセル
action-close = 閉じる

## Open in another tab

tab-heading = このページは別のタブで開かれています
tab-text = そちらで録画中の場合、録画は終了し、その動画をここで確認できます。
tab-continue = ここで続ける

## No camera, and what to do about it

blocked-denied-heading = ブラウザーがカメラをブロックしています
blocked-no-camera-heading = カメラが見つかりません
blocked-no-camera-text = カメラを接続してもう一度試すか、このリンクをスマートフォンで開いてください。
blocked-busy-heading = カメラは使用中です
blocked-busy-text = ビデオ通話など、別のアプリやタブが使用しているようです。それを閉じてから、もう一度お試しください。
blocked-insecure-heading = カメラには安全なアドレスが必要です
blocked-insecure-text = ブラウザーは https で始まるリンクでのみカメラを許可します。https のリンクを送ってもらってください。
blocked-unsupported-heading = このブラウザーでは録画できません
blocked-unsupported-text = リンクをコピーして、新しいバージョンの Safari、Chrome、Firefox で開いてください。
blocked-no-picture-heading = カメラの映像が得られませんでした
blocked-no-picture-text = 何も録画されていません。もう一度お試しください。
blocked-no-screen-heading = 画面は共有されませんでした
blocked-no-screen-text = 何も録画されていません。続けるには、もう一度試して共有するものを選んでください。
blocked-try-again = もう一度試す
blocked-with-sound = 音声も録音する。問題がマイクだけの場合は、チェックを外してください。
unblock-ios-safari =
    アドレスの横のアイコンをタップし、「Webサイトの設定」をタップします。
    カメラとマイクを許可します。
unblock-ios-app =
    端末の「設定」を開き、{ $browser } を探します。
    カメラとマイクをオンにします。
unblock-android =
    アドレスの先頭のアイコンをタップし、「権限」をタップします。
    カメラとマイクを許可します。
unblock-android-firefox =
    アドレスの横の鍵または盾をタップします。
    カメラとマイクの「ブロック」をタップして許可します。
unblock-chrome =
    アドレスの先頭のアイコンをクリックします。
    カメラとマイクをオンにします。
unblock-edge =
    アドレスの先頭の鍵をクリックし、「このサイトのアクセス許可」をクリックします。
    カメラとマイクを許可します。
unblock-firefox =
    アドレスの先頭の、斜線の入ったカメラをクリックします。
    横の × で「ブロック」を解除します。
unblock-safari =
    メニューバーで「Safari」、「このWebサイトの設定…」の順に選びます。
    カメラとマイクを許可します。
unblock-other =
    アドレスの横のアイコンをタップします。
    カメラとマイクを許可します。
unblock-system = まだブロックされていますか？端末の設定で、このブラウザーにカメラを許可してください。

## At the camera

camera-picture = カメラの映像
camera-not-recording = まだ録画されていません
camera-record = 録画
camera-start-now = 今すぐ開始
camera-flip = カメラ切り替え
camera-front = 前面カメラ
camera-back = 背面カメラ
camera-torch = ライト
camera-zoom = ズーム
camera-lens = レンズ
camera-lens-wide = 広角
camera-lens-main = 標準
camera-lens-tele = 望遠
camera-devices = カメラとマイク
camera-device = カメラ
camera-microphone = マイク
camera-sound = 音声
camera-sound-level = 音量
signal-silent = 音声なし
signal-no-microphone = 画面の音声のみ（マイクなし）
signal-unheard = 音が聞こえません。マイクがオフか、ふさがれていませんか？
signal-sound-lost = 音声が途切れました。録画はその音声なしで続いています。
signal-dark = 映像が暗いか、さえぎられています。
signal-muted = お使いの端末がカメラをブロックしています。このままでは映像が真っ黒になります。
storage-low = この端末の空き容量がわずかです。短めに録画してください。
storage-none = このブラウザーには録画を保存できません。送信が終わるまでページを開いておいてください。

## Recording

recording-status = 録画中 { $recorded }
recording-paused = 一時停止中 { $recorded }
recording-last-minute = 残り { $left } で録画は自動的に終わります。
recording-pause = 一時停止
recording-resume = 再開
recording-stop = 停止
recording-finish = 完了
recording-stopping = お待ちください…

## Uploading

upload-sent = アップロード済み { $sent }
upload-progress = { $percent } アップロード済み。残りは自動的に続きます。
upload-complete = アップロード済みで、送信できます。
upload-offline = オフラインです。接続が戻るとアップロードを再開します。
upload-waiting = 今はアップロードできません。自動的に再試行しています。
upload-server-full = サーバーの空き容量が不足しています。自動的に再試行しています。
upload-kept = それまで、録画はここに保存されます。

## Reviewing

review-heading = 動画をご確認ください
review-question = これは映りましたか？
review-not-sent = 「送信」を押すまで、送信されません。
review-video = 録画した動画
review-facts = 長さ { $recorded } · サイズ { $size }
review-interrupted = 録画が自動的に終わりました。それまでの録画はここにあります。
review-resumed = おかえりなさい。{ $recorded } の録画は保存されています。
review-file = 選択した動画：{ $name }
review-reading = 動画を読み込んでいます… { $read }
review-no-preview = 空き容量が必要だったため、ここではもう再生できません。動画は保存されています。
review-no-player = このブラウザーではこの動画を表示できないため、プレビューはありません。このまま送信できます。
review-located = このファイルには撮影場所が含まれています。受け取った人はそれを見ることができます。
review-closes-soon = このリンクはあと数分で期限切れになります。それまでに動画を送信してください。
review-send = この動画を送信
review-again = もう一度録画
review-save = この端末に保存
discard-heading = この動画を削除して、もう一度録画しますか？
discard-text = ここからも、サーバーからも削除されます。
discard-confirm = 削除してもう一度録画
discard-keep = これを残す

## Sending

submit-progress = 送信中：{ $percent }
submit-keep-open = このページをもう少し開いておいてください。
submit-preparing = 届きました。準備しています。
submit-sent-heading = 送信しました。ありがとうございました。
submit-sent-text = 依頼した側で動画を見られるようになりました。このページは閉じてかまいません。
receipt-sent = 送信：{ $time }
receipt-save = 控えを保存

## The end of a link or of a recording

end-expired-heading = このリンクは期限切れです
end-expired-text = 動画が送信される前に期限が過ぎました。アップロード済みの録画は削除されました。まだ動画が必要な場合は、新しいリンクを依頼してください。
end-submitted-heading = 動画はすでに送信されています
end-submitted-text = このリンクで動画が送信されています。別の端末からのご自身の送信かもしれません。リンクは一度しか使えないため、この動画は送信されませんでした。
end-withdrawn-heading = この依頼は取り下げられました
end-withdrawn-text = 動画はもう必要ありません。アップロード済みの録画は削除されました。
end-taken-down-heading = この依頼は削除されました
end-taken-down-text = このサービスの運営者が削除しました。アップロードされたものはすべて削除されています。
end-too-large-heading = この動画は大きすぎます
end-too-large-text = このサーバーの上限を超えるため、送信されませんでした。もっと短く録画してください。
end-unreadable-heading = ファイルを読み取れなくなりました
end-unreadable-text = 変更または移動されたか、この端末に完全には保存されていません。何も送信されていません。もう一度選択してください。
end-refused-heading = この動画は受け付けられません
end-refused-text = サーバーに拒否されました。もう一度、できれば別のブラウザーで録画してください。
end-unplayable-heading = この動画は再生できません
end-unplayable-text = 一部が欠けているか壊れているため、送信されませんでした。もう一度録画してください。
end-still-here = 録画した動画はまだここにあります。このページを閉じるまで、再生と保存ができます。

## Announced by screen readers

announce-countdown = { $seconds }秒後に録画が始まります。
announce-recording = 録画中です。
announce-paused = 一時停止しました。
announce-stopped = 録画を停止しました。
announce-last-minute = 残り1分を切りました。そのあと録画は自動的に終わります。

## The form, where the recorder can't run

form-cannot-start = このブラウザーでは録画機能を起動できませんでした。ページを再読み込みするか、別のブラウザーでリンクを開いてください。カメラアプリで撮影して、ここから送信することもできます。
form-no-script = このページで録画するには JavaScript が必要ですが、このブラウザーではオフになっています。カメラアプリで撮影して、ここから送信できます。
form-video = 動画ファイル
form-no-file-heading = 動画が選ばれていません
form-no-file-text = 戻って動画を選び、もう一度送信してください。
form-not-a-video-heading = このファイルは受け付けられません
form-not-a-video-text = 戻って動画を選んでください：WebM、MP4、MOV、MKV。
form-unplayable-text = 映像がないか、ファイルの一部が欠けているため、保存されませんでした。戻って別の動画を選んでください。
form-too-large-text = このサーバーの上限を超えるため、保存されませんでした。戻って、もっと短い動画を送信してください。
form-interrupted-heading = 動画は届きませんでした
form-interrupted-text = すべて届く前に接続が切れ、何も保存されませんでした。戻って、もう一度送信してください。

## The form that reports a request

report-text = このサービスの運営者が報告を読み、依頼を削除することがあります。動画を依頼した相手には知らされず、報告とともにあなたに関する情報が保存されることもありません。
report-reason = 何が問題ですか？
report-reason-danger = 違法なこと、危険なことを求めている
report-reason-harassment = 嫌がらせである、または性的・私的な内容を求めている
report-reason-fraud = 詐欺である、または誰かになりすましている
report-reason-other = その他
report-details = 何を撮影するよう求められ、リンクは誰から届きましたか？空欄でもかまいません。
report-send = 報告を送信
report-reason-missing = 何が問題かを選んでください。まだ何も送信されていません。
report-too-long = 文章が長すぎます。短くしてください。まだ何も送信されていません。
report-contact = このサービスの運営者に直接連絡することもできます：
report-received-heading = ご報告ありがとうございます
report-received-text = このサービスの運営者は{ $days }日間これを読むことができます。ほかに何もする必要はなく、録画する必要もありません。
report-enough-heading = この依頼はすでに十分に報告されています
report-enough-text = このサービスの運営者は届いている報告を読むことができます。今回の報告は追加されませんでした。
report-too-many-heading = 報告が多すぎます
report-too-many-text = 短い間にお使いのネットワークから複数の報告が届いたため、今回は保存されませんでした。後でもう一度お試しください。

## A link that leads to no recording

closed-expired-text = このリンクを使える期間は終わりました。このリンクで録画されたものはすべて削除されました。まだ動画が必要な場合は、新しいリンクを依頼してください。
closed-submitted-heading = 動画は届いています
closed-submitted-text = このリンクで動画が撮影され、送信されました。リンクは一度しか使えないため、ここですることはもうありません。
closed-not-found-heading = このリンクには何もありません
closed-not-found-text = アドレスの一部が欠けているか、依頼が取り下げられた可能性があります。リンクをコピーした場合は、全体があるか確認してください。
closed-error-heading = 問題が発生しました
closed-error-text = こちら側の問題です。1分ほどしてから、もう一度お試しください。
