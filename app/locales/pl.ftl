### Polish, direct without a form of address where it can be avoided.

## Every page

page-language = Język
page-description = Nagraj film w przeglądarce i wyślij go. Bez aplikacji i bez konta.
page-terms = Zasady
page-privacy = Prywatność
report-heading = Zgłoś tę prośbę
date-utc =
    { $day } { $month ->
        [1] stycznia
        [2] lutego
        [3] marca
        [4] kwietnia
        [5] maja
        [6] czerwca
        [7] lipca
        [8] sierpnia
        [9] września
        [10] października
        [11] listopada
       *[12] grudnia
    }, { $time } UTC

## The recording page, before the camera

record-title = Nagraj film
record-prompt-heading = Ktoś prosi o nagranie filmu
record-audience = Film obejrzy człowiek albo AI. Nie sprawdzamy, kto to jest; kontynuuj tylko, jeśli spodziewasz się tej prośby.
record-step = { $number } z { $total }
record-camera-hint = Samo włączenie kamery niczego nie nagrywa.
record-other-device = Inne urządzenie właśnie nagrywa.
source-camera = Włącz kamerę
source-screen = Nagraj ekran
source-file = Użyj gotowego filmu
source-camera-app = Użyj aplikacji aparatu
source-other = Inne sposoby
source-file-hint = Albo nagraj aplikacją aparatu i wybierz ten film tutaj.
source-drop = Upuść film tutaj
source-drop-hint = Możesz też przeciągnąć lub wkleić tu film.
source-several-files = Wybierz tylko jeden film.
source-no-video = Nie możemy przyjąć tego pliku. Wybierz film: WebM, MP4, MOV lub MKV.
source-phone = Użyj kamery telefonu
source-phone-how = Skieruj kamerę telefonu na ten kod. Otworzy się tam ta sama strona.
source-phone-code = Kod QR tego linku
link-copy = Kopiuj link
link-copied = Skopiowano
in-app-browser = To przeglądarka wewnątrz innej aplikacji. Jeśli kamera tu nie działa:
in-app-leave = Otwórz w przeglądarce
in-app-open-safari =
    Stuknij ••• albo ikonę udostępniania.
    Wybierz „Otwórz w Safari” albo „Otwórz w przeglądarce”.
in-app-open-chrome =
    Stuknij ⋮ albo ••• u góry.
    Wybierz „Otwórz w Chrome” albo „Otwórz w przeglądarce”.

## What to know before recording

privacy-heading = Warto wiedzieć
privacy-audience = Kto to obejrzy
privacy-audience-text = Tylko autor tej prośby: człowiek albo agent AI, i niekoniecznie ten, kto przysłał link. Nie sprawdzamy, kto to jest. Może zachować kopię.
privacy-recording = Co się nagrywa
privacy-recording-text = Tylko wtedy, gdy widać czerwony pasek. Film przesyła się już w trakcie nagrywania, żeby nic nie zginęło. Jeśli nagrasz ponownie, poprzedni zostanie usunięty.
privacy-retention-text = Link i film zostaną usunięte: { $until }.
privacy-transcript = Wypowiedziane słowa mogą zostać zapisane jako tekst.
privacy-choice-text = Możesz odmówić: wystarczy zamknąć tę stronę.
privacy-caution = Nigdy nie pokazuj dokumentów, kart bankowych ani haseł, chyba że była o tym mowa wcześniej.
privacy-no-account = Bez konta, bez śledzenia.

## The browser asks for permission

permission-heading = Przeglądarka prosi o zgodę
permission-text = Zezwól na to. Najpierw zobaczysz obraz; nic się jeszcze nie nagrywa.
action-cancel = Anuluj
action-close = Zamknij

## Open in another tab

tab-heading = Ta strona jest otwarta w innej karcie
tab-text = Jeśli trwa tam nagrywanie, zakończy się, a nagranie znajdziesz tutaj.
tab-continue = Kontynuuj tutaj

## No camera, and what to do about it

