### Arabic, Modern Standard.

## Every page

page-language = اللغة
page-description = سجّل فيديو في متصفحك وأرسله. بلا تطبيق وبلا حساب.
page-terms = الشروط
page-privacy = الخصوصية
report-heading = الإبلاغ عن هذا الطلب
date-utc =
    { $day } { $month ->
        [1] يناير
        [2] فبراير
        [3] مارس
        [4] أبريل
        [5] مايو
        [6] يونيو
        [7] يوليو
        [8] أغسطس
        [9] سبتمبر
        [10] أكتوبر
        [11] نوفمبر
       *[12] ديسمبر
    }، { $time } بالتوقيت العالمي

## The recording page, before the camera

record-title = تسجيل فيديو
record-prompt-heading = يُطلب منك تسجيل فيديو
record-audience = سيشاهده شخص أو ذكاء اصطناعي. نحن لا نتحقق من هويته، فلا تتابع إلا إذا كنت تتوقع هذا الطلب.
record-step = { $number } من { $total }
record-camera-hint = فتح الكاميرا لا يسجّل شيئاً.
record-other-device = جهاز آخر يسجّل الآن.
source-camera = فتح الكاميرا
source-screen = تسجيل الشاشة
source-file = استخدام فيديو موجود
source-camera-app = استخدام تطبيق الكاميرا
source-other = طرق أخرى
source-file-hint = أو صوّر بتطبيق الكاميرا واختر ذلك الفيديو هنا.
source-drop = أفلت الفيديو هنا
source-drop-hint = يمكنك أيضاً سحب فيديو أو لصقه هنا.
source-several-files = يُرجى اختيار فيديو واحد فقط.
source-no-video = لا يمكننا قبول هذا الملف. يُرجى اختيار فيديو: WebM أو MP4 أو MOV أو MKV.
source-phone = التصوير بالهاتف
source-phone-how = وجّه كاميرا هاتفك نحو هذا الرمز، فتُفتح هذه الصفحة نفسها هناك.
source-phone-code = رمز QR لهذا الرابط
link-copy = نسخ الرابط
link-copied = تم النسخ
in-app-browser = أنت في متصفح داخل تطبيق آخر. إذا لم تعمل الكاميرا هنا:
in-app-leave = فتح في المتصفح
in-app-open-safari =
    اضغط على ••• أو على رمز المشاركة.
    اختر «فتح في Safari» أو «فتح في المتصفح».
in-app-open-chrome =
    اضغط على ⋮ أو ••• في الأعلى.
    اختر «فتح في Chrome» أو «فتح في المتصفح».

## What to know before recording

privacy-heading = من المفيد أن تعرف
privacy-audience = من يشاهده
privacy-audience-text = صاحب هذا الطلب فقط: شخص أو وكيل ذكاء اصطناعي، وليس بالضرورة من أرسل إليك الرابط. نحن لا نتحقق من هويته. وقد يحتفظ بنسخة منه.
privacy-recording = ما الذي يُسجَّل
privacy-recording-text = فقط أثناء ظهور الشريط الأحمر. يُرفع الفيديو أثناء التسجيل حتى لا يضيع شيء. وإذا سجّلت من جديد حُذف السابق.
privacy-retention-text = يُحذف الرابط والفيديو يوم { $until }.
privacy-transcript = قد يُحوَّل الكلام إلى نص.
privacy-choice-text = يمكنك الرفض، ويكفي أن تغلق هذه الصفحة.
privacy-caution = لا تُظهر أبداً بطاقة هوية أو بطاقات مصرفية أو كلمات مرور إلا إذا كنت تتوقع ذلك.
privacy-no-account = بلا حساب، بلا تتبّع.

## The browser asks for permission

permission-heading = متصفحك يطلب الإذن
permission-text = يُرجى السماح بذلك. سترى الصورة أولاً؛ لم يبدأ التسجيل بعد.
action-cancel = إلغاء
action-close = إغلاق

## Open in another tab

tab-heading = هذه الصفحة مفتوحة في علامة تبويب أخرى
tab-text = إذا كان التسجيل جارياً هناك فسيتوقف وتجده هنا.
tab-continue = المتابعة هنا

## No camera, and what to do about it

