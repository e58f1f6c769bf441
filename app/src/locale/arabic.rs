//! Arabic, Modern Standard.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "اللغة",
        Message::Title => "تسجيل فيديو",
        Message::Description => "سجّل فيديو في متصفحك وأرسله. بلا تطبيق وبلا حساب.",
        Message::Terms => "الشروط",
        Message::Privacy => "الخصوصية",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}، {time} بالتوقيت العالمي",

        // Before the camera.
        Message::Heading => "يُطلب منك تسجيل فيديو",
        Message::ForWhom => {
            "سيصل إلى صاحب هذا الطلب، وقد يكون وكيل ذكاء اصطناعي. نحن لا نتحقق من هويته."
        }
        Message::NothingYet => "لن يُسجَّل شيء قبل أن تضغط على «تسجيل».",
        Message::TurnOnCamera => "تشغيل الكاميرا",
        Message::RecordScreen => "تسجيل الشاشة",
        Message::ChooseVideo => "اختيار فيديو",
        Message::FilmWithApp => "استخدام تطبيق الكاميرا",
        Message::UsePhone => "استخدام كاميرا هاتفك بدلاً من ذلك",
        Message::UsePhoneHow => "وجّه كاميرا هاتفك نحو هذا الرمز، فتُفتح هذه الصفحة نفسها هناك.",
        Message::CodeOfLink => "رمز QR لهذا الرابط",
        Message::OtherRecords => "جهاز آخر يسجّل الآن.",
        Message::InApp => "أنت في متصفح داخل تطبيق آخر. إذا لم تعمل الكاميرا هنا:",
        Message::OpenInSafari => {
            "اضغط على ••• أو على رمز المشاركة.\n\
             اختر «فتح في Safari» أو «فتح في المتصفح»."
        }
        Message::OpenInChrome => {
            "اضغط على ⋮ أو ••• في الأعلى.\n\
             اختر «فتح في Chrome» أو «فتح في المتصفح»."
        }
        Message::CopyLink => "نسخ الرابط",
        Message::Copied => "تم النسخ",

        // What to know.
        Message::GoodToKnow => "من المفيد أن تعرف",
        Message::WhoWatches => "من يشاهده",
        Message::WhoWatchesText => {
            "صاحب هذا الطلب فقط: شخص أو وكيل ذكاء اصطناعي، وليس دائماً من أرسل إليك الرابط. نحن لا \
             نتحقق من هويته."
        }
        Message::WhatIsRecorded => "ما الذي يُسجَّل",
        Message::WhatIsRecordedText => {
            "فقط ما يحدث أثناء ظهور الشريط الأحمر. يُرسَل إلى خادمنا أثناء التسجيل حتى لا يضيع شيء. \
             وإذا رفضت التسجيل حُذف من هناك."
        }
        Message::HowLong => "مدة الاحتفاظ به",
        Message::HowLongText => "يُحذف الرابط والفيديو في {until}.",
        Message::YourChoice => "القرار لك",
        Message::YourChoiceText => "لست ملزماً بذلك. إذا أغلقت هذه الصفحة فلن يحدث شيء.",
        Message::TakeCare => "كن حذراً",
        Message::TakeCareText => {
            "لا تُظهر أبداً بطاقة هوية أو بطاقات مصرفية أو كلمات مرور إلا إذا كنت تتوقع ذلك."
        }
        Message::Private => "بلا حساب، بلا تتبّع، بلا طرف ثالث.",
        Message::Report => "الإبلاغ عن هذا الطلب",

        // Nothing to do here for the moment.
        Message::Asking => "متصفحك يطلب الإذن",
        Message::AskingText => "يُرجى السماح. سترى الصورة أولاً؛ لا يُسجَّل شيء بعد.",
        Message::Cancel => "إلغاء",
        Message::Elsewhere => "هذه الصفحة مفتوحة في علامة تبويب أخرى",
        Message::ElsewhereText => "إذا كان التسجيل جاريًا هناك فسيتوقف، وتتابع معه هنا.",
        Message::GoOnHere => "المتابعة هنا",

        // What keeps the camera from us.
        Message::Denied => "الكاميرا محظورة لهذه الصفحة",
        Message::NoCamera => "لم يُعثر على كاميرا",
        Message::NoCameraText => "وصّل كاميرا وأعد المحاولة، أو افتح هذا الرابط على هاتفك.",
        Message::Busy => "الكاميرا قيد الاستخدام",
        Message::BusyText => {
            "يبدو أن تطبيقاً آخر أو علامة تبويب أخرى تستخدمها، كمكالمة فيديو. أغلقها ثم أعد المحاولة."
        }
        Message::Insecure => "تحتاج الكاميرا إلى عنوان آمن",
        Message::InsecureText => {
            "لا تسمح المتصفحات بها إلا للروابط التي تبدأ بـ https. اطلب رابطاً كهذا."
        }
        Message::Unsupported => "هذا المتصفح لا يستطيع التسجيل",
        Message::UnsupportedText => {
            "انسخ الرابط وافتحه في إصدار حديث من Safari أو Chrome أو Firefox."
        }
        Message::NoPicture => "لم تصل أي صورة من الكاميرا",
        Message::NoPictureText => "لم يُسجَّل شيء. يُرجى إعادة المحاولة.",
        Message::NoScreen => "لم تتم مشاركة الشاشة",
        Message::NoScreenText => "لم يُسجَّل شيء. إذا أردت المتابعة فأعد المحاولة واختر ما تشاركه.",
        Message::TryAgain => "إعادة المحاولة",
        Message::WithSound => "مع الصوت. أزل العلامة إذا كانت المشكلة في الميكروفون وحده.",
        Message::OrFile => "أو صوّر بتطبيق الكاميرا واختر ذلك الفيديو هنا.",
        Message::UnblockIosSafari => {
            "اضغط على الرمز بجانب العنوان، ثم «إعدادات موقع الويب».\n\
             اسمح بالكاميرا والميكروفون."
        }
        Message::UnblockIosApp => {
            "افتح إعدادات جهازك وابحث عن {browser}.\n\
             فعّل الكاميرا والميكروفون."
        }
        Message::UnblockAndroid => {
            "اضغط على الرمز في بداية العنوان، ثم «الأذونات».\n\
             اسمح بالكاميرا والميكروفون."
        }
        Message::UnblockAndroidFirefox => {
            "اضغط على القفل أو الدرع بجانب العنوان.\n\
             اضغط على «محظور» عند الكاميرا والميكروفون للسماح بهما."
        }
        Message::UnblockChrome => {
            "انقر على الرمز في بداية العنوان.\n\
             فعّل الكاميرا والميكروفون."
        }
        Message::UnblockEdge => {
            "انقر على القفل في بداية العنوان، ثم «أذونات هذا الموقع».\n\
             اسمح بالكاميرا والميكروفون."
        }
        Message::UnblockFirefox => {
            "انقر على الكاميرا المشطوبة في بداية العنوان.\n\
             أزل «محظور» بعلامة × بجانبه."
        }
        Message::UnblockSafari => {
            "من شريط القوائم اختر «Safari»، ثم «إعدادات موقع الويب هذا…».\n\
             اسمح بالكاميرا والميكروفون."
        }
        Message::UnblockOther => {
            "اضغط على الرمز بجانب العنوان.\n\
             اسمح بالكاميرا والميكروفون."
        }
        Message::UnblockSystem => {
            "ما زالت محظورة؟ اسمح إذن بالكاميرا لهذا المتصفح في إعدادات جهازك."
        }

        // At the camera.
        Message::CameraSees => "ما تراه الكاميرا",
        Message::NotYet => "لا يُسجَّل شيء بعد. اضغط على «تسجيل» عندما تكون مستعداً.",
        Message::Record => "تسجيل",
        Message::Flip => "تبديل الكاميرا",
        Message::TurnOff => "إيقاف التشغيل",
        Message::Sound => "الصوت",
        Message::Devices => "الكاميرا والميكروفون",
        Message::Camera => "الكاميرا",
        Message::Microphone => "الميكروفون",
        Message::Loudness => "مستوى الصوت",
        Message::NoSound => "بلا صوت",
        Message::Unheard => "لا نسمعك. هل الميكروفون مكتوم أو مغطى؟",
        Message::Dark => "الصورة مظلمة أو محجوبة.",
        Message::Muted => "جهازك يحظر الكاميرا: سيكون الفيديو أسود.",
        Message::SoundLost => "انقطع الميكروفون. يستمر الفيديو من دون صوت.",
        Message::LittleRoom => "المساحة المتبقية على هذا الجهاز قليلة: اجعله قصيراً.",
        Message::Unkept => "هذا المتصفح لا يحفظ شيئاً: اترك الصفحة مفتوحة حتى يُرسَل الفيديو.",
        Message::StartNow => "ابدأ الآن",

        // Recording.
        Message::Recording => "جارٍ التسجيل {recorded}",
        Message::Paused => "متوقف مؤقتاً {recorded}",
        Message::Progress => "سُجِّل {recorded} · أُرسِل {sent}",
        Message::Waiting => "لا يمكن الإرسال الآن، وسيُستأنف تلقائياً.",
        Message::ServerFull => "لا توجد مساحة كافية على الخادم حاليًا. نعيد المحاولة تلقائيًا.",
        Message::Offline => "أنت غير متصل. سنتابع عند عودة الاتصال.",
        Message::KeptHere => "وحتى ذلك الحين يبقى التسجيل محفوظاً هنا.",
        Message::LastMinute => "بقي {left} ثم ينتهي التسجيل تلقائياً.",
        Message::Pause => "إيقاف مؤقت",
        Message::GoOn => "متابعة",
        Message::Stop => "إيقاف",
        Message::OneMoment => "لحظة من فضلك…",

        // Reviewing.
        Message::YourRecording => "تسجيلك",
        Message::HaveALook => "ألقِ نظرة",
        Message::NobodyYet => "لن يصل هذا الفيديو إلى أحد قبل أن ترسله.",
        Message::Facts => "المدة {recorded} · الحجم {size}",
        Message::Uploaded => "رُفع {percent}، والباقي يتبع تلقائياً.",
        Message::UploadedAll => "رُفع كله، وهو جاهز للإرسال.",
        Message::Located => "يذكر هذا الملف مكان تصويره، ويمكن لمن يستلمه أن يرى ذلك.",
        Message::Interrupted => "انتهى التسجيل من تلقاء نفسه. ما سجّلته حتى ذلك الحين موجود هنا.",
        Message::Resumed => "مرحباً بعودتك: تسجيلك ({recorded}) محفوظ.",
        Message::ChosenFile => "هذا هو الفيديو الذي اخترته.",
        Message::Reading => "جارٍ تحميل الفيديو…",
        Message::NoPreview => "لم يعد بالإمكان تشغيله هنا لضيق المساحة، لكنه محفوظ.",
        Message::NoPlayer => "لا يستطيع هذا المتصفح تشغيل الملف. يمكنك إرساله رغم ذلك.",
        Message::ClosesSoon => "تنتهي صلاحية هذا الرابط بعد دقائق قليلة. أرسل الفيديو قبل ذلك.",
        Message::Send => "إرسال هذا الفيديو",
        Message::Again => "التسجيل من جديد",
        Message::Save => "حفظه على هذا الجهاز",
        Message::ThrowAway => "هل تريد التخلص من هذا الفيديو؟",
        Message::ThrowAwayText => "سيُحذف هنا وعلى خادمنا.",
        Message::Discard => "نعم، التسجيل من جديد",
        Message::Keep => "الاحتفاظ به",

        // Sending.
        Message::Sending => "جارٍ الإرسال: {percent}",
        Message::KeepOpen => "يُرجى إبقاء هذه الصفحة مفتوحة للحظة.",
        Message::Preparing => "لقد وصل، ويجري تجهيزه.",
        Message::Received => "تم استلام الفيديو",
        Message::ReceivedText => "تم الإرسال. يمكنك إغلاق هذه الصفحة. شكراً لك!",
        Message::StillHere => "ما زال تسجيلك هنا: يمكنك مشاهدته وحفظه حتى تغلق هذه الصفحة.",

        // Over.
        Message::Expired => "انتهت صلاحية هذا الرابط",
        Message::ExpiredText => {
            "انتهى وقته قبل إرسال الفيديو، وحُذف ما رُفع. إذا كان الفيديو لا يزال مطلوباً فاطلب رابطاً \
             جديداً."
        }
        Message::AlreadySent => "سبق إرسال فيديو",
        Message::AlreadySentText => {
            "أرسل أحدهم فيديو بهذا الرابط، وربما أنت من جهاز آخر. يعمل الرابط مرة واحدة، لذلك لم \
             يُرسَل هذا الفيديو."
        }
        Message::Withdrawn => "سُحب هذا الطلب",
        Message::WithdrawnText => "لم يعد الفيديو مطلوباً، وحُذف ما رُفع.",
        Message::TakenDown => "أُزيل هذا الطلب",
        Message::TakenDownText => "أزاله القائم على هذه الخدمة، وحُذف كل ما رُفع من أجله.",
        Message::TooLarge => "هذا الفيديو كبير جداً",
        Message::TooLargeText => {
            "حجمه أكبر مما يقبله هذا الخادم، لذلك لم يُرسَل. يُرجى تسجيل فيديو أقصر."
        }
        Message::Unreadable => "لم يعد بالإمكان قراءة هذا الملف",
        Message::UnreadableText => {
            "ربما عُدّل أو نُقل، أو أنه ليس كاملًا على هذا الجهاز. لم يُرسل شيء. يُرجى اختياره مرة أخرى."
        }
        Message::Refused => "لا يمكن قبول هذا الفيديو",
        Message::RefusedText => "رفضه الخادم. يُرجى التسجيل من جديد، ربما في متصفح آخر.",
        Message::Unplayable => "لا يمكن تشغيل هذا الفيديو",
        Message::UnplayableText => "فيه جزء ناقص أو تالف، لذلك لم يُرسَل. يُرجى التسجيل من جديد.",

        // Said aloud.
        Message::SaidCountdown => "يبدأ التسجيل بعد 3 ثوانٍ.",
        Message::SaidRecording => "جارٍ التسجيل.",
        Message::SaidPaused => "متوقف مؤقتاً.",
        Message::SaidStopped => "توقف التسجيل.",
        Message::SaidReview => "هذا تسجيلك.",
        Message::SaidReceived => "تم استلام الفيديو.",
        Message::SaidLastMinute => "بقيت دقيقة واحدة.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "تعذّر بدء المسجّل في هذا المتصفح. أعد تحميل الصفحة أو افتح الرابط في متصفح آخر. يمكنك \
             أيضاً التصوير بتطبيق الكاميرا وإرسال الفيديو هنا."
        }
        Message::NoScript => {
            "يحتاج التسجيل في هذه الصفحة إلى JavaScript، وهو معطّل في هذا المتصفح. يمكنك التصوير \
             بتطبيق الكاميرا وإرسال الفيديو هنا."
        }
        Message::YourVideo => "الفيديو الخاص بك",

        // Reporting.
        Message::ReportText => {
            "يقرأ القائم على هذه الخدمة البلاغ ويمكنه إزالة الطلب. لا يُخبَر به من طلب الفيديو، \
             ولا يُحفظ معه شيء عنك."
        }
        Message::ReportWhy => "ما المشكلة فيه؟",
        Message::ReportDanger => "يطلب شيئاً غير قانوني أو خطيراً",
        Message::ReportHarassment => "يضايق أحداً أو يطلب شيئاً حميمياً",
        Message::ReportFraud => "إنه احتيال، أو ينتحل أحدهم شخصية غيره",
        Message::ReportOther => "شيء آخر",
        Message::ReportMore => "ما الذي ينبغي معرفته عنه؟ يمكنك ترك هذا الحقل فارغاً.",
        Message::ReportSend => "إرسال البلاغ",
        Message::ReportLacksReason => "يرجى اختيار المشكلة. لم يُرسل شيء بعد.",
        Message::ReportTooLong => "النص طويل جداً: يرجى اختصاره. لم يُرسل شيء بعد.",
        Message::ReportContact => "يمكنك أيضاً التواصل مباشرة مع القائم على هذه الخدمة:",
        Message::Reported => "شكراً على بلاغك",
        Message::ReportedText => {
            "يمكن للقائم على هذه الخدمة قراءته طوال 30 يوماً. ليس عليك فعل شيء آخر، ولا تسجيل أي شيء."
        }
        Message::ReportedOften => "أُبلغ عن هذا الطلب بما يكفي",
        Message::ReportedOftenText => {
            "يمكن للقائم على هذه الخدمة قراءة البلاغات الموجودة. لم يُضَف هذا البلاغ إليها."
        }
        Message::TooManyReports => "بلاغات كثيرة في وقت واحد",
        Message::TooManyReportsText => {
            "وصلت عدة بلاغات من شبكتك في وقت قصير، لذلك لم يُحفظ هذا البلاغ. يُرجى المحاولة لاحقاً."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "كان مفتوحاً لمدة محدودة، وقد انتهت. حُذف كل ما سُجِّل به. إذا كان الفيديو لا يزال مطلوباً \
             فاطلب رابطاً جديداً."
        }
        Message::ClosedSubmitted => "تم استلام الفيديو",
        Message::ClosedSubmittedText => {
            "سجّل أحدهم فيديو وأرسله بهذا الرابط. يعمل الرابط مرة واحدة، فلم يبقَ ما تفعله هنا."
        }
        Message::Unknown => "لا يوجد شيء في هذا الرابط",
        Message::UnknownText => {
            "ربما ينقص جزء من العنوان، أو سُحب الطلب. إذا نسخت الرابط فتأكد من أنه كامل."
        }
        Message::NoFile => "لم يُختر أي فيديو",
        Message::NoFileText => "يُرجى الرجوع واختيار فيديو وإرساله من جديد.",
        Message::NoVideo => "لا يمكن قبول هذا الملف",
        Message::NoVideoText => "يُرجى الرجوع واختيار فيديو: WebM أو MP4 أو MOV أو MKV.",
        Message::NoPictureInFileText => {
            "لا صورة فيه، أو ينقص جزء من الملف، لذلك لم يُحتفظ به. يُرجى الرجوع واختيار فيديو آخر."
        }
        Message::ClosedTooLargeText => {
            "حجمه أكبر مما يقبله هذا الخادم، لذلك لم يُحتفظ به. يُرجى الرجوع وإرسال فيديو أقصر."
        }
        Message::NotArrived => "لم يصل الفيديو",
        Message::NotArrivedText => {
            "انقطع الاتصال قبل وصوله كاملاً، ولم يُحتفظ بشيء. يُرجى الرجوع وإرساله من جديد."
        }
        Message::Broken => "حدث خطأ ما",
        Message::BrokenText => "الخطأ من جانبنا لا من جانبك. يُرجى إعادة المحاولة بعد دقيقة.",
    }
}
