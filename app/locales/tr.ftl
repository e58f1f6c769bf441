### Turkish, polite (siz).

## Every page

page-language = Dil
page-description = Tarayıcınızda video çekip gönderin. Uygulama yok, hesap yok.
page-terms = Koşullar
page-privacy = Gizlilik
report-heading = Bu isteği bildir
date-utc =
    { $day } { $month ->
        [1] Ocak
        [2] Şubat
        [3] Mart
        [4] Nisan
        [5] Mayıs
        [6] Haziran
        [7] Temmuz
        [8] Ağustos
        [9] Eylül
        [10] Ekim
        [11] Kasım
       *[12] Aralık
    }, { $time } UTC

## The recording page, before the camera

record-title = Video çek
record-prompt-heading = Sizden bir video çekmeniz isteniyor
record-audience = Videoyu bir insan ya da bir yapay zekâ izleyecek. Kim olduğunu doğrulamıyoruz; yalnızca bunu bekliyorsanız devam edin.
record-step = { $number } / { $total }
record-camera-hint = Kamerayı açınca kayıt başlamaz.
record-other-device = Başka bir cihaz şu anda kaydediyor.
source-camera = Kamerayı aç
source-screen = Ekranı kaydet
source-file = Mevcut videoyu seç
source-camera-app = Kamera uygulaması
source-other = Diğer yollar
source-file-hint = Ya da kamera uygulamanızla çekip o videoyu burada seçin.
source-drop = Videoyu buraya bırakın
source-drop-hint = Videoyu buraya sürükleyip bırakabilir ya da yapıştırabilirsiniz.
source-several-files = Lütfen yalnızca bir video seçin.
source-no-video = Bu dosyayı kabul edemiyoruz. Lütfen bir video seçin: WebM, MP4, MOV ya da MKV.
source-phone = Telefonla çek
source-phone-how = Telefonunuzun kamerasını bu koda tutun. Aynı sayfa orada açılır.
source-phone-code = Bu bağlantının QR kodu
link-copy = Bağlantıyı kopyala
link-copied = Kopyalandı
in-app-browser = Başka bir uygulamanın tarayıcısındasınız. Kamera burada çalışmazsa:
in-app-leave = Tarayıcıda aç
in-app-open-safari =
    ••• ya da paylaş simgesine dokunun.
    “Safari’de Aç” ya da “Tarayıcıda Aç” seçeneğini seçin.
in-app-open-chrome =
    Üstteki ⋮ ya da ••• simgesine dokunun.
    “Chrome’da aç” ya da “Tarayıcıda aç” seçeneğini seçin.

## What to know before recording

privacy-heading = Bilmenizde yarar var
privacy-audience = Kim izleyecek
privacy-audience-text = Yalnızca bu isteği oluşturan: bir insan ya da bir yapay zekâ aracısı. Bağlantıyı size gönderenden başkası olabilir. Kim olduğunu doğrulamıyoruz. Bir kopyasını saklayabilir.
privacy-recording = Ne kaydedilir
privacy-recording-text = Yalnızca kırmızı çubuk görünürken. Hiçbir şey kaybolmasın diye video kayıt sürerken yüklenir. Yeniden çekerseniz eskisi silinir.
privacy-retention-text = Bağlantı ve video şu tarihte silinir: { $until }.
privacy-transcript = Konuşmalar yazıya dökülebilir.
privacy-choice-text = Hayır diyebilirsiniz: bu sayfayı kapatmanız yeterli.
privacy-caution = Önceden haberiniz yoksa kimlik, banka kartı ya da parola asla göstermeyin.
privacy-no-account = Hesap yok, izleme yok.

## The browser asks for permission

permission-heading = Tarayıcınız izin istiyor
permission-text = Lütfen izin verin. Önce görüntüyü görürsünüz; henüz hiçbir şey kaydedilmiyor.
action-cancel = Vazgeç
action-close = Kapat

## Open in another tab

tab-heading = Bu sayfa başka bir sekmede açık
tab-text = Orada kayıt yapılıyorsa o kayıt sona erer ve onunla burada devam edersiniz.
tab-continue = Burada devam et

## No camera, and what to do about it

