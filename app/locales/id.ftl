### Indonesian, polite (Anda).

## Every page

page-language = Bahasa
page-description = Rekam video di browser Anda lalu kirim. Tanpa aplikasi, tanpa akun.
page-terms = Ketentuan
page-privacy = Privasi
report-heading = Laporkan permintaan ini
date-utc =
    { $day } { $month ->
        [1] Januari
        [2] Februari
        [3] Maret
        [4] April
        [5] Mei
        [6] Juni
        [7] Juli
        [8] Agustus
        [9] September
        [10] Oktober
        [11] November
       *[12] Desember
    } pukul { $time } UTC

## The recording page, before the camera

record-title = Rekam video
record-prompt-heading = Anda diminta merekam video
record-audience = Video ini akan ditonton oleh orang atau AI. Kami tidak memeriksa siapa, jadi lanjutkan hanya jika Anda memang menunggu permintaan ini.
record-step = { $number } dari { $total }
record-camera-hint = Membuka kamera belum merekam apa pun.
record-other-device = Perangkat lain sedang merekam.
source-camera = Buka kamera
source-screen = Rekam layar
source-file = Pakai video yang ada
source-camera-app = Pakai aplikasi kamera
source-other = Cara lain
source-file-hint = Atau rekam dengan aplikasi kamera, lalu pilih videonya di sini.
source-drop = Lepaskan video di sini
source-drop-hint = Anda juga bisa menyeret atau menempelkan video di sini.
source-several-files = Silakan pilih satu video saja.
source-no-video = Kami tidak bisa menerima file ini. Silakan pilih video: WebM, MP4, MOV, atau MKV.
source-phone = Pakai kamera ponsel saja
source-phone-how = Arahkan kamera ponsel ke kode ini. Halaman yang sama akan terbuka di sana.
source-phone-code = Kode QR untuk tautan ini
link-copy = Salin tautan
link-copied = Tersalin
in-app-browser = Halaman ini terbuka di dalam aplikasi lain. Jika kamera tidak berfungsi di sini:
in-app-leave = Buka di browser
in-app-open-safari =
    Ketuk ••• atau ikon bagikan.
    Pilih “Buka di Safari” atau “Buka di browser”.
in-app-open-chrome =
    Ketuk ⋮ atau ••• di bagian atas.
    Pilih “Buka di Chrome” atau “Buka di browser”.

## What to know before recording

privacy-heading = Yang perlu diketahui
privacy-audience = Siapa yang menonton
privacy-audience-text = Hanya orang atau agen AI yang membuat permintaan ini, dan belum tentu orang yang mengirimi Anda tautan. Kami tidak memeriksa siapa itu. Mereka dapat menyimpan salinannya.
privacy-recording = Apa yang direkam
privacy-recording-text = Hanya selama bilah merah terlihat. Video diunggah sambil direkam agar tidak ada yang hilang. Jika Anda merekam ulang, yang lama dihapus.
privacy-retention-text = Tautan dan video akan dihapus pada { $until }.
privacy-transcript = Ucapan bisa diubah menjadi teks.
privacy-choice-text = Anda boleh menolak. Tutup saja halaman ini.
privacy-caution = Jangan pernah memperlihatkan kartu identitas, kartu bank, atau kata sandi, kecuali Anda sudah tahu akan diminta.
privacy-no-account = Tanpa akun, tanpa pelacakan.

## The browser asks for permission

permission-heading = Browser Anda meminta izin
permission-text = Pilih Izinkan. Anda akan melihat gambarnya dulu; belum ada yang direkam.
action-cancel = Batal
action-close = Tutup

## Open in another tab

tab-heading = Halaman ini terbuka di tab lain
tab-text = Jika di sana sedang merekam, rekaman itu berhenti dan bisa Anda temukan di sini.
tab-continue = Lanjutkan di sini

## No camera, and what to do about it

