//! Simplified Chinese, polite.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "语言",
        Message::Title => "录制视频",
        Message::Description => "在浏览器中录制视频并发送。无需应用，无需账号。",
        Message::Terms => "条款",
        Message::Privacy => "隐私",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{month}{day}日 {time}（UTC）",

        // Before the camera.
        Message::Heading => "有人请您录制一段视频",
        Message::ForWhom => "视频将交给发起此请求的一方，可能是 AI 智能体。我们不核实对方是谁。",
        Message::NothingYet => "在您按下“录制”之前，不会录制任何内容。",
        Message::TurnOnCamera => "打开摄像头",
        Message::RecordScreen => "录制屏幕",
        Message::ChooseVideo => "选择视频",
        Message::FilmWithApp => "使用相机应用",
        Message::UsePhone => "改用手机摄像头",
        Message::UsePhoneHow => "用手机相机对准此二维码，即可在手机上打开同一页面。",
        Message::CodeOfLink => "此链接的二维码",
        Message::OtherRecords => "另一台设备正在录制。",
        Message::InApp => "您正在使用其他应用内的浏览器。如果摄像头在此无法使用：",
        Message::OpenInSafari => {
            "点按 ••• 或分享图标。\n\
             选择“在 Safari 中打开”或“在浏览器中打开”。"
        }
        Message::OpenInChrome => {
            "点按顶部的 ⋮ 或 •••。\n\
             选择“在 Chrome 中打开”或“在浏览器中打开”。"
        }
        Message::CopyLink => "复制链接",
        Message::Copied => "已复制",

        // What to know.
        Message::GoodToKnow => "请先了解",
        Message::WhoWatches => "谁会观看",
        Message::WhoWatchesText => {
            "只有发起此请求的一方：一个人或一个 AI 智能体，不一定是给您发送链接的人。我们不核实对\
             方是谁。"
        }
        Message::WhatIsRecorded => "录制哪些内容",
        Message::WhatIsRecordedText => {
            "只录制红色横条显示期间的内容。录制的同时会发送到我们的服务器，以免丢失。如果您放弃这\
             段录像，服务器上的内容也会被删除。"
        }
        Message::HowLong => "保留多久",
        Message::HowLongText => "链接和视频将于 {until} 删除。",
        Message::YourChoice => "由您决定",
        Message::YourChoiceText => "您没有义务这样做。直接关闭此页面，什么都不会发生。",
        Message::TakeCare => "请注意安全",
        Message::TakeCareText => "除非您事先知情，否则切勿展示身份证件、银行卡或密码。",
        Message::Private => "无需账号，没有跟踪，没有第三方。",
        Message::Report => "举报此请求",

        // Nothing to do here for the moment.
        Message::Asking => "浏览器正在请求权限",
        Message::AskingText => "请允许。您会先看到画面，此时尚未录制。",
        Message::Cancel => "取消",
        Message::Elsewhere => "此页面已在另一个标签页中打开",
        Message::ElsewhereText => "如果那里正在录制，录制会结束，您可以在这里继续处理该视频。",
        Message::GoOnHere => "在这里继续",

        // What keeps the camera from us.
        Message::Denied => "此页面的摄像头权限已被阻止",
        Message::NoCamera => "未找到摄像头",
        Message::NoCameraText => "请连接摄像头后重试，或在手机上打开此链接。",
        Message::Busy => "摄像头正被占用",
        Message::BusyText => "可能有其他应用或标签页正在使用，例如视频通话。请将其关闭后重试。",
        Message::Insecure => "摄像头需要安全地址",
        Message::InsecureText => "浏览器只允许以 https 开头的链接使用摄像头。请索取这样的链接。",
        Message::Unsupported => "此浏览器无法录制",
        Message::UnsupportedText => "请复制链接，并在较新版本的 Safari、Chrome 或 Firefox 中打开。",
        Message::NoPicture => "摄像头没有画面",
        Message::NoPictureText => "没有录制任何内容。请重试。",
        Message::NoScreen => "屏幕未共享",
        Message::NoScreenText => "没有录制任何内容。如要继续，请重试并选择要共享的内容。",
        Message::TryAgain => "重试",
        Message::WithSound => "录制声音。如果只是麦克风有问题，请取消勾选。",
        Message::OrFile => "您也可以用相机应用拍摄，然后在这里选择该视频。",
        Message::UnblockIosSafari => {
            "点按地址旁的图标，然后点按“网站设置”。\n\
             允许使用相机和麦克风。"
        }
        Message::UnblockIosApp => {
            "打开设备的“设置”，找到 {browser}。\n\
             打开相机和麦克风。"
        }
        Message::UnblockAndroid => {
            "点按地址开头的图标，然后点按“权限”。\n\
             允许使用摄像头和麦克风。"
        }
        Message::UnblockAndroidFirefox => {
            "点按地址旁的锁或盾牌图标。\n\
             点按摄像头和麦克风处的“已阻止”以允许使用。"
        }
        Message::UnblockChrome => {
            "点击地址开头的图标。\n\
             打开摄像头和麦克风。"
        }
        Message::UnblockEdge => {
            "点击地址开头的锁图标，然后点击“此站点的权限”。\n\
             允许使用摄像头和麦克风。"
        }
        Message::UnblockFirefox => {
            "点击地址开头带斜线的摄像头图标。\n\
             点击旁边的 × 移除“已阻止”。"
        }
        Message::UnblockSafari => {
            "在菜单栏中选择“Safari 浏览器”，然后选择“此网站的设置…”。\n\
             允许使用摄像头和麦克风。"
        }
        Message::UnblockOther => {
            "点按地址旁的图标。\n\
             允许使用摄像头和麦克风。"
        }
        Message::UnblockSystem => "仍被阻止？请在设备的设置中允许此浏览器使用摄像头。",

        // At the camera.
        Message::CameraSees => "摄像头画面",
        Message::NotYet => "尚未录制。准备好后请按“录制”。",
        Message::Record => "录制",
        Message::Flip => "切换摄像头",
        Message::TurnOff => "关闭",
        Message::Sound => "声音",
        Message::Devices => "摄像头和麦克风",
        Message::Camera => "摄像头",
        Message::Microphone => "麦克风",
        Message::Loudness => "音量",
        Message::NoSound => "无声音",
        Message::Unheard => "听不到您的声音。麦克风是否静音或被遮住？",
        Message::Dark => "画面过暗或被遮挡。",
        Message::Muted => "您的设备禁用了摄像头：录出的视频会是黑屏。",
        Message::SoundLost => "麦克风已断开，视频将继续录制，但没有声音。",
        Message::LittleRoom => "此设备剩余空间不多：请录短一些。",
        Message::Unkept => "此浏览器不会保存任何内容：视频发送完成前请勿关闭页面。",
        Message::StartNow => "立即开始",

        // Recording.
        Message::Recording => "正在录制 {recorded}",
        Message::Paused => "已暂停 {recorded}",
        Message::Progress => "已录制 {recorded} · 已发送 {sent}",
        Message::Waiting => "暂时无法发送，稍后会自动继续。",
        Message::ServerFull => "服务器目前空间不足，我们会自动重试。",
        Message::Offline => "您已离线，恢复连接后会继续。",
        Message::KeptHere => "在此之前，录像保存在这里。",
        Message::LastMinute => "还剩 {left}，之后录制将自动结束。",
        Message::Pause => "暂停",
        Message::GoOn => "继续",
        Message::Stop => "停止",
        Message::OneMoment => "请稍候…",

        // Reviewing.
        Message::YourRecording => "您的录像",
        Message::HaveALook => "请看一遍",
        Message::NobodyYet => "在您发送之前，没有人会收到这段视频。",
        Message::Facts => "时长 {recorded} · 大小 {size}",
        Message::Uploaded => "已上传 {percent}，其余会自动完成。",
        Message::UploadedAll => "已全部上传，可以发送。",
        Message::Located => "此文件记录了拍摄地点，收到它的人可以看到。",
        Message::Interrupted => "录制自动结束了。在那之前录下的内容都在这里。",
        Message::Resumed => "欢迎回来：{recorded} 已安全保存。",
        Message::ChosenFile => "这是您选择的视频。",
        Message::Reading => "正在读取视频…",
        Message::NoPreview => "由于空间不足，这里已无法播放。视频仍安全保存。",
        Message::NoPlayer => "此浏览器无法播放该文件，但您仍然可以发送。",
        Message::ClosesSoon => "此链接将在几分钟后失效，请在此之前发送视频。",
        Message::Send => "发送此视频",
        Message::Again => "重新录制",
        Message::Save => "保存到此设备",
        Message::ThrowAway => "放弃这段视频？",
        Message::ThrowAwayText => "这里和我们服务器上的视频都会被删除。",
        Message::Discard => "是的，重新录制",
        Message::Keep => "保留这段",

        // Sending.
        Message::Sending => "正在发送：{percent}",
        Message::KeepOpen => "请暂时不要关闭此页面。",
        Message::Preparing => "视频已送达，正在处理。",
        Message::Received => "视频已收到",
        Message::ReceivedText => "已发送。您可以关闭此页面。谢谢！",
        Message::StillHere => "您录制的视频还在这里：关闭本页之前，您可以观看和保存它。",

        // Over.
        Message::Expired => "此链接已过期",
        Message::ExpiredText => {
            "视频发送之前，期限已过。已上传的内容已删除。如果仍需要视频，请索取新链接。"
        }
        Message::AlreadySent => "已发送过视频",
        Message::AlreadySentText => {
            "有人用此链接发送了视频，也许是您在另一台设备上发送的。链接只能使用一次，因此这段视频\
             没有发送。"
        }
        Message::Withdrawn => "此请求已撤回",
        Message::WithdrawnText => "对方不再需要视频。已上传的内容已删除。",
        Message::TakenDown => "此请求已被移除",
        Message::TakenDownText => "本服务的运营者移除了它。为它上传的内容已全部删除。",
        Message::TooLarge => "此视频过大",
        Message::TooLargeText => "视频超过了此服务器的上限，因此没有发送。请录制一段更短的视频。",
        Message::Unreadable => "无法再读取此文件",
        Message::UnreadableText => {
            "文件可能已被更改或移动，或者没有完整保存在此设备上。没有发送任何内容，请重新选择。"
        }
        Message::Refused => "无法接收此视频",
        Message::RefusedText => "服务器拒绝了它。请重新录制，或换一个浏览器。",
        Message::Unplayable => "此视频无法播放",
        Message::UnplayableText => "其中有内容缺失或损坏，因此没有发送。请重新录制。",

        // Said aloud.
        Message::SaidCountdown => "3 秒后开始录制。",
        Message::SaidRecording => "正在录制。",
        Message::SaidPaused => "已暂停。",
        Message::SaidStopped => "录制已停止。",
        Message::SaidReview => "这是您的录像。",
        Message::SaidReceived => "视频已收到。",
        Message::SaidLastMinute => "还剩一分钟。",

        // Where the recorder can't run.
        Message::CannotStart => {
            "录制功能无法在此浏览器中启动。请重新加载页面，或在其他浏览器中打开链接。您也可以用相\
             机应用拍摄，并在这里发送视频。"
        }
        Message::NoScript => {
            "在此页面录制需要 \
             JavaScript，但此浏览器已将其关闭。您可以用相机应用拍摄，并在这里发送视频。"
        }
        Message::YourVideo => "您的视频",

        // Reporting.
        Message::ReportText => {
            "本服务的运营者会阅读举报，并可以移除该请求。索要视频的一方不会得知，也不会保存任何与您有关的信息。"
        }
        Message::ReportWhy => "它有什么问题？",
        Message::ReportDanger => "要求做违法或危险的事",
        Message::ReportHarassment => "骚扰他人，或索要私密内容",
        Message::ReportFraud => "是诈骗，或有人冒充他人",
        Message::ReportOther => "其他问题",
        Message::ReportMore => "还有什么需要说明？可以留空。",
        Message::ReportSend => "发送举报",
        Message::ReportLacksReason => "请选择它有什么问题。尚未发送任何内容。",
        Message::ReportTooLong => "您的文字太长，请缩短。尚未发送任何内容。",
        Message::ReportContact => "您也可以直接联系本服务的运营者：",
        Message::Reported => "感谢您的举报",
        Message::ReportedText => {
            "本服务的运营者可在 30 天内阅读它。您无需再做什么，也无需录制任何内容。"
        }
        Message::ReportedOften => "此请求已被多次举报",
        Message::ReportedOftenText => "本服务的运营者可以阅读已有的举报。这一条没有再添加。",
        Message::TooManyReports => "短时间内举报过多",
        Message::TooManyReportsText => {
            "短时间内已有多条举报来自您的网络，因此这一条没有保存。请稍后再试。"
        }

        // Closed.
        Message::ClosedExpiredText => {
            "此链接的开放时间有限，现已结束。通过它录制的所有内容都已删除。如果仍需要视频，请索取\
             新链接。"
        }
        Message::ClosedSubmitted => "视频已收到",
        Message::ClosedSubmittedText => {
            "有人已用此链接录制并发送了视频。链接只能使用一次，这里无需再做什么。"
        }
        Message::Unknown => "此链接下没有内容",
        Message::UnknownText => {
            "地址可能缺少一部分，或者请求已撤回。如果链接是复制来的，请检查是否完整。"
        }
        Message::NoFile => "未选择视频",
        Message::NoFileText => "请返回，选择视频后重新发送。",
        Message::NoVideo => "无法接收此文件",
        Message::NoVideoText => "请返回并选择视频：WebM、MP4、MOV 或 MKV。",
        Message::NoPictureInFileText => {
            "其中没有画面，或文件缺少一部分，因此没有保留。请返回并选择其他视频。"
        }
        Message::ClosedTooLargeText => {
            "视频超过了此服务器的上限，因此没有保留。请返回并发送一段更短的视频。"
        }
        Message::NotArrived => "视频未送达",
        Message::NotArrivedText => "尚未全部送达时连接中断，没有保留任何内容。请返回并重新发送。",
        Message::Broken => "出了点问题",
        Message::BrokenText => "这是我们的错误，与您无关。请一分钟后重试。",
    }
}