blocked-denied-heading = Przeglądarka blokuje kamerę
blocked-no-camera-heading = Nie znaleziono kamery
blocked-no-camera-text = Podłącz kamerę i spróbuj ponownie albo otwórz ten link na telefonie.
blocked-busy-heading = Kamera jest zajęta
blocked-busy-text = Chyba używa jej inna aplikacja lub karta, na przykład rozmowa wideo. Zamknij ją i spróbuj ponownie.
blocked-insecure-heading = Kamera wymaga bezpiecznego adresu
blocked-insecure-text = Przeglądarki pozwalają na nią tylko przy linkach zaczynających się od https. Poproś o taki link.
blocked-unsupported-heading = Ta przeglądarka nie może nagrywać
blocked-unsupported-text = Skopiuj link i otwórz go w aktualnej przeglądarce Safari, Chrome lub Firefox.
blocked-no-picture-heading = Brak obrazu z kamery
blocked-no-picture-text = Nic się nie nagrało. Spróbuj ponownie.
blocked-no-screen-heading = Ekran nie został udostępniony
blocked-no-screen-text = Nic się nie nagrało. Aby kontynuować, spróbuj ponownie i wybierz, co udostępnić.
blocked-try-again = Spróbuj ponownie
blocked-with-sound = Z dźwiękiem. Odznacz, jeśli problemem jest tylko mikrofon.
unblock-ios-safari =
    Stuknij ikonę obok adresu, a potem „Ustawienia witryny”.
    Zezwól na kamerę i mikrofon.
unblock-ios-app =
    Otwórz Ustawienia urządzenia i znajdź { $browser }.
    Włącz aparat i mikrofon.
unblock-android =
    Stuknij ikonę na początku adresu, a potem „Uprawnienia”.
    Zezwól na kamerę i mikrofon.
unblock-android-firefox =
    Stuknij kłódkę lub tarczę obok adresu.
    Stuknij „Zablokowane” przy kamerze i mikrofonie, aby zezwolić.
unblock-chrome =
    Kliknij ikonę na początku adresu.
    Włącz kamerę i mikrofon.
unblock-edge =
    Kliknij kłódkę na początku adresu, a potem „Uprawnienia dla tej witryny”.
    Zezwól na kamerę i mikrofon.
unblock-firefox =
    Kliknij przekreśloną kamerę na początku adresu.
    Usuń „Zablokowano” znakiem × obok.
unblock-safari =
    Na pasku menu wybierz „Safari”, a potem „Ustawienia tej witryny…”.
    Zezwól na kamerę i mikrofon.
unblock-other =
    Stuknij ikonę obok adresu.
    Zezwól na kamerę i mikrofon.
unblock-system = Nadal zablokowana? Zezwól tej przeglądarce na kamerę w ustawieniach urządzenia.

## At the camera

camera-picture = Co widzi kamera
camera-not-recording = Nic się jeszcze nie nagrywa
camera-record = Nagraj
camera-start-now = Zacznij od razu
camera-flip = Zmień kamerę
camera-front = Przednia kamera
camera-back = Tylna kamera
camera-torch = Latarka
camera-zoom = Zoom
camera-lens = Obiektyw
camera-lens-wide = Szeroki kąt
camera-lens-main = Normalny
camera-lens-tele = Tele
camera-devices = Kamera i mikrofon
camera-device = Kamera
camera-microphone = Mikrofon
camera-sound = Dźwięk
camera-sound-level = Głośność
signal-silent = Bez dźwięku
signal-no-microphone = Tylko dźwięk ekranu, bez mikrofonu
signal-unheard = Nic nie słychać. Czy mikrofon jest wyciszony lub zakryty?
signal-sound-lost = Utracono dźwięk. Nagranie trwa dalej bez niego.
signal-dark = Obraz jest ciemny lub zasłonięty.
signal-muted = Twoje urządzenie blokuje kamerę: film byłby czarny.
storage-low = Na tym urządzeniu jest mało miejsca: nagraj coś krótkiego.
storage-none = Ta przeglądarka nie może zachować nagrania: nie zamykaj strony, dopóki film nie zostanie wysłany.

## Recording

recording-status = Nagrywanie { $recorded }
recording-paused = Pauza { $recorded }
recording-last-minute = Jeszcze { $left }, potem nagrywanie samo się zakończy.
recording-pause = Pauza
recording-resume = Wznów
recording-stop = Stop
recording-finish = Zakończ
recording-stopping = Chwileczkę…