blocked-denied-heading = Tarayıcınız kamerayı engelliyor
blocked-no-camera-heading = Kamera bulunamadı
blocked-no-camera-text = Bir kamera bağlayıp yeniden deneyin ya da bu bağlantıyı telefonunuzda açın.
blocked-busy-heading = Kamera kullanımda
blocked-busy-text = Başka bir uygulama ya da sekme kullanıyor olabilir, örneğin bir görüntülü görüşme. Onu kapatıp yeniden deneyin.
blocked-insecure-heading = Kamera için güvenli bir adres gerekir
blocked-insecure-text = Tarayıcılar kameraya yalnızca https ile başlayan bağlantılarda izin verir. Böyle bir bağlantı isteyin.
blocked-unsupported-heading = Bu tarayıcı kayıt yapamıyor
blocked-unsupported-text = Bağlantıyı kopyalayıp güncel bir Safari, Chrome ya da Firefox’ta açın.
blocked-no-picture-heading = Kameradan görüntü gelmedi
blocked-no-picture-text = Hiçbir şey kaydedilmedi. Lütfen yeniden deneyin.
blocked-no-screen-heading = Ekran paylaşılmadı
blocked-no-screen-text = Hiçbir şey kaydedilmedi. Devam etmek isterseniz yeniden deneyin ve ne paylaşacağınızı seçin.
blocked-try-again = Yeniden dene
blocked-with-sound = Sesli. Sorun yalnızca mikrofondaysa işareti kaldırın.
unblock-ios-safari =
    Adresin yanındaki simgeye, ardından “Web Sitesi Ayarları”na dokunun.
    Kameraya ve mikrofona izin verin.
unblock-ios-app =
    Cihazınızın Ayarlar’ını açıp { $browser } uygulamasını bulun.
    Kamerayı ve mikrofonu açın.
unblock-android =
    Adresin başındaki simgeye, ardından “İzinler”e dokunun.
    Kameraya ve mikrofona izin verin.
unblock-android-firefox =
    Adresin yanındaki kilide ya da kalkana dokunun.
    İzin vermek için kamera ve mikrofondaki “Engellendi”ye dokunun.
unblock-chrome =
    Adresin başındaki simgeye tıklayın.
    Kamerayı ve mikrofonu açın.
unblock-edge =
    Adresin başındaki kilide, ardından “Bu site için izinler”e tıklayın.
    Kameraya ve mikrofona izin verin.
unblock-firefox =
    Adresin başındaki üstü çizili kameraya tıklayın.
    Yanındaki × ile “Engellendi”yi kaldırın.
unblock-safari =
    Menü çubuğunda “Safari”yi, ardından “Bu Web Sitesinin Ayarları…”nı seçin.
    Kameraya ve mikrofona izin verin.
unblock-other =
    Adresin yanındaki simgeye dokunun.
    Kameraya ve mikrofona izin verin.
unblock-system = Hâlâ engelli mi? O zaman cihazınızın ayarlarında bu tarayıcıya kamera izni verin.

## At the camera

camera-picture = Kameranın gördüğü
camera-not-recording = Henüz kaydedilmiyor
camera-record = Kaydı başlat
camera-start-now = Hemen başla
camera-flip = Kamerayı değiştir
camera-front = Ön kamera
camera-back = Arka kamera
camera-torch = Fener
camera-zoom = Yakınlaştırma
camera-lens = Lens
camera-lens-wide = Geniş açı
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Kamera ve mikrofon
camera-device = Kamera
camera-microphone = Mikrofon
camera-sound = Ses
camera-sound-level = Ses düzeyi
signal-silent = Sessiz
signal-no-microphone = Yalnızca ekranın sesi, mikrofon yok
signal-unheard = Sizi duyamıyoruz. Mikrofon kapalı ya da örtülü mü?
signal-sound-lost = Ses kesildi. Video onsuz devam ediyor.
signal-dark = Görüntü karanlık ya da kamera örtülü.
signal-muted = Cihazınız kamerayı engelliyor: video siyah olur.
storage-low = Bu cihazda az yer kaldı: kısa tutun.
storage-none = Bu tarayıcı kaydınızı saklayamıyor: video gönderilene kadar sayfayı açık bırakın.

## Recording

recording-status = Kaydediliyor { $recorded }
recording-paused = Duraklatıldı { $recorded }
recording-last-minute = { $left } kaldı, sonra kayıt kendiliğinden biter.
recording-pause = Duraklat
recording-resume = Devam et
recording-stop = Durdur
recording-finish = Bitir
recording-stopping = Lütfen bekleyin…