blocked-denied-heading = متصفحك يحظر الكاميرا
blocked-no-camera-heading = لم يُعثر على كاميرا
blocked-no-camera-text = وصّل كاميرا وأعد المحاولة، أو افتح هذا الرابط على هاتفك.
blocked-busy-heading = الكاميرا قيد الاستخدام
blocked-busy-text = يبدو أن تطبيقاً آخر أو علامة تبويب أخرى تستخدمها، كمكالمة فيديو. أغلقها ثم أعد المحاولة.
blocked-insecure-heading = تحتاج الكاميرا إلى عنوان آمن
blocked-insecure-text = لا تسمح المتصفحات بها إلا للروابط التي تبدأ بـ https. اطلب رابطاً كهذا.
blocked-unsupported-heading = هذا المتصفح لا يستطيع التسجيل
blocked-unsupported-text = انسخ الرابط وافتحه في إصدار حديث من Safari أو Chrome أو Firefox.
blocked-no-picture-heading = لم تصل أي صورة من الكاميرا
blocked-no-picture-text = لم يُسجَّل شيء. يُرجى إعادة المحاولة.
blocked-no-screen-heading = لم تتم مشاركة الشاشة
blocked-no-screen-text = لم يُسجَّل شيء. إذا أردت المتابعة فأعد المحاولة واختر ما تشاركه.
blocked-try-again = إعادة المحاولة
blocked-with-sound = مع الصوت. أزل العلامة إذا كانت المشكلة في الميكروفون وحده.
unblock-ios-safari =
    اضغط على الرمز بجانب العنوان، ثم «إعدادات موقع الويب».
    اسمح بالكاميرا والميكروفون.
unblock-ios-app =
    افتح إعدادات جهازك وابحث عن { $browser }.
    فعّل الكاميرا والميكروفون.
unblock-android =
    اضغط على الرمز في بداية العنوان، ثم «الأذونات».
    اسمح بالكاميرا والميكروفون.
unblock-android-firefox =
    اضغط على القفل أو الدرع بجانب العنوان.
    اضغط على «محجوبة» عند الكاميرا والميكروفون للسماح بهما.
unblock-chrome =
    انقر على الرمز في بداية العنوان.
    فعّل الكاميرا والميكروفون.
unblock-edge =
    انقر على القفل في بداية العنوان، ثم «أذونات هذا الموقع».
    اسمح بالكاميرا والميكروفون.
unblock-firefox =
    انقر على الكاميرا المشطوبة في بداية العنوان.
    أزل «محجوب» بعلامة × بجانبه.
unblock-safari =
    من شريط القوائم اختر «Safari»، ثم «إعدادات موقع الويب هذا…».
    اسمح بالكاميرا والميكروفون.
unblock-other =
    اضغط على الرمز بجانب العنوان.
    اسمح بالكاميرا والميكروفون.
unblock-system = ما زالت محظورة؟ اسمح إذن بالكاميرا لهذا المتصفح في إعدادات جهازك.

## At the camera

camera-picture = ما تراه الكاميرا
camera-not-recording = لم يبدأ التسجيل بعد
camera-record = تسجيل
camera-start-now = البدء الآن
camera-flip = تبديل الكاميرا
camera-front = الكاميرا الأمامية
camera-back = الكاميرا الخلفية
camera-torch = المصباح
camera-zoom = التكبير
camera-lens = العدسة
camera-lens-wide = واسعة
camera-lens-main = عادية
camera-lens-tele = مقرّبة
camera-devices = الكاميرا والميكروفون
camera-device = الكاميرا
camera-microphone = الميكروفون
camera-sound = الصوت
camera-sound-level = مستوى الصوت
signal-silent = بلا صوت
signal-no-microphone = صوت الشاشة فقط، بلا ميكروفون
signal-unheard = لا نسمعك. هل الميكروفون مكتوم أو مغطى؟
signal-sound-lost = انقطع الصوت. يستمر الفيديو من دونه.
signal-dark = الصورة مظلمة أو محجوبة.
signal-muted = جهازك يحظر الكاميرا: سيكون الفيديو أسود.
storage-low = المساحة المتبقية على هذا الجهاز قليلة: اجعله قصيراً.
storage-none = لا يستطيع هذا المتصفح حفظ تسجيلك: اترك الصفحة مفتوحة حتى يُرسَل الفيديو.

## Recording

recording-status = جارٍ التسجيل { $recorded }
recording-paused = متوقف مؤقتاً { $recorded }
recording-last-minute = بقي { $left } ثم ينتهي التسجيل تلقائياً.
recording-pause = إيقاف مؤقت
recording-resume = استئناف
recording-stop = إيقاف
recording-finish = إنهاء
recording-stopping = لحظة من فضلك…

## Uploading

