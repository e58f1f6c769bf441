//! Turkish, polite (siz).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Dil",
        Message::Title => "Video kaydet",
        Message::Description => {
            "Tarayıcınızda bir video kaydedin ve gönderin. Uygulama yok, hesap yok."
        }
        Message::Terms => "Koşullar",
        Message::Privacy => "Gizlilik",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "Sizden bir video kaydetmeniz isteniyor",
        Message::ForWhom => {
            "Video, bu isteği oluşturana gider; bu bir yapay zekâ aracısı olabilir. Kim olduğunu \
             doğrulamıyoruz."
        }
        Message::NothingYet => "Kaydet’e basana kadar hiçbir şey kaydedilmez.",
        Message::TurnOnCamera => "Kamerayı aç",
        Message::RecordScreen => "Ekranı kaydet",
        Message::ChooseVideo => "Video seç",
        Message::FilmWithApp => "Kamera uygulamasını kullan",
        Message::UsePhone => "Bunun yerine telefonun kamerasını kullan",
        Message::UsePhoneHow => "Telefonunuzun kamerasını bu koda tutun. Aynı sayfa orada açılır.",
        Message::CodeOfLink => "Bu bağlantının QR kodu",
        Message::OtherRecords => "Başka bir cihaz şu anda kaydediyor.",
        Message::InApp => "Başka bir uygulamanın tarayıcısındasınız. Kamera burada çalışmazsa:",
        Message::OpenInSafari => {
            "••• ya da paylaş simgesine dokunun.\n\
             “Safari’de Aç” ya da “Tarayıcıda Aç” seçeneğini seçin."
        }
        Message::OpenInChrome => {
            "Üstteki ⋮ ya da ••• simgesine dokunun.\n\
             “Chrome’da aç” ya da “Tarayıcıda aç” seçeneğini seçin."
        }
        Message::CopyLink => "Bağlantıyı kopyala",
        Message::Copied => "Kopyalandı",

        // What to know.
        Message::GoodToKnow => "Bilmenizde yarar var",
        Message::WhoWatches => "Kim izler",
        Message::WhoWatchesText => {
            "Yalnızca bu isteği oluşturan: bir insan ya da bir yapay zekâ aracısı. Bağlantıyı size \
             gönderenden başkası olabilir. Kim olduğunu doğrulamıyoruz."
        }
        Message::WhatIsRecorded => "Ne kaydedilir",
        Message::WhatIsRecordedText => {
            "Yalnızca kırmızı çubuk görünürken olanlar. Hiçbir şey kaybolmasın diye kayıt sürerken \
             sunucumuza gönderilir. Kaydı reddederseniz oradan silinir."
        }
        Message::HowLong => "Ne kadar saklanır",
        Message::HowLongText => "Bağlantı ve video şu tarihte silinir: {until}.",
        Message::YourChoice => "Karar sizin",
        Message::YourChoiceText => {
            "Bunu yapmak zorunda değilsiniz. Sayfayı kapatırsanız hiçbir şey olmaz."
        }
        Message::TakeCare => "Dikkatli olun",
        Message::TakeCareText => {
            "Beklemiyorsanız kimlik, banka kartı ya da parolalarınızı asla göstermeyin."
        }
        Message::Private => "Hesap yok, izleme yok, üçüncü taraf yok.",
        Message::Report => "Bu isteği bildir",

        // Nothing to do here for the moment.
        Message::Asking => "Tarayıcınız izin istiyor",
        Message::AskingText => {
            "Lütfen izin verin. Önce görüntüyü görürsünüz; henüz hiçbir şey kaydedilmez."
        }
        Message::Cancel => "Vazgeç",
        Message::Elsewhere => "Bu sayfa başka bir sekmede açık",
        Message::ElsewhereText => {
            "Orada kayıt yapılıyorsa o kayıt sona erer ve onunla burada devam edersiniz."
        }
        Message::GoOnHere => "Burada devam et",

        // What keeps the camera from us.
        Message::Denied => "Kamera bu sayfa için engellenmiş",
        Message::NoCamera => "Kamera bulunamadı",
        Message::NoCameraText => {
            "Bir kamera bağlayıp yeniden deneyin ya da bu bağlantıyı telefonunuzda açın."
        }
        Message::Busy => "Kamera kullanımda",
        Message::BusyText => {
            "Başka bir uygulama ya da sekme kullanıyor olabilir, örneğin bir görüntülü görüşme. Onu \
             kapatıp yeniden deneyin."
        }
        Message::Insecure => "Kamera için güvenli bir adres gerekir",
        Message::InsecureText => {
            "Tarayıcılar kameraya yalnızca https ile başlayan bağlantılarda izin verir. Böyle bir \
             bağlantı isteyin."
        }
        Message::Unsupported => "Bu tarayıcı kayıt yapamıyor",
        Message::UnsupportedText => {
            "Bağlantıyı kopyalayıp güncel bir Safari, Chrome ya da Firefox’ta açın."
        }
        Message::NoPicture => "Kameradan görüntü gelmedi",
        Message::NoPictureText => "Hiçbir şey kaydedilmedi. Lütfen yeniden deneyin.",
        Message::NoScreen => "Ekran paylaşılmadı",
        Message::NoScreenText => {
            "Hiçbir şey kaydedilmedi. Devam etmek isterseniz yeniden deneyin ve ne paylaşacağınızı \
             seçin."
        }
        Message::TryAgain => "Yeniden dene",
        Message::WithSound => "Sesli. Sorun yalnızca mikrofondaysa işareti kaldırın.",
        Message::OrFile => "Ya da kamera uygulamanızla çekip o videoyu burada seçin.",
        Message::UnblockIosSafari => {
            "Adresin yanındaki simgeye, ardından “Web Sitesi Ayarları”na dokunun.\n\
             Kameraya ve mikrofona izin verin."
        }
        Message::UnblockIosApp => {
            "Cihazınızın Ayarlar’ını açıp {browser} uygulamasını bulun.\n\
             Kamerayı ve mikrofonu açın."
        }
        Message::UnblockAndroid => {
            "Adresin başındaki simgeye, ardından “İzinler”e dokunun.\n\
             Kameraya ve mikrofona izin verin."
        }
        Message::UnblockAndroidFirefox => {
            "Adresin yanındaki kilide ya da kalkana dokunun.\n\
             İzin vermek için kamera ve mikrofondaki “Engellendi”ye dokunun."
        }
        Message::UnblockChrome => {
            "Adresin başındaki simgeye tıklayın.\n\
             Kamerayı ve mikrofonu açın."
        }
        Message::UnblockEdge => {
            "Adresin başındaki kilide, ardından “Bu site için izinler”e tıklayın.\n\
             Kameraya ve mikrofona izin verin."
        }
        Message::UnblockFirefox => {
            "Adresin başındaki üstü çizili kameraya tıklayın.\n\
             Yanındaki × ile “Engellendi”yi kaldırın."
        }
        Message::UnblockSafari => {
            "Menü çubuğunda “Safari”yi, ardından “Bu Web Sitesinin Ayarları…”nı seçin.\n\
             Kameraya ve mikrofona izin verin."
        }
        Message::UnblockOther => {
            "Adresin yanındaki simgeye dokunun.\n\
             Kameraya ve mikrofona izin verin."
        }
        Message::UnblockSystem => {
            "Hâlâ engelli mi? O zaman cihazınızın ayarlarında bu tarayıcıya kamera izni verin."
        }

        // At the camera.
        Message::CameraSees => "Kameranın gördüğü",
        Message::NotYet => "Henüz hiçbir şey kaydedilmiyor. Hazır olunca Kaydet’e basın.",
        Message::Record => "Kaydet",
        Message::Flip => "Kamerayı değiştir",
        Message::TurnOff => "Kapat",
        Message::Sound => "Ses",
        Message::Devices => "Kamera ve mikrofon",
        Message::Camera => "Kamera",
        Message::Microphone => "Mikrofon",
        Message::Loudness => "Ses düzeyi",
        Message::NoSound => "Sessiz",
        Message::Unheard => "Sizi duyamıyoruz. Mikrofon kapalı ya da örtülü mü?",
        Message::Dark => "Görüntü karanlık ya da kamera örtülü.",
        Message::Muted => "Cihazınız kamerayı engelliyor: video siyah olur.",
        Message::SoundLost => "Mikrofon bağlantısı koptu. Video sessiz devam ediyor.",
        Message::LittleRoom => "Bu cihazda az yer kaldı: kısa tutun.",
        Message::Unkept => {
            "Bu tarayıcı hiçbir şey saklamaz: video gönderilene kadar sayfayı açık bırakın."
        }
        Message::StartNow => "Hemen başla",

        // Recording.
        Message::Recording => "Kaydediliyor {recorded}",
        Message::Paused => "Duraklatıldı {recorded}",
        Message::Progress => "Kaydedilen {recorded} · gönderilen {sent}",
        Message::Waiting => "Şu anda gönderilemiyor; kendiliğinden devam edecek.",
        Message::ServerFull => "Sunucuda şu anda yer yok. Kendiliğinden yeniden deniyoruz.",
        Message::Offline => "Çevrimdışısınız. Bağlantı gelince devam ederiz.",
        Message::KeptHere => "O zamana kadar kayıt burada saklanır.",
        Message::LastMinute => "{left} kaldı, sonra kayıt kendiliğinden biter.",
        Message::Pause => "Duraklat",
        Message::GoOn => "Devam et",
        Message::Stop => "Durdur",
        Message::OneMoment => "Lütfen bekleyin…",

        // Reviewing.
        Message::YourRecording => "Kaydınız",
        Message::HaveALook => "Bir göz atın",
        Message::NobodyYet => "Siz göndermeden bu videoyu kimse almaz.",
        Message::Facts => "Süre {recorded} · boyut {size}",
        Message::Uploaded => "{percent} yüklendi, kalanı kendiliğinden yüklenir.",
        Message::UploadedAll => "Hepsi yüklendi, gönderilmeye hazır.",
        Message::Located => "Bu dosyada nerede çekildiği yazılı. Dosyayı alan bunu görebilir.",
        Message::Interrupted => "Kayıt kendiliğinden bitti. O ana kadar kaydettikleriniz burada.",
        Message::Resumed => "Yeniden hoş geldiniz: kaydınız ({recorded}) güvende.",
        Message::ChosenFile => "Seçtiğiniz video bu.",
        Message::Reading => "Video açılıyor…",
        Message::NoPreview => "Yer gerektiği için artık burada oynatılamıyor. Yine de güvende.",
        Message::NoPlayer => "Bu tarayıcı dosyayı oynatamıyor. Yine de gönderebilirsiniz.",
        Message::ClosesSoon => {
            "Bu bağlantı birkaç dakika içinde kapanıyor. Videoyu bundan önce gönderin."
        }
        Message::Send => "Bu videoyu gönder",
        Message::Again => "Yeniden kaydet",
        Message::Save => "Bu cihaza indir",
        Message::ThrowAway => "Bu video silinsin mi?",
        Message::ThrowAwayText => "Hem burada hem sunucumuzda silinir.",
        Message::Discard => "Evet, yeniden kaydet",
        Message::Keep => "Bunu tut",

        // Sending.
        Message::Sending => "Gönderiliyor: {percent}",
        Message::KeepOpen => "Lütfen bu sayfayı biraz daha açık bırakın.",
        Message::Preparing => "Ulaştı, hazırlanıyor.",
        Message::Received => "Video alındı",
        Message::ReceivedText => "Gönderildi. Bu sayfayı kapatabilirsiniz. Teşekkürler!",
        Message::StillHere => {
            "Kaydınız hâlâ burada: bu sayfayı kapatana kadar izleyebilir ve kaydedebilirsiniz."
        }

        // Over.
        Message::Expired => "Bu bağlantının süresi doldu",
        Message::ExpiredText => {
            "Video gönderilmeden süre doldu. Yüklenenler silindi. Hâlâ bir video gerekiyorsa yeni \
             bir bağlantı isteyin."
        }
        Message::AlreadySent => "Bir video zaten gönderildi",
        Message::AlreadySentText => {
            "Biri bu bağlantıyla bir video gönderdi, belki siz başka bir cihazdan. Bağlantı bir kez \
             geçerlidir, bu yüzden bu video gönderilmedi."
        }
        Message::Withdrawn => "Bu istek geri çekildi",
        Message::WithdrawnText => "Videoya artık gerek yok. Yüklenenler silindi.",
        Message::TakenDown => "Bu istek kaldırıldı",
        Message::TakenDownText => {
            "Bu hizmeti işleten onu kaldırdı. Bunun için yüklenen her şey silindi."
        }
        Message::TooLarge => "Bu video çok büyük",
        Message::TooLargeText => {
            "Bu sunucunun kabul ettiğinden büyük olduğu için gönderilmedi. Lütfen daha kısa bir \
             video kaydedin."
        }
        Message::Unreadable => "Bu dosya artık okunamıyor",
        Message::UnreadableText => {
            "Değiştirilmiş veya taşınmış olabilir ya da tamamı bu cihazda değildir. Hiçbir şey gönderilmedi. Lütfen yeniden seçin."
        }
        Message::Refused => "Bu video kabul edilemiyor",
        Message::RefusedText => {
            "Sunucu videoyu reddetti. Lütfen yeniden kaydedin, belki başka bir tarayıcıda."
        }
        Message::Unplayable => "Bu video oynatılamıyor",
        Message::UnplayableText => {
            "İçinde eksik ya da bozuk bir şey olduğu için gönderilmedi. Lütfen yeniden kaydedin."
        }

        // Said aloud.
        Message::SaidCountdown => "Kayıt 3 saniye içinde başlıyor.",
        Message::SaidRecording => "Kaydediliyor.",
        Message::SaidPaused => "Duraklatıldı.",
        Message::SaidStopped => "Kayıt durduruldu.",
        Message::SaidReview => "Kaydınız burada.",
        Message::SaidReceived => "Video alındı.",
        Message::SaidLastMinute => "Bir dakika kaldı.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "Kaydedici bu tarayıcıda başlatılamadı. Sayfayı yenileyin ya da bağlantıyı başka bir \
             tarayıcıda açın. Kamera uygulamanızla çekip videoyu buradan da gönderebilirsiniz."
        }
        Message::NoScript => {
            "Bu sayfada kayıt için JavaScript gerekir ve bu tarayıcıda kapalı. Kamera uygulamanızla \
             çekip videoyu buradan gönderebilirsiniz."
        }
        Message::YourVideo => "Videonuz",

        // Reporting.
        Message::ReportText => {
            "Bu hizmeti işleten bildirimi okur ve isteği kaldırabilir. Videoyu isteyene haber \
             verilmez ve sizinle ilgili hiçbir şey saklanmaz."
        }
        Message::ReportWhy => "Sorun nedir?",
        Message::ReportDanger => "Yasa dışı ya da tehlikeli bir şey istiyor",
        Message::ReportHarassment => "Birini taciz ediyor ya da mahrem bir şey istiyor",
        Message::ReportFraud => "Dolandırıcılık, ya da biri başkasının yerine geçiyor",
        Message::ReportOther => "Başka bir şey",
        Message::ReportMore => "Bilinmesi gereken ne var? Bu alanı boş bırakabilirsiniz.",
        Message::ReportSend => "Bildirimi gönder",
        Message::ReportLacksReason => {
            "Lütfen sorunun ne olduğunu seçin. Henüz hiçbir şey gönderilmedi."
        }
        Message::ReportTooLong => {
            "Metniniz çok uzun: lütfen kısaltın. Henüz hiçbir şey gönderilmedi."
        }
        Message::ReportContact => "Bu hizmeti işletene doğrudan da ulaşabilirsiniz:",
        Message::Reported => "Bildiriminiz için teşekkürler",
        Message::ReportedText => {
            "Bu hizmeti işleten onu 30 gün boyunca okuyabilir. Başka bir şey yapmanız ve kayıt \
             yapmanız gerekmez."
        }
        Message::ReportedOften => "Bu istek yeterince bildirildi",
        Message::ReportedOftenText => {
            "Bu hizmeti işleten, var olan bildirimleri okuyabilir. Bu bildirim onlara eklenmedi."
        }
        Message::TooManyReports => "Aynı anda çok fazla bildirim",
        Message::TooManyReportsText => {
            "Ağınızdan kısa sürede birkaç bildirim geldi, bu yüzden bu bildirim saklanmadı. \
             Lütfen daha sonra yeniden deneyin."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Sınırlı bir süre açıktı ve bu süre doldu. Onunla kaydedilen her şey silindi. Hâlâ bir \
             video gerekiyorsa yeni bir bağlantı isteyin."
        }
        Message::ClosedSubmitted => "Video alındı",
        Message::ClosedSubmittedText => {
            "Biri bu bağlantıyla bir video kaydedip gönderdi. Bağlantı bir kez geçerlidir, burada \
             yapılacak başka bir şey yok."
        }
        Message::Unknown => "Bu bağlantıda bir şey yok",
        Message::UnknownText => {
            "Adresin bir bölümü eksik olabilir ya da istek geri çekilmiş olabilir. Bağlantıyı \
             kopyaladıysanız tam olduğundan emin olun."
        }
        Message::NoFile => "Video seçilmedi",
        Message::NoFileText => "Lütfen geri dönün, bir video seçin ve yeniden gönderin.",
        Message::NoVideo => "Bu dosya kabul edilemiyor",
        Message::NoVideoText => "Lütfen geri dönüp bir video seçin: WebM, MP4, MOV ya da MKV.",
        Message::NoPictureInFileText => {
            "İçinde görüntü yok ya da dosyanın bir bölümü eksik, bu yüzden saklanmadı. Lütfen geri \
             dönüp başka bir video seçin."
        }
        Message::ClosedTooLargeText => {
            "Bu sunucunun kabul ettiğinden büyük olduğu için saklanmadı. Lütfen geri dönüp daha kısa \
             bir video gönderin."
        }
        Message::NotArrived => "Video ulaşmadı",
        Message::NotArrivedText => {
            "Tamamı gelmeden bağlantı koptu ve hiçbir şey saklanmadı. Lütfen geri dönüp yeniden \
             gönderin."
        }
        Message::Broken => "Bir şeyler ters gitti",
        Message::BrokenText => {
            "Bu bizim hatamız, sizin değil. Lütfen bir dakika sonra yeniden deneyin."
        }
    }
}