## Uploading

upload-sent = Yüklenen { $sent }
upload-progress = { $percent } yüklendi, kalanı kendiliğinden yüklenir.
upload-complete = Yüklendi, gönderilmeye hazır.
upload-offline = Çevrimdışısınız. Bağlantı gelince yükleme devam eder.
upload-waiting = Şu anda yüklenemiyor. Denemeye devam ediyoruz.
upload-server-full = Sunucu şu anda dolu. Denemeye devam ediyoruz.
upload-kept = O zamana kadar kaydınız burada güvende.

## Reviewing

review-heading = Videonuzu kontrol edin
review-question = Bunu gösterdiniz mi?
review-not-sent = “Gönder”e basana kadar gönderilmez.
review-video = Kaydınız
review-facts = Süre { $recorded } · boyut { $size }
review-interrupted = Kayıt kendiliğinden bitti. O ana kadar kaydettikleriniz burada.
review-resumed = Yeniden hoş geldiniz: kaydınız ({ $recorded }) güvende.
review-file = Seçtiğiniz video: { $name }
review-reading = Video açılıyor… { $read }
review-no-preview = Yer gerektiği için artık burada oynatılamıyor. Yine de güvende.
review-no-player = Önizleme yok: Bu tarayıcı videoyu gösteremiyor. Yine de gönderebilirsiniz.
review-located = Bu dosyada nerede çekildiği yazılı. Dosyayı alan bunu görebilir.
review-closes-soon = Bu bağlantının süresi birkaç dakika içinde doluyor. Videoyu bundan önce gönderin.
review-send = Videoyu gönder
review-again = Yeniden çek
review-save = Bu cihaza indir
discard-heading = Bu video silinip yeniden çekilsin mi?
discard-text = Hem burada hem sunucumuzda silinir.
discard-confirm = Sil ve yeniden çek
discard-keep = Bunu tut

## Sending

submit-progress = Gönderiliyor: { $percent }
submit-keep-open = Lütfen bu sayfayı biraz daha açık bırakın.
submit-preparing = Ulaştı, hazırlanıyor.
submit-sent-heading = Gönderildi. Teşekkürler!
submit-sent-text = Videoyu isteyen artık onu izleyebilir. Bu sayfayı kapatabilirsiniz.
receipt-sent = Gönderildi: { $time }
receipt-save = Alındıyı kaydet

## The end of a link or of a recording

end-expired-heading = Bu bağlantının süresi doldu
end-expired-text = Video gönderilmeden süre doldu. Yüklenenler silindi. Hâlâ bir video gerekiyorsa yeni bir bağlantı isteyin.
end-submitted-heading = Bir video zaten gönderildi
end-submitted-text = Biri bu bağlantıyla bir video gönderdi, belki siz başka bir cihazdan. Bağlantı bir kez geçerlidir, bu yüzden bu video gönderilmedi.
end-withdrawn-heading = Bu istek geri çekildi
end-withdrawn-text = Videoya artık gerek yok. Yüklenenler silindi.
end-taken-down-heading = Bu istek kaldırıldı
end-taken-down-text = Bu hizmeti işleten, isteği kaldırdı. Bunun için yüklenen her şey silindi.
end-too-large-heading = Bu video çok büyük
end-too-large-text = Bu sunucunun kabul ettiğinden büyük olduğu için gönderilmedi. Lütfen daha kısa bir video çekin.
end-unreadable-heading = Bu dosya artık okunamıyor
end-unreadable-text = Değiştirilmiş veya taşınmış olabilir ya da tamamı bu cihazda olmayabilir. Hiçbir şey gönderilmedi. Lütfen yeniden seçin.
end-refused-heading = Bu video kabul edilemiyor
end-refused-text = Sunucu videoyu reddetti. Lütfen yeniden çekin, belki başka bir tarayıcıda.
end-unplayable-heading = Bu video oynatılamıyor
end-unplayable-text = İçinde eksik ya da bozuk bir şey olduğu için gönderilmedi. Lütfen yeniden çekin.
end-still-here = Kaydınız hâlâ burada: bu sayfayı kapatana kadar izleyebilir ve indirebilirsiniz.

## Announced by screen readers

