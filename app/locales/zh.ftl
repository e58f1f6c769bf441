### Simplified Chinese, polite.

## Every page

page-language = 语言
page-description = 在浏览器中录制视频并发送。无需应用，无需账号。
page-terms = 条款
page-privacy = 隐私
report-heading = 举报此请求
date-utc = { $month }月{ $day }日 { $time }（UTC）

## The recording page, before the camera

record-title = 录制视频
record-prompt-heading = 有人请您录制一段视频
record-audience = 视频将由人或 AI 观看。我们不核实对方是谁，如果您事先不知道有此请求，请不要继续。
record-step = { $number } / { $total }
record-camera-hint = 打开摄像头并不会开始录制。
record-other-device = 另一台设备正在录制。
source-camera = 打开摄像头
source-screen = 录制屏幕
source-file = 使用已有视频
source-camera-app = 使用相机应用
source-other = 其他方式
source-file-hint = 您也可以用相机应用拍摄，然后在这里选择该视频。
source-drop = 将视频放在这里
source-drop-hint = 您也可以将视频拖放或粘贴到这里。
source-several-files = 请只选择一个视频。
source-no-video = 我们无法接收此文件。请选择视频：WebM、MP4、MOV 或 MKV。
source-phone = 改用手机摄像头
source-phone-how = 用手机相机对准此二维码，即可在手机上打开同一页面。
source-phone-code = 此链接的二维码
link-copy = 复制链接
link-copied = 已复制
in-app-browser = 您正在使用其他应用内的浏览器。如果摄像头在此无法使用：
in-app-leave = 在浏览器中打开
in-app-open-safari =
    点按 ••• 或分享图标。
    选择“在 Safari 中打开”或“在浏览器中打开”。
in-app-open-chrome =
    点按顶部的 ⋮ 或 •••。
    选择“在 Chrome 中打开”或“在浏览器中打开”。

## What to know before recording

privacy-heading = 请先了解
privacy-audience = 谁会观看
privacy-audience-text = 只有发起此请求的一方：一个人或一个 AI 智能体，不一定是给您发送链接的人。我们不核实对方是谁。对方可以保留副本。
privacy-recording = 录制哪些内容
privacy-recording-text = 只在红色横条显示期间录制。录制的同时会上传，以免丢失。重新录制后，旧的会被删除。
privacy-retention-text = 链接和视频将于 { $until } 删除。
privacy-transcript = 说的话可能会被转成文字。
privacy-choice-text = 您可以拒绝，直接关闭此页面即可。
privacy-caution = 除非您事先知情，否则切勿展示身份证件、银行卡或密码。
privacy-no-account = 无需账号，没有跟踪。

## The browser asks for permission

permission-heading = 浏览器正在请求权限
permission-text = 请允许。您会先看到画面，此时尚未录制。
action-cancel = 取消
action-close = 关闭

## Open in another tab

tab-heading = 此页面已在另一个标签页中打开
tab-text = 如果那里正在录制，录制会结束，您可以在这里继续处理该视频。
tab-continue = 在这里继续

## No camera, and what to do about it

blocked-denied-heading = 您的浏览器阻止了摄像头
blocked-no-camera-heading = 未找到摄像头
blocked-no-camera-text = 请连接摄像头后重试，或在手机上打开此链接。
blocked-busy-heading = 摄像头正被占用
blocked-busy-text = 可能有其他应用或标签页正在使用，例如视频通话。请将其关闭后重试。
blocked-insecure-heading = 摄像头需要安全地址
blocked-insecure-text = 浏览器只允许以 https 开头的链接使用摄像头。请索取这样的链接。
blocked-unsupported-heading = 此浏览器无法录制
blocked-unsupported-text = 请复制链接，并在较新版本的 Safari、Chrome 或 Firefox 中打开。
blocked-no-picture-heading = 摄像头没有画面
blocked-no-picture-text = 没有录制任何内容。请重试。
blocked-no-screen-heading = 屏幕未共享
blocked-no-screen-text = 没有录制任何内容。如要继续，请重试并选择要共享的内容。
blocked-try-again = 重试
blocked-with-sound = 录制声音。如果只是麦克风有问题，请取消勾选。
unblock-ios-safari =
    点按地址旁的图标，然后点按“网站设置”。
    允许使用相机和麦克风。
unblock-ios-app =
    打开设备的“设置”，找到 { $browser }。
    打开相机和麦克风权限。