## Uploading

upload-sent = Przesłano { $sent }
upload-progress = Przesłano { $percent }, reszta prześle się sama.
upload-complete = Przesłano, gotowe do wysłania.
upload-offline = Brak połączenia. Gdy wróci, przesyłanie ruszy dalej.
upload-waiting = Przesyłanie teraz się nie udaje. Próbujemy dalej.
upload-server-full = Serwer jest teraz pełny. Próbujemy dalej.
upload-kept = Do tego czasu nagranie jest tu bezpieczne.

## Reviewing

review-heading = Sprawdź swój film
review-question = Czy to widać na filmie?
review-not-sent = Film nie zostanie wysłany, dopóki nie naciśniesz „Wyślij”.
review-video = Twoje nagranie
review-facts = Długość { $recorded } · rozmiar { $size }
review-interrupted = Nagrywanie samo się zakończyło. Wszystko do tamtej chwili jest tutaj.
review-resumed = Witaj ponownie: Twoje nagranie ({ $recorded }) jest bezpieczne.
review-file = Wybrany film: { $name }
review-reading = Wczytywanie filmu… { $read }
review-no-preview = Nie można go już tu odtworzyć, bo zabrakło miejsca. Mimo to jest bezpieczny.
review-no-player = Bez podglądu: ta przeglądarka nie może pokazać tego filmu. Mimo to możesz go wysłać.
review-located = Ten plik mówi, gdzie go nakręcono. Kto go dostanie, może to zobaczyć.
review-closes-soon = Ten link wygaśnie za kilka minut. Wyślij film wcześniej.
review-send = Wyślij ten film
review-again = Nagraj ponownie
review-save = Zapisz na tym urządzeniu
discard-heading = Usunąć ten film i nagrać ponownie?
discard-text = Zostanie usunięty, tutaj i na naszym serwerze.
discard-confirm = Usuń i nagraj ponownie
discard-keep = Zostaw ten

## Sending

submit-progress = Wysyłanie: { $percent }
submit-keep-open = Nie zamykaj jeszcze tej strony.
submit-preparing = Film dotarł i jest przygotowywany.
submit-sent-heading = Wysłano. Dziękujemy!
submit-sent-text = Kto prosił o film, może go już obejrzeć. Możesz zamknąć tę stronę.
receipt-sent = Wysłano: { $time }
receipt-save = Zapisz potwierdzenie

## The end of a link or of a recording

end-expired-heading = Ten link wygasł
end-expired-text = Czas minął, zanim film został wysłany. To, co przesłano, zostało usunięte. Jeśli film jest nadal potrzebny, poproś o nowy link.
end-submitted-heading = Film został już wysłany
end-submitted-text = Ktoś wysłał film przez ten link, być może Ty z innego urządzenia. Link działa raz, więc ten film nie został wysłany.
end-withdrawn-heading = Ta prośba została wycofana
end-withdrawn-text = Film nie jest już potrzebny. To, co przesłano, zostało usunięte.
end-taken-down-heading = Ta prośba została usunięta
end-taken-down-text = Usunął ją operator tej usługi. Wszystko, co dla niej przesłano, jest skasowane.
end-too-large-heading = Ten film jest za duży
end-too-large-text = Jest większy, niż przyjmuje ten serwer, więc nie został wysłany. Nagraj krótszy.
end-unreadable-heading = Nie można już odczytać tego pliku
end-unreadable-text = Został zmieniony lub przeniesiony albo nie ma go w całości na tym urządzeniu. Nic nie zostało wysłane. Wybierz go ponownie.
end-refused-heading = Tego filmu nie można przyjąć
end-refused-text = Serwer go odrzucił. Nagraj ponownie, może w innej przeglądarce.
end-unplayable-heading = Tego filmu nie można odtworzyć
end-unplayable-text = Czegoś w nim brakuje lub coś jest uszkodzone, więc nie został wysłany. Nagraj ponownie.
end-still-here = Twoje nagranie wciąż tu jest: możesz je obejrzeć i zapisać, dopóki nie zamkniesz tej strony.