blocked-denied-heading = Browser Anda memblokir kamera
blocked-no-camera-heading = Kamera tidak ditemukan
blocked-no-camera-text = Sambungkan kamera lalu coba lagi, atau buka tautan ini di ponsel Anda.
blocked-busy-heading = Kamera sedang dipakai
blocked-busy-text = Sepertinya aplikasi atau tab lain sedang memakainya, misalnya panggilan video. Tutup dulu, lalu coba lagi.
blocked-insecure-heading = Kamera memerlukan alamat yang aman
blocked-insecure-text = Browser hanya mengizinkannya untuk tautan yang diawali https. Mintalah tautan seperti itu.
blocked-unsupported-heading = Browser ini tidak bisa merekam
blocked-unsupported-text = Salin tautannya dan buka di Safari, Chrome, atau Firefox versi terbaru.
blocked-no-picture-heading = Tidak ada gambar dari kamera
blocked-no-picture-text = Tidak ada yang terekam. Silakan coba lagi.
blocked-no-screen-heading = Layar tidak dibagikan
blocked-no-screen-text = Tidak ada yang terekam. Untuk melanjutkan, coba lagi dan pilih apa yang akan dibagikan.
blocked-try-again = Coba lagi
blocked-with-sound = Dengan suara. Hapus centang ini jika hanya mikrofon yang bermasalah.
unblock-ios-safari =
    Ketuk ikon di sebelah alamat, lalu “Pengaturan Situs Web”.
    Izinkan kamera dan mikrofon.
unblock-ios-app =
    Buka Pengaturan di perangkat Anda dan cari { $browser }.
    Nyalakan kamera dan mikrofon.
unblock-android =
    Ketuk ikon di awal alamat, lalu “Izin”.
    Izinkan kamera dan mikrofon.
unblock-android-firefox =
    Ketuk gembok atau perisai di sebelah alamat.
    Ketuk “Diblokir” pada kamera dan mikrofon untuk mengizinkannya.
unblock-chrome =
    Klik ikon di awal alamat.
    Nyalakan kamera dan mikrofon.
unblock-edge =
    Klik gembok di awal alamat, lalu “Izin untuk situs ini”.
    Izinkan kamera dan mikrofon.
unblock-firefox =
    Klik kamera yang dicoret di awal alamat.
    Hapus “Diblokir” dengan × di sebelahnya.
unblock-safari =
    Di bar menu, pilih “Safari”, lalu “Pengaturan untuk Situs Web Ini…”.
    Izinkan kamera dan mikrofon.
unblock-other =
    Ketuk ikon di sebelah alamat.
    Izinkan kamera dan mikrofon.
unblock-system = Masih diblokir? Izinkan kamera untuk browser ini di setelan perangkat Anda.

## At the camera

camera-picture = Yang dilihat kamera
camera-not-recording = Belum merekam
camera-record = Rekam
camera-start-now = Mulai sekarang
camera-flip = Ganti kamera
camera-front = Kamera depan
camera-back = Kamera belakang
camera-torch = Senter
camera-zoom = Zoom
camera-lens = Lensa
camera-lens-wide = Lebar
camera-lens-main = Normal
camera-lens-tele = Tele
camera-devices = Kamera dan mikrofon
camera-device = Kamera
camera-microphone = Mikrofon
camera-sound = Suara
camera-sound-level = Tingkat suara
signal-silent = Tanpa suara
signal-no-microphone = Hanya suara layar, tanpa mikrofon
signal-unheard = Suara Anda tidak terdengar. Apakah mikrofon mati atau tertutup?
signal-sound-lost = Suara terputus. Video berlanjut tanpanya.
signal-dark = Gambarnya gelap atau tertutup.
signal-muted = Perangkat Anda memblokir kamera: videonya akan hitam.
storage-low = Ruang penyimpanan perangkat ini tinggal sedikit: rekam yang singkat saja.
storage-none = Browser ini tidak bisa menyimpan rekaman: biarkan halaman ini terbuka sampai video terkirim.

## Recording

recording-status = Merekam { $recorded }
recording-paused = Dijeda { $recorded }
recording-last-minute = Tinggal { $left }, lalu rekaman berhenti sendiri.
recording-pause = Jeda
recording-resume = Lanjutkan
recording-stop = Berhenti
recording-finish = Selesai
recording-stopping = Tunggu sebentar…