unblock-android =
    点按地址开头的图标，然后点按“权限”。
    允许使用摄像头和麦克风。
unblock-android-firefox =
    点按地址旁的锁或盾牌图标。
    点按摄像头和麦克风处的“阻止”以允许使用。
unblock-chrome =
    点击地址开头的图标。
    打开摄像头和麦克风权限。
unblock-edge =
    点击地址开头的锁图标，然后点击“此站点的权限”。
    允许使用摄像头和麦克风。
unblock-firefox =
    点击地址开头带斜线的摄像头图标。
    点击旁边的 × 移除“已阻止”。
unblock-safari =
    在菜单栏中选择“Safari 浏览器”，然后选择“此网站的设置…”。
    允许使用摄像头和麦克风。
unblock-other =
    点按地址旁的图标。
    允许使用摄像头和麦克风。
unblock-system = 仍被阻止？请在设备的设置中允许此浏览器使用摄像头。

## At the camera

camera-picture = 摄像头画面
camera-not-recording = 尚未录制
camera-record = 录制
camera-start-now = 立即开始
camera-flip = 切换摄像头
camera-front = 前置摄像头
camera-back = 后置摄像头
camera-torch = 手电筒
camera-zoom = 变焦
camera-lens = 镜头
camera-lens-wide = 广角
camera-lens-main = 标准
camera-lens-tele = 长焦
camera-devices = 摄像头和麦克风
camera-device = 摄像头
camera-microphone = 麦克风
camera-sound = 声音
camera-sound-level = 音量
signal-silent = 无声音
signal-no-microphone = 只有屏幕的声音，没有麦克风
signal-unheard = 听不到您的声音。麦克风是否静音或被遮住？
signal-sound-lost = 声音已中断，视频将继续录制，但没有该声音。
signal-dark = 画面过暗或被遮挡。
signal-muted = 您的设备禁用了摄像头：录出的视频会是黑屏。
storage-low = 此设备剩余空间不多：请录短一些。
storage-none = 此浏览器无法保存录像：视频发送完成前请勿关闭页面。

## Recording

recording-status = 正在录制 { $recorded }
recording-paused = 已暂停 { $recorded }
recording-last-minute = 还剩 { $left }，之后录制将自动结束。
recording-pause = 暂停
recording-resume = 继续
recording-stop = 停止
recording-finish = 完成
recording-stopping = 请稍候…

## Uploading

upload-sent = 已上传 { $sent }
upload-progress = 已上传 { $percent }，其余会自动完成。
upload-complete = 已上传，可以发送。
upload-offline = 您已离线，恢复连接后会继续上传。
upload-waiting = 暂时无法上传，我们会持续重试。
upload-server-full = 服务器目前空间不足，我们会持续重试。
upload-kept = 在此之前，录像保存在这里。

## Reviewing

review-heading = 请检查您的视频
review-question = 这个拍到了吗？
review-not-sent = 在您按下“发送”之前，视频不会发出。
review-video = 您的录像
review-facts = 时长 { $recorded } · 大小 { $size }
review-interrupted = 录制自动结束了。在那之前录下的内容都在这里。
review-resumed = 欢迎回来：{ $recorded } 的录像已安全保存。
review-file = 您选择的视频：{ $name }
review-reading = 正在读取视频… { $read }
review-no-preview = 由于空间不足，这里已无法播放。视频仍安全保存。
review-no-player = 无法预览：此浏览器不能显示该视频。您仍然可以发送。
review-located = 此文件记录了拍摄地点，收到它的人可以看到。
review-closes-soon = 此链接将在几分钟后失效，请在此之前发送视频。
review-send = 发送此视频
review-again = 重新录制
review-save = 保存到此设备
discard-heading = 删除这段视频并重新录制？
discard-text = 这里和我们服务器上的视频都会被删除。
discard-confirm = 删除并重新录制
discard-keep = 保留这段

## Sending

submit-progress = 正在发送：{ $percent }
submit-keep-open = 请暂时不要关闭此页面。
submit-preparing = 视频已送达，正在处理。
submit-sent-heading = 已发送。谢谢！
submit-sent-text = 索要视频的一方现在可以观看了。您可以关闭此页面。
receipt-sent = 发送时间：{ $time }
receipt-save = 保存回执

## The end of a link or of a recording