## Announced by screen readers

announce-countdown =
    Nagrywanie zacznie się za { $seconds ->
        [one] { $seconds } sekundę
        [few] { $seconds } sekundy
       *[many] { $seconds } sekund
    }.
announce-recording = Nagrywanie.
announce-paused = Pauza.
announce-stopped = Nagrywanie zakończone.
announce-last-minute = Została niecała minuta, potem nagrywanie samo się zakończy.

## The form, where the recorder can't run

form-cannot-start = Nie udało się uruchomić nagrywania w tej przeglądarce. Wczytaj stronę ponownie albo otwórz link w innej przeglądarce. Możesz też nagrać film aplikacją aparatu i wysłać go tutaj.
form-no-script = Do nagrywania na tej stronie potrzebny jest JavaScript, który w tej przeglądarce jest wyłączony. Możesz nagrać film aplikacją aparatu i wysłać go tutaj.
form-video = Twój film
form-no-file-heading = Nie wybrano filmu
form-no-file-text = Wróć, wybierz film i wyślij go ponownie.
form-not-a-video-heading = Tego pliku nie można przyjąć
form-not-a-video-text = Wróć i wybierz film: WebM, MP4, MOV lub MKV.
form-unplayable-text = Nie ma w nim obrazu albo brakuje części pliku, więc nie został zachowany. Wróć i wybierz inny.
form-too-large-text = Jest większy, niż przyjmuje ten serwer, więc nie został zachowany. Wróć i wyślij krótszy.
form-interrupted-heading = Film nie dotarł
form-interrupted-text = Połączenie zerwało się, zanim dotarła całość, i nic nie zostało zachowane. Wróć i wyślij ponownie.

## The form that reports a request

report-text = Operator tej usługi przeczyta zgłoszenie i może usunąć prośbę. Autor prośby się o tym nie dowie, a wraz ze zgłoszeniem nie zapisujemy niczego o Tobie.
report-reason = Co jest z nią nie tak?
report-reason-danger = Żąda czegoś nielegalnego lub niebezpiecznego
report-reason-harassment = Nęka kogoś albo żąda czegoś intymnego
report-reason-fraud = To oszustwo albo ktoś się pod kogoś podszywa
report-reason-other = Coś innego
report-details = O nagranie czego chodziło i kto wysłał link? To pole może zostać puste.
report-send = Wyślij zgłoszenie
report-reason-missing = Wybierz, co jest z nią nie tak. Nic jeszcze nie wysłano.
report-too-long = Tekst jest za długi: skróć go. Nic jeszcze nie wysłano.
report-contact = Można też zwrócić się bezpośrednio do operatora tej usługi:
report-received-heading = Dziękujemy za zgłoszenie
report-received-text =
    Operator tej usługi może je czytać przez { $days ->
        [one] { $days } dzień
       *[other] { $days } dni
    }. Nie trzeba robić nic więcej ani niczego nagrywać.
report-enough-heading = Tę prośbę zgłoszono już wystarczająco wiele razy
report-enough-text = Operator tej usługi może przeczytać istniejące zgłoszenia. To nie zostało do nich dodane.
report-too-many-heading = Zbyt wiele zgłoszeń naraz
report-too-many-text = W krótkim czasie przyszło ich z tej sieci kilka, więc to nie zostało zapisane. Spróbuj ponownie później.

## A link that leads to no recording

closed-expired-text = Był otwarty przez ograniczony czas i ten czas minął. Wszystko, co przez niego nagrano, zostało usunięte. Jeśli film jest nadal potrzebny, poproś o nowy link.
closed-submitted-heading = Film został odebrany
closed-submitted-text = Ktoś nagrał i wysłał film przez ten link. Link działa raz, więc nie ma tu już nic do zrobienia.
closed-not-found-heading = Pod tym linkiem nic nie ma
closed-not-found-text = Może brakuje części adresu albo prośba została wycofana. Jeśli link został skopiowany, sprawdź, czy jest cały.
closed-error-heading = Coś poszło nie tak
closed-error-text = To nasza wina, nie Twoja. Spróbuj ponownie za minutę.