## Uploading

upload-sent = Terunggah { $sent }
upload-progress = { $percent } terunggah. Sisanya menyusul sendiri.
upload-complete = Sudah terunggah dan siap dikirim.
upload-offline = Anda sedang offline. Unggahan berlanjut begitu Anda terhubung lagi.
upload-waiting = Saat ini unggahan belum berhasil. Kami terus mencoba.
upload-server-full = Server sedang penuh. Kami terus mencoba.
upload-kept = Sampai saat itu, rekaman Anda aman di sini.

## Reviewing

review-heading = Periksa video Anda
review-question = Sudah Anda tunjukkan?
review-not-sent = Video tidak akan dikirim sebelum Anda menekan Kirim.
review-video = Rekaman Anda
review-facts = Durasi { $recorded } · ukuran { $size }
review-interrupted = Rekaman berhenti sendiri. Semua sampai saat itu ada di sini.
review-resumed = Selamat datang kembali: rekaman { $recorded } tersimpan aman.
review-file = Video yang Anda pilih: { $name }
review-reading = Memuat video… { $read }
review-no-preview = Video tidak bisa diputar lagi di sini karena ruang penyimpanan diperlukan. Videonya tetap aman.
review-no-player = Tidak ada pratinjau: browser ini tidak bisa menampilkan video. Anda tetap bisa mengirimnya.
review-located = File ini memuat lokasi pengambilannya. Siapa pun yang menerimanya bisa melihatnya.
review-closes-soon = Tautan ini akan berakhir dalam beberapa menit. Kirim videonya sebelum itu.
review-send = Kirim video ini
review-again = Rekam ulang
review-save = Simpan di perangkat ini
discard-heading = Hapus video ini dan rekam ulang?
discard-text = Video dihapus di sini dan di server kami.
discard-confirm = Hapus dan rekam ulang
discard-keep = Tetap pakai ini

## Sending

submit-progress = Mengirim: { $percent }
submit-keep-open = Biarkan halaman ini terbuka sebentar lagi.
submit-preparing = Video sudah sampai. Kami sedang menyiapkannya.
submit-sent-heading = Terkirim. Terima kasih!
submit-sent-text = Pihak yang meminta video ini kini bisa menontonnya. Anda boleh menutup halaman ini.
receipt-sent = Terkirim: { $time }
receipt-save = Simpan tanda terima

## The end of a link or of a recording

end-expired-heading = Tautan ini sudah berakhir
end-expired-text = Waktunya habis sebelum video dikirim. Yang sudah diunggah telah dihapus. Jika video masih diperlukan, mintalah tautan baru.
end-submitted-heading = Video sudah pernah dikirim
end-submitted-text = Seseorang sudah mengirim video dengan tautan ini, mungkin Anda sendiri dari perangkat lain. Tautan hanya berlaku sekali, jadi video ini tidak dikirim.
end-withdrawn-heading = Permintaan ini ditarik kembali
end-withdrawn-text = Video tidak diperlukan lagi. Yang sudah diunggah telah dihapus.
end-taken-down-heading = Permintaan ini dihapus
end-taken-down-text = Pengelola layanan ini menghapusnya. Semua yang diunggah untuk permintaan ini telah dihapus.
end-too-large-heading = Video ini terlalu besar
end-too-large-text = Ukurannya melebihi batas server ini, jadi tidak dikirim. Silakan rekam yang lebih singkat.
end-unreadable-heading = File ini tidak bisa dibaca lagi
end-unreadable-text = File diubah atau dipindahkan, atau belum sepenuhnya ada di perangkat ini. Tidak ada yang dikirim. Silakan pilih lagi.
end-refused-heading = Video ini tidak bisa diterima
end-refused-text = Server menolaknya. Silakan rekam ulang, mungkin di browser lain.
end-unplayable-heading = Video ini tidak bisa diputar
end-unplayable-text = Ada bagian yang hilang atau rusak, jadi tidak dikirim. Silakan rekam ulang.
end-still-here = Rekaman Anda masih ada di sini. Anda bisa menonton dan menyimpannya sampai halaman ini ditutup.

## Announced by screen readers

