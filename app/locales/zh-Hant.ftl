### Traditional Chinese as in Taiwan, polite.

## Every page

page-language = 語言
page-description = 在瀏覽器中錄影並傳送。不需要 App，也不需要帳號。
page-terms = 條款
page-privacy = 隱私權
report-heading = 檢舉這個請求
date-utc = { $month }月{ $day }日 { $time }（UTC）

## The recording page, before the camera

record-title = 錄製影片
record-prompt-heading = 有人請您錄一段影片
record-audience = 影片會由真人或 AI 觀看。我們不會查證對方是誰，如果您事先不知道有這個請求，請不要繼續。
record-step = { $number } / { $total }
record-camera-hint = 開啟相機並不會開始錄影。
record-other-device = 另一部裝置正在錄影。
source-camera = 開啟相機
source-screen = 錄製螢幕
source-file = 使用現有影片
source-camera-app = 使用相機 App
source-other = 其他方式
source-file-hint = 您也可以用相機 App 拍攝，再到這裡選擇那段影片。
source-drop = 將影片放在這裡
source-drop-hint = 您也可以把影片拖放或貼到這裡。
source-several-files = 請只選擇一段影片。
source-no-video = 我們無法接收這個檔案。請選擇影片：WebM、MP4、MOV 或 MKV。
source-phone = 改用手機相機
source-phone-how = 將手機相機對準這個 QR Code，手機就會開啟同一個頁面。
source-phone-code = 這個連結的 QR Code
link-copy = 複製連結
link-copied = 已複製
in-app-browser = 這個頁面是在其他 App 中開啟的。如果相機在這裡無法使用：
in-app-leave = 在瀏覽器中開啟
in-app-open-safari =
    點一下 ••• 或分享圖示。
    選擇「在 Safari 中打開」或「在瀏覽器中開啟」。
in-app-open-chrome =
    點一下上方的 ⋮ 或 •••。
    選擇「在 Chrome 中開啟」或「在瀏覽器中開啟」。

## What to know before recording

privacy-heading = 錄影前請先了解
privacy-audience = 誰會觀看
privacy-audience-text = 只有提出這個請求的真人或 AI 代理程式，對方不一定是傳連結給您的人。我們不會查證對方是誰。對方可以保留副本。
privacy-recording = 會錄下什麼
privacy-recording-text = 只有顯示紅色橫條時才會錄影。錄影的同時就會上傳，以免遺失。如果重新錄影，舊的影片會刪除。
privacy-retention-text = 連結和影片將於 { $until } 刪除。
privacy-transcript = 說的話可能會轉成文字。
privacy-choice-text = 您可以拒絕，只要關閉這個頁面就好。
privacy-caution = 除非您事先知情，否則切勿拍到身分證件、金融卡或密碼。
privacy-no-account = 不需要帳號，沒有追蹤。

## The browser asks for permission

permission-heading = 瀏覽器正在要求權限
permission-text = 請選擇「允許」。您會先看到畫面，這時還不會錄影。
action-cancel = 取消
action-close = 關閉

## Open in another tab

tab-heading = 這個頁面已在另一個分頁開啟
tab-text = 如果那裡正在錄影，錄影會結束，您可以在這裡接著處理那段影片。
tab-continue = 在這裡繼續

## No camera, and what to do about it

blocked-denied-heading = 瀏覽器封鎖了相機
blocked-no-camera-heading = 找不到相機
blocked-no-camera-text = 請接上相機再試一次，或在手機上開啟這個連結。
blocked-busy-heading = 相機正在使用中
blocked-busy-text = 其他 App 或分頁似乎正在使用相機，例如視訊通話。請先關閉，再試一次。
blocked-insecure-heading = 相機需要安全的網址
blocked-insecure-text = 瀏覽器只允許 https 開頭的連結使用相機。請向對方索取這樣的連結。
blocked-unsupported-heading = 這個瀏覽器無法錄影
blocked-unsupported-text = 請複製連結，用新版的 Safari、Chrome 或 Firefox 開啟。
blocked-no-picture-heading = 相機沒有畫面
blocked-no-picture-text = 沒有錄到任何內容。請再試一次。
blocked-no-screen-heading = 螢幕沒有分享
blocked-no-screen-text = 沒有錄到任何內容。如要繼續，請再試一次並選擇要分享的內容。
blocked-try-again = 再試一次
blocked-with-sound = 一併錄音。如果只有麥克風有問題，請取消勾選。
unblock-ios-safari =
    點一下網址旁的圖示，再點「網站設定」。
    允許使用相機和麥克風。
unblock-ios-app =
    打開裝置的「設定」，找到 { $browser }。
    開啟相機和麥克風權限。