announce-countdown = Kayıt { $seconds } saniye içinde başlıyor.
announce-recording = Kaydediliyor.
announce-paused = Duraklatıldı.
announce-stopped = Kayıt durduruldu.
announce-last-minute = Bir dakikadan az kaldı, sonra kayıt kendiliğinden biter.

## The form, where the recorder can't run

form-cannot-start = Kaydedici bu tarayıcıda başlatılamadı. Sayfayı yenileyin ya da bağlantıyı başka bir tarayıcıda açın. Kamera uygulamanızla çekip videoyu buradan da gönderebilirsiniz.
form-no-script = Bu sayfada kayıt için JavaScript gerekir ve bu tarayıcıda kapalı. Kamera uygulamanızla çekip videoyu buradan gönderebilirsiniz.
form-video = Videonuz
form-no-file-heading = Video seçilmedi
form-no-file-text = Lütfen geri dönün, bir video seçin ve yeniden gönderin.
form-not-a-video-heading = Bu dosya kabul edilemiyor
form-not-a-video-text = Lütfen geri dönüp bir video seçin: WebM, MP4, MOV ya da MKV.
form-unplayable-text = İçinde görüntü yok ya da dosyanın bir bölümü eksik, bu yüzden saklanmadı. Lütfen geri dönüp başka bir video seçin.
form-too-large-text = Bu sunucunun kabul ettiğinden büyük olduğu için saklanmadı. Lütfen geri dönüp daha kısa bir video gönderin.
form-interrupted-heading = Video ulaşmadı
form-interrupted-text = Tamamı gelmeden bağlantı koptu ve hiçbir şey saklanmadı. Lütfen geri dönüp yeniden gönderin.

## The form that reports a request

report-text = Bu hizmeti işleten, bildirimi okur ve isteği kaldırabilir. Videoyu isteyene haber verilmez ve bildirimle birlikte sizinle ilgili hiçbir şey saklanmaz.
report-reason = Sorun nedir?
report-reason-danger = Yasa dışı ya da tehlikeli bir şey istiyor
report-reason-harassment = Birini taciz ediyor ya da mahrem bir şey istiyor
report-reason-fraud = Dolandırıcılık ya da biri kendini başkası olarak tanıtıyor
report-reason-other = Başka bir şey
report-details = Neyi çekmeniz istendi ve bağlantıyı size kim gönderdi? Bu alanı boş bırakabilirsiniz.
report-send = Bildirimi gönder
report-reason-missing = Lütfen sorunun ne olduğunu seçin. Henüz hiçbir şey gönderilmedi.
report-too-long = Metniniz çok uzun: lütfen kısaltın. Henüz hiçbir şey gönderilmedi.
report-contact = Bu hizmeti işletene doğrudan da ulaşabilirsiniz:
report-received-heading = Bildiriminiz için teşekkürler
report-received-text = Bu hizmeti işleten, bildirimi { $days } gün boyunca okuyabilir. Başka bir şey yapmanız ve kayıt yapmanız gerekmez.
report-enough-heading = Bu istek yeterince bildirildi
report-enough-text = Bu hizmeti işleten, var olan bildirimleri okuyabilir. Bu bildirim onlara eklenmedi.
report-too-many-heading = Aynı anda çok fazla bildirim
report-too-many-text = Ağınızdan kısa sürede birkaç bildirim geldi, bu yüzden bu bildirim saklanmadı. Lütfen daha sonra yeniden deneyin.

## A link that leads to no recording

closed-expired-text = Sınırlı bir süre açıktı ve bu süre doldu. Onunla kaydedilen her şey silindi. Hâlâ bir video gerekiyorsa yeni bir bağlantı isteyin.
closed-submitted-heading = Video alındı
closed-submitted-text = Biri bu bağlantıyla bir video çekip gönderdi. Bağlantı bir kez geçerlidir, burada yapılacak başka bir şey yok.
closed-not-found-heading = Bu bağlantıda bir şey yok
closed-not-found-text = Adresin bir bölümü eksik olabilir ya da istek geri çekilmiş olabilir. Bağlantıyı kopyaladıysanız tam olduğundan emin olun.
closed-error-heading = Bir şeyler ters gitti
closed-error-text = Bu bizim hatamız, sizin değil. Lütfen bir dakika sonra yeniden deneyin.