announce-countdown = Rekaman dimulai dalam { $seconds } detik.
announce-recording = Sedang merekam.
announce-paused = Dijeda.
announce-stopped = Rekaman dihentikan.
announce-last-minute = Tinggal kurang dari satu menit, lalu rekaman berhenti sendiri.

## The form, where the recorder can't run

form-cannot-start = Perekaman tidak bisa dimulai di browser ini. Muat ulang halaman, atau buka tautan di browser lain. Anda juga bisa merekam dengan aplikasi kamera dan mengirim videonya di sini.
form-no-script = Merekam di halaman ini memerlukan JavaScript, yang dinonaktifkan di browser ini. Anda bisa merekam dengan aplikasi kamera dan mengirim videonya di sini.
form-video = Video Anda
form-no-file-heading = Belum ada video yang dipilih
form-no-file-text = Silakan kembali, pilih video, lalu kirim lagi.
form-not-a-video-heading = File ini tidak bisa diterima
form-not-a-video-text = Silakan kembali dan pilih video: WebM, MP4, MOV, atau MKV.
form-unplayable-text = File tidak berisi gambar, atau sebagian hilang, jadi tidak disimpan. Silakan kembali dan pilih yang lain.
form-too-large-text = Ukurannya melebihi batas server ini, jadi tidak disimpan. Silakan kembali dan kirim yang lebih singkat.
form-interrupted-heading = Video tidak sampai
form-interrupted-text = Koneksi terputus sebelum semuanya sampai, dan tidak ada yang disimpan. Silakan kembali dan kirim lagi.

## The form that reports a request

report-text = Pengelola layanan ini membaca laporan Anda dan bisa menghapus permintaan itu. Peminta video tidak diberi tahu, dan tidak ada data tentang Anda yang disimpan bersama laporan ini.
report-reason = Apa masalahnya?
report-reason-danger = Meminta sesuatu yang ilegal atau berbahaya
report-reason-harassment = Melecehkan seseorang, atau meminta sesuatu yang intim
report-reason-fraud = Penipuan, atau seseorang menyamar sebagai orang lain
report-reason-other = Lainnya
report-details = Anda diminta merekam apa, dan siapa yang mengirim tautannya? Boleh dikosongkan.
report-send = Kirim laporan
report-reason-missing = Silakan pilih apa masalahnya. Belum ada yang dikirim.
report-too-long = Teks Anda terlalu panjang: silakan persingkat. Belum ada yang dikirim.
report-contact = Anda juga bisa langsung menghubungi pengelola layanan ini:
report-received-heading = Terima kasih atas laporan Anda
report-received-text = Pengelola layanan ini bisa membacanya selama { $days } hari. Anda tidak perlu melakukan apa pun lagi, dan tidak perlu merekam apa pun.
report-enough-heading = Permintaan ini sudah cukup sering dilaporkan
report-enough-text = Pengelola layanan ini bisa membaca laporan sebelumnya. Laporan Anda tidak ditambahkan lagi.
report-too-many-heading = Terlalu banyak laporan sekaligus
report-too-many-text = Beberapa laporan datang dari jaringan Anda dalam waktu singkat, jadi laporan ini tidak disimpan. Silakan coba lagi nanti.

## A link that leads to no recording

closed-expired-text = Tautan ini berlaku dalam waktu terbatas, dan waktunya sudah habis. Semua yang direkam dengannya telah dihapus. Jika video masih diperlukan, mintalah tautan baru.
closed-submitted-heading = Video sudah diterima
closed-submitted-text = Seseorang sudah merekam dan mengirim video dengan tautan ini. Tautan hanya berlaku sekali, jadi tidak ada lagi yang perlu dilakukan di sini.
closed-not-found-heading = Tidak ada apa pun di tautan ini
closed-not-found-text = Mungkin sebagian alamatnya hilang, atau permintaannya ditarik kembali. Jika Anda menyalin tautannya, periksa apakah sudah lengkap.
closed-error-heading = Ada yang tidak beres
closed-error-text = Ini kesalahan kami, bukan Anda. Silakan coba lagi setelah satu menit.