upload-sent = رُفع { $sent }
upload-progress = رُفع { $percent }، والباقي يتبع تلقائياً.
upload-complete = رُفع وهو جاهز للإرسال.
upload-offline = أنت غير متصل. سيُستأنف الرفع عند عودة الاتصال.
upload-waiting = يتعذّر الرفع الآن. نواصل المحاولة.
upload-server-full = الخادم ممتلئ حالياً. نواصل المحاولة.
upload-kept = وحتى ذلك الحين يبقى التسجيل محفوظاً هنا.

## Reviewing

review-heading = راجع الفيديو
review-question = هل صوّرت هذا؟
review-not-sent = لن يُرسَل قبل أن تضغط على «إرسال».
review-video = تسجيلك
review-facts = المدة { $recorded } · الحجم { $size }
review-interrupted = انتهى التسجيل من تلقاء نفسه. ما سجّلته حتى ذلك الحين موجود هنا.
review-resumed = مرحباً بعودتك: تسجيلك ({ $recorded }) محفوظ.
review-file = الفيديو الذي اخترته: { $name }
review-reading = جارٍ تحميل الفيديو… { $read }
review-no-preview = لم يعد بالإمكان تشغيله هنا لضيق المساحة، لكنه محفوظ.
review-no-player = لا توجد معاينة: لا يستطيع هذا المتصفح عرض الفيديو. يمكنك إرساله مع ذلك.
review-located = يذكر هذا الملف مكان تصويره، ويمكن لمن يستلمه أن يرى ذلك.
review-closes-soon = تنتهي صلاحية هذا الرابط بعد دقائق قليلة. أرسل الفيديو قبل ذلك.
review-send = إرسال هذا الفيديو
review-again = التسجيل من جديد
review-save = حفظه على هذا الجهاز
discard-heading = هل تريد حذف هذا الفيديو والتسجيل من جديد؟
discard-text = سيُحذف من هنا ومن خادمنا.
discard-confirm = الحذف والتسجيل من جديد
discard-keep = الاحتفاظ به

## Sending

submit-progress = جارٍ الإرسال: { $percent }
submit-keep-open = يُرجى إبقاء هذه الصفحة مفتوحة للحظة.
submit-preparing = لقد وصل، ويجري تجهيزه.
submit-sent-heading = تم الإرسال. شكراً لك!
submit-sent-text = يمكن لمن طلب الفيديو مشاهدته الآن. يمكنك إغلاق هذه الصفحة.
receipt-sent = أُرسل: { $time }
receipt-save = حفظ الإيصال

## The end of a link or of a recording

end-expired-heading = انتهت صلاحية هذا الرابط
end-expired-text = انتهى وقته قبل إرسال الفيديو، وحُذف ما رُفع. إذا كان الفيديو لا يزال مطلوباً فاطلب رابطاً جديداً.
end-submitted-heading = سبق إرسال فيديو
end-submitted-text = أرسل أحدهم فيديو بهذا الرابط، وربما أنت من جهاز آخر. يعمل الرابط مرة واحدة، لذلك لم يُرسَل هذا الفيديو.
end-withdrawn-heading = سُحب هذا الطلب
end-withdrawn-text = لم يعد الفيديو مطلوباً، وحُذف ما رُفع.
end-taken-down-heading = أُزيل هذا الطلب
end-taken-down-text = أزاله القائم على هذه الخدمة، وحُذف كل ما رُفع من أجله.
end-too-large-heading = هذا الفيديو كبير جداً
end-too-large-text = حجمه أكبر مما يقبله هذا الخادم، لذلك لم يُرسَل. يُرجى تسجيل فيديو أقصر.
end-unreadable-heading = لم يعد بالإمكان قراءة هذا الملف
end-unreadable-text = ربما عُدّل أو نُقل، أو أنه ليس كاملاً على هذا الجهاز. لم يُرسل شيء. يُرجى اختياره مرة أخرى.
end-refused-heading = لا يمكن قبول هذا الفيديو
end-refused-text = رفضه الخادم. يُرجى التسجيل من جديد، ربما في متصفح آخر.
end-unplayable-heading = لا يمكن تشغيل هذا الفيديو
end-unplayable-text = فيه جزء ناقص أو تالف، لذلك لم يُرسَل. يُرجى التسجيل من جديد.
end-still-here = ما زال تسجيلك هنا: يمكنك مشاهدته وحفظه حتى تغلق هذه الصفحة.

## Announced by screen readers

announce-countdown =
    يبدأ التسجيل بعد { $seconds ->
        [one] ثانية واحدة
        [two] ثانيتين
        [few] { $seconds } ثوانٍ
       *[other] { $seconds } ثانية
    }.