unblock-android =
    輕觸網址開頭的圖示，再輕觸「權限」。
    允許使用相機和麥克風。
unblock-android-firefox =
    輕觸網址旁的鎖頭或盾牌。
    輕觸攝影機和麥克風的「封鎖」，即可允許使用。
unblock-chrome =
    按一下網址開頭的圖示。
    開啟相機和麥克風權限。
unblock-edge =
    按一下網址開頭的鎖頭，再按「此網站的權限」。
    允許使用相機和麥克風。
unblock-firefox =
    按一下網址開頭畫有斜線的相機。
    按旁邊的 × 移除「已封鎖」。
unblock-safari =
    在選單列選擇「Safari」，再選擇「此網站的設定⋯」。
    允許使用相機和麥克風。
unblock-other =
    點一下網址旁的圖示。
    允許使用相機和麥克風。
unblock-system = 還是遭到封鎖嗎？請到裝置的設定中，允許這個瀏覽器使用相機。

## At the camera

camera-picture = 相機畫面
camera-not-recording = 尚未錄影
camera-record = 錄影
camera-start-now = 立即開始
camera-flip = 切換鏡頭
camera-front = 前鏡頭
camera-back = 後鏡頭
camera-torch = 手電筒
camera-zoom = 變焦
camera-lens = 鏡頭
camera-lens-wide = 廣角
camera-lens-main = 標準
camera-lens-tele = 望遠
camera-devices = 相機和麥克風
camera-device = 相機
camera-microphone = 麥克風
camera-sound = 聲音
camera-sound-level = 音量
signal-silent = 沒有聲音
signal-no-microphone = 只有螢幕的聲音，沒有麥克風
signal-unheard = 聽不到您的聲音。麥克風是不是關了，或是被遮住了？
signal-sound-lost = 聲音已中斷，影片會繼續錄製，但沒有該聲音。
signal-dark = 畫面太暗或被遮住了。
signal-muted = 您的裝置封鎖了相機，錄下的影片會全黑。
storage-low = 這部裝置的空間不多，請錄短一點。
storage-none = 這個瀏覽器無法儲存錄影，影片送出之前請勿關閉這個頁面。

## Recording

recording-status = 錄影中 { $recorded }
recording-paused = 已暫停 { $recorded }
recording-last-minute = 還剩 { $left }，之後錄影會自動停止。
recording-pause = 暫停
recording-resume = 繼續
recording-stop = 停止
recording-finish = 完成
recording-stopping = 請稍候…

## Uploading

upload-sent = 已上傳 { $sent }
upload-progress = 已上傳 { $percent }，其餘會自動完成。
upload-complete = 已上傳，可以傳送了。
upload-offline = 您目前離線。恢復連線後會繼續上傳。
upload-waiting = 目前無法上傳，我們會持續重試。
upload-server-full = 伺服器目前空間不足，我們會持續重試。
upload-kept = 在那之前，錄影會安全地留在這裡。

## Reviewing

review-heading = 請檢查您的影片
review-question = 這個拍到了嗎？
review-not-sent = 按下「傳送」之前，影片不會送出。
review-video = 您錄的影片
review-facts = 長度 { $recorded } · 大小 { $size }
review-interrupted = 錄影自動停止了。在那之前錄下的內容都在這裡。
review-resumed = 歡迎回來：{ $recorded } 的錄影已安全保存。
review-file = 您選擇的影片：{ $name }
review-reading = 正在載入影片… { $read }
review-no-preview = 因為需要空間，這裡已無法播放，但影片仍安全保存。
review-no-player = 無法預覽：這個瀏覽器無法顯示這段影片。您仍然可以傳送。
review-located = 這個檔案記錄了拍攝地點，收到的人都看得到。
review-closes-soon = 這個連結幾分鐘後就會失效，請在那之前傳送影片。
review-send = 傳送這段影片
review-again = 重新錄影
review-save = 儲存到這部裝置
discard-heading = 要刪除這段影片並重新錄影嗎？
discard-text = 這裡和我們伺服器上的影片都會刪除。
discard-confirm = 刪除並重新錄影
discard-keep = 保留這段

## Sending

submit-progress = 傳送中：{ $percent }
submit-keep-open = 請先不要關閉這個頁面。
submit-preparing = 影片已送達，正在處理。
submit-sent-heading = 已送出，謝謝您！
submit-sent-text = 索取影片的一方現在可以觀看了。您可以關閉這個頁面。
receipt-sent = 傳送時間：{ $time }
receipt-save = 儲存回條

## The end of a link or of a recording