end-expired-heading = 此链接已过期
end-expired-text = 视频发送之前，期限已过。已上传的内容已删除。如果仍需要视频，请索取新链接。
end-submitted-heading = 已发送过视频
end-submitted-text = 有人用此链接发送了视频，也许是您在另一台设备上发送的。链接只能使用一次，因此这段视频没有发送。
end-withdrawn-heading = 此请求已撤回
end-withdrawn-text = 对方不再需要视频。已上传的内容已删除。
end-taken-down-heading = 此请求已被移除
end-taken-down-text = 本服务的运营者移除了它。为它上传的内容已全部删除。
end-too-large-heading = 此视频过大
end-too-large-text = 视频超过了此服务器的上限，因此没有发送。请录制一段更短的视频。
end-unreadable-heading = 无法再读取此文件
end-unreadable-text = 文件可能已被更改或移动，或者没有完整保存在此设备上。没有发送任何内容，请重新选择。
end-refused-heading = 无法接收此视频
end-refused-text = 服务器拒绝了它。请重新录制，或换一个浏览器。
end-unplayable-heading = 此视频无法播放
end-unplayable-text = 其中有内容缺失或损坏，因此没有发送。请重新录制。
end-still-here = 您录制的视频还在这里：关闭本页之前，您可以观看和保存它。

## Announced by screen readers

announce-countdown = { $seconds } 秒后开始录制。
announce-recording = 正在录制。
announce-paused = 已暂停。
announce-stopped = 录制已停止。
announce-last-minute = 还剩不到一分钟，之后录制将自动结束。

## The form, where the recorder can't run

form-cannot-start = 录制功能无法在此浏览器中启动。请重新加载页面，或在其他浏览器中打开链接。您也可以用相机应用拍摄，并在这里发送视频。
form-no-script = 在此页面录制需要 JavaScript，但此浏览器已将其关闭。您可以用相机应用拍摄，并在这里发送视频。
form-video = 您的视频
form-no-file-heading = 未选择视频
form-no-file-text = 请返回，选择视频后重新发送。
form-not-a-video-heading = 无法接收此文件
form-not-a-video-text = 请返回并选择视频：WebM、MP4、MOV 或 MKV。
form-unplayable-text = 其中没有画面，或文件缺少一部分，因此没有保留。请返回并选择其他视频。
form-too-large-text = 视频超过了此服务器的上限，因此没有保留。请返回并发送一段更短的视频。
form-interrupted-heading = 视频未送达
form-interrupted-text = 尚未全部送达时连接中断，没有保留任何内容。请返回并重新发送。

## The form that reports a request

report-text = 本服务的运营者会阅读举报，并可以移除该请求。索要视频的一方不会得知，也不会随举报保存任何与您有关的信息。
report-reason = 它有什么问题？
report-reason-danger = 要求做违法或危险的事
report-reason-harassment = 骚扰他人，或索要私密内容
report-reason-fraud = 是诈骗，或有人冒充他人
report-reason-other = 其他问题
report-details = 对方要您拍什么？链接是谁发给您的？可以留空。
report-send = 发送举报
report-reason-missing = 请选择它有什么问题。尚未发送任何内容。
report-too-long = 您的文字太长，请缩短。尚未发送任何内容。
report-contact = 您也可以直接联系本服务的运营者：
report-received-heading = 感谢您的举报
report-received-text = 本服务的运营者可在 { $days } 天内阅读它。您无需再做什么，也无需录制任何内容。
report-enough-heading = 此请求已被多次举报
report-enough-text = 本服务的运营者可以阅读已有的举报。这一条没有再添加。
report-too-many-heading = 短时间内举报过多
report-too-many-text = 短时间内已有多条举报来自您的网络，因此这一条没有保存。请稍后再试。

## A link that leads to no recording

closed-expired-text = 此链接的开放时间有限，现已结束。通过它录制的所有内容都已删除。如果仍需要视频，请索取新链接。
closed-submitted-heading = 视频已收到
closed-submitted-text = 有人已用此链接录制并发送了视频。链接只能使用一次，这里无需再做什么。
closed-not-found-heading = 此链接下没有内容
closed-not-found-text = 地址可能缺少一部分，或者请求已撤回。如果链接是复制来的，请检查是否完整。
closed-error-heading = 出了点问题
closed-error-text = 这是我们的错误，与您无关。请一分钟后重试。