announce-recording = جارٍ التسجيل.
announce-paused = متوقف مؤقتاً.
announce-stopped = توقف التسجيل.
announce-last-minute = بقي أقل من دقيقة ثم ينتهي التسجيل تلقائياً.

## The form, where the recorder can't run

form-cannot-start = تعذّر بدء المسجّل في هذا المتصفح. أعد تحميل الصفحة أو افتح الرابط في متصفح آخر. يمكنك أيضاً التصوير بتطبيق الكاميرا وإرسال الفيديو هنا.
form-no-script = يحتاج التسجيل في هذه الصفحة إلى JavaScript، وهو معطّل في هذا المتصفح. يمكنك التصوير بتطبيق الكاميرا وإرسال الفيديو هنا.
form-video = الفيديو الخاص بك
form-no-file-heading = لم يُختر أي فيديو
form-no-file-text = يُرجى الرجوع واختيار فيديو وإرساله من جديد.
form-not-a-video-heading = لا يمكن قبول هذا الملف
form-not-a-video-text = يُرجى الرجوع واختيار فيديو: WebM أو MP4 أو MOV أو MKV.
form-unplayable-text = لا صورة فيه، أو ينقص جزء من الملف، لذلك لم يُحتفظ به. يُرجى الرجوع واختيار فيديو آخر.
form-too-large-text = حجمه أكبر مما يقبله هذا الخادم، لذلك لم يُحتفظ به. يُرجى الرجوع وإرسال فيديو أقصر.
form-interrupted-heading = لم يصل الفيديو
form-interrupted-text = انقطع الاتصال قبل وصوله كاملاً، ولم يُحتفظ بشيء. يُرجى الرجوع وإرساله من جديد.

## The form that reports a request

report-text = يقرأ القائم على هذه الخدمة البلاغ ويمكنه إزالة الطلب. لا يُخبَر به من طلب الفيديو، ولا يُحفظ معه شيء عنك.
report-reason = ما المشكلة فيه؟
report-reason-danger = يطلب شيئاً غير قانوني أو خطيراً
report-reason-harassment = يضايق أحداً أو يطلب شيئاً حميمياً
report-reason-fraud = إنه احتيال، أو ينتحل أحدهم شخصية غيره
report-reason-other = شيء آخر
report-details = ما الذي طُلب منك تصويره، ومن أرسل إليك الرابط؟ يمكنك ترك هذا الحقل فارغاً.
report-send = إرسال البلاغ
report-reason-missing = يرجى اختيار المشكلة. لم يُرسل شيء بعد.
report-too-long = النص طويل جداً: يرجى اختصاره. لم يُرسل شيء بعد.
report-contact = يمكنك أيضاً التواصل مباشرة مع القائم على هذه الخدمة:
report-received-heading = شكراً على بلاغك
report-received-text =
    يمكن للقائم على هذه الخدمة قراءته طوال { $days ->
        [one] يوم واحد
        [two] يومين
        [few] { $days } أيام
        [many] { $days } يوماً
       *[other] { $days } يوم
    }. ليس عليك فعل شيء آخر، ولا تسجيل أي شيء.
report-enough-heading = أُبلغ عن هذا الطلب بما يكفي
report-enough-text = يمكن للقائم على هذه الخدمة قراءة البلاغات الموجودة. لم يُضَف هذا البلاغ إليها.
report-too-many-heading = بلاغات كثيرة في وقت واحد
report-too-many-text = وصلت عدة بلاغات من شبكتك في وقت قصير، لذلك لم يُحفظ هذا البلاغ. يُرجى المحاولة لاحقاً.

## A link that leads to no recording

closed-expired-text = كان مفتوحاً لمدة محدودة، وقد انتهت. حُذف كل ما سُجِّل به. إذا كان الفيديو لا يزال مطلوباً فاطلب رابطاً جديداً.
closed-submitted-heading = تم استلام الفيديو
closed-submitted-text = سجّل أحدهم فيديو وأرسله بهذا الرابط. يعمل الرابط مرة واحدة، فلم يبقَ ما تفعله هنا.
closed-not-found-heading = لا يوجد شيء في هذا الرابط
closed-not-found-text = ربما ينقص جزء من العنوان، أو سُحب الطلب. إذا نسخت الرابط فتأكد من أنه كامل.
closed-error-heading = حدث خطأ ما
closed-error-text = الخطأ من جانبنا لا من جانبك. يُرجى إعادة المحاولة بعد دقيقة.