end-expired-heading = 這個連結已過期
end-expired-text = 影片送出之前，期限就到了。已上傳的內容都已刪除。如果還需要影片，請索取新的連結。
end-submitted-heading = 已經有影片送出了
end-submitted-text = 有人用這個連結送出了影片，也許是您在另一部裝置上送出的。連結只能用一次，所以這段影片沒有送出。
end-withdrawn-heading = 這個請求已撤回
end-withdrawn-text = 對方不再需要影片。已上傳的內容都已刪除。
end-taken-down-heading = 這個請求已移除
end-taken-down-text = 本服務的營運者已將它移除，為它上傳的內容都已刪除。
end-too-large-heading = 這段影片太大
end-too-large-text = 影片超過這部伺服器的上限，所以沒有送出。請錄短一點的影片。
end-unreadable-heading = 無法再讀取這個檔案
end-unreadable-text = 檔案可能已變更或移動，或是沒有完整儲存在這部裝置上。沒有送出任何內容，請重新選擇檔案。
end-refused-heading = 無法接收這段影片
end-refused-text = 伺服器拒絕了這段影片。請重新錄影，或改用其他瀏覽器。
end-unplayable-heading = 這段影片無法播放
end-unplayable-text = 影片有部分遺失或損壞，所以沒有送出。請重新錄影。
end-still-here = 您錄的影片還在這裡。關閉這個頁面之前，都可以觀看和儲存。

## Announced by screen readers

announce-countdown = { $seconds } 秒後開始錄影。
announce-recording = 錄影中。
announce-paused = 已暫停。
announce-stopped = 錄影已停止。
announce-last-minute = 還剩不到一分鐘，之後錄影會自動停止。

## The form, where the recorder can't run

form-cannot-start = 錄影功能無法在這個瀏覽器中啟動。請重新載入頁面，或用其他瀏覽器開啟連結。您也可以用相機 App 拍攝，再從這裡傳送影片。
form-no-script = 在這個頁面錄影需要 JavaScript，但這個瀏覽器已將它關閉。您可以用相機 App 拍攝，再從這裡傳送影片。
form-video = 您的影片
form-no-file-heading = 沒有選擇影片
form-no-file-text = 請返回，選擇影片後再傳送一次。
form-not-a-video-heading = 無法接收這個檔案
form-not-a-video-text = 請返回並選擇影片：WebM、MP4、MOV 或 MKV。
form-unplayable-text = 檔案沒有畫面，或是缺少一部分，所以沒有保留。請返回並選擇其他影片。
form-too-large-text = 影片超過這部伺服器的上限，所以沒有保留。請返回並傳送短一點的影片。
form-interrupted-heading = 影片沒有送達
form-interrupted-text = 還沒全部送達，連線就中斷了，沒有保留任何內容。請返回並再傳送一次。

## The form that reports a request

report-text = 本服務的營運者會閱讀檢舉，並可以移除這個請求。索取影片的一方不會得知，也不會隨檢舉留存任何與您有關的資料。
report-reason = 有什麼問題？
report-reason-danger = 要求做違法或危險的事
report-reason-harassment = 騷擾他人，或索取私密內容
report-reason-fraud = 是詐騙，或有人冒充他人
report-reason-other = 其他問題
report-details = 對方要您拍什麼？連結是誰傳給您的？可以留空。
report-send = 送出檢舉
report-reason-missing = 請選擇有什麼問題。還沒有送出任何內容。
report-too-long = 您的文字太長，請縮短。還沒有送出任何內容。
report-contact = 您也可以直接聯絡本服務的營運者：
report-received-heading = 感謝您的檢舉
report-received-text = 本服務的營運者可在 { $days } 天內閱讀這則檢舉。您不需要再做什麼，也不需要錄影。
report-enough-heading = 這個請求已有夠多檢舉
report-enough-text = 本服務的營運者可以閱讀先前的檢舉。您這則沒有再加入。
report-too-many-heading = 一次有太多檢舉
report-too-many-text = 短時間內已有多則檢舉來自您的網路，所以這一則沒有儲存。請稍後再試。

## A link that leads to no recording

closed-expired-text = 這個連結的開放時間有限，現在已經結束。透過它錄下的內容都已刪除。如果還需要影片，請索取新的連結。
closed-submitted-heading = 已收到影片
closed-submitted-text = 有人已用這個連結錄影並送出。連結只能用一次，這裡不需要再做什麼。
closed-not-found-heading = 這個連結沒有內容
closed-not-found-text = 網址可能少了一部分，或是請求已撤回。如果連結是複製來的，請檢查是否完整。
closed-error-heading = 發生問題
closed-error-text = 這是我們的問題，不是您的。請過一分鐘再試一次。
