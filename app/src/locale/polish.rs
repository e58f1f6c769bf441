//! Polish, direct without a form of address where it can be avoided.

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "Język",
        Message::Title => "Nagraj film",
        Message::Description => {
            "Nagraj film w przeglądarce i wyślij go. Bez aplikacji i bez konta."
        }
        Message::Terms => "Zasady",
        Message::Privacy => "Prywatność",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "Ktoś prosi o nagranie filmu",
        Message::ForWhom => {
            "Film trafi do autora tej prośby; może nim być agent AI. Nie sprawdzamy, kto to jest."
        }
        Message::NothingYet => "Nic się nie nagrywa, dopóki nie naciśniesz „Nagraj”.",
        Message::TurnOnCamera => "Włącz kamerę",
        Message::RecordScreen => "Nagraj ekran",
        Message::ChooseVideo => "Wybierz film",
        Message::FilmWithApp => "Użyj aplikacji aparatu",
        Message::UsePhone => "Użyj kamery telefonu",
        Message::UsePhoneHow => {
            "Skieruj aparat telefonu na ten kod. Otworzy się tam ta sama strona."
        }
        Message::CodeOfLink => "Kod QR tego linku",
        Message::OtherRecords => "Inne urządzenie właśnie nagrywa.",
        Message::InApp => "To przeglądarka wewnątrz innej aplikacji. Jeśli kamera tu nie działa:",
        Message::OpenInSafari => {
            "Stuknij ••• albo symbol udostępniania.\n\
             Wybierz „Otwórz w Safari” albo „Otwórz w przeglądarce”."
        }
        Message::OpenInChrome => {
            "Stuknij ⋮ albo ••• u góry.\n\
             Wybierz „Otwórz w Chrome” albo „Otwórz w przeglądarce”."
        }
        Message::CopyLink => "Kopiuj link",
        Message::Copied => "Skopiowano",

        // What to know.
        Message::GoodToKnow => "Warto wiedzieć",
        Message::WhoWatches => "Kto to obejrzy",
        Message::WhoWatchesText => {
            "Tylko autor tej prośby: człowiek albo agent AI, i nie zawsze ten, kto przysłał link. \
             Nie sprawdzamy, kto to jest."
        }
        Message::WhatIsRecorded => "Co się nagrywa",
        Message::WhatIsRecordedText => {
            "Tylko to, co dzieje się, gdy widać czerwony pasek. Nagranie trafia na nasz serwer już w \
             trakcie, żeby nic nie zginęło. Jeśli je odrzucisz, zostanie stamtąd usunięte."
        }
        Message::HowLong => "Jak długo zostaje",
        Message::HowLongText => "Link i film zostaną usunięte: {until}.",
        Message::YourChoice => "Twój wybór",
        Message::YourChoiceText => {
            "Nie musisz tego robić. Jeśli po prostu zamkniesz tę stronę, nic się nie stanie."
        }
        Message::TakeCare => "Uważaj",
        Message::TakeCareText => {
            "Nigdy nie pokazuj dokumentów, kart bankowych ani haseł, chyba że była o tym mowa \
             wcześniej."
        }
        Message::Private => "Bez konta, bez śledzenia, bez osób trzecich.",
        Message::Report => "Zgłoś tę prośbę",

        // Nothing to do here for the moment.
        Message::Asking => "Przeglądarka prosi o zgodę",
        Message::AskingText => {
            "Prosimy zezwolić. Najpierw zobaczysz obraz; nic się jeszcze nie nagrywa."
        }
        Message::Cancel => "Anuluj",
        Message::Elsewhere => "Ta strona jest otwarta w innej karcie",
        Message::ElsewhereText => {
            "Jeśli trwa tam nagrywanie, zakończy się, a nagranie znajdziesz tutaj."
        }
        Message::GoOnHere => "Kontynuuj tutaj",

        // What keeps the camera from us.
        Message::Denied => "Kamera jest zablokowana na tej stronie",
        Message::NoCamera => "Nie znaleziono kamery",
        Message::NoCameraText => {
            "Podłącz kamerę i spróbuj ponownie albo otwórz ten link na telefonie."
        }
        Message::Busy => "Kamera jest zajęta",
        Message::BusyText => {
            "Chyba używa jej inna aplikacja lub karta, na przykład rozmowa wideo. Zamknij ją i \
             spróbuj ponownie."
        }
        Message::Insecure => "Kamera wymaga bezpiecznego adresu",
        Message::InsecureText => {
            "Przeglądarki pozwalają na nią tylko przy linkach zaczynających się od https. Poproś o \
             taki link."
        }
        Message::Unsupported => "Ta przeglądarka nie umie nagrywać",
        Message::UnsupportedText => {
            "Skopiuj link i otwórz go w aktualnej przeglądarce Safari, Chrome lub Firefox."
        }
        Message::NoPicture => "Kamera nie dała obrazu",
        Message::NoPictureText => "Nic się nie nagrało. Spróbuj ponownie.",
        Message::NoScreen => "Ekran nie został udostępniony",
        Message::NoScreenText => {
            "Nic się nie nagrało. Aby kontynuować, spróbuj ponownie i wybierz, co udostępnić."
        }
        Message::TryAgain => "Spróbuj ponownie",
        Message::WithSound => "Z dźwiękiem. Odznacz, jeśli problemem jest tylko mikrofon.",
        Message::OrFile => "Albo nagraj aplikacją aparatu i wybierz ten film tutaj.",
        Message::UnblockIosSafari => {
            "Stuknij symbol obok adresu, a potem „Ustawienia witryny”.\n\
             Zezwól na kamerę i mikrofon."
        }
        Message::UnblockIosApp => {
            "Otwórz Ustawienia urządzenia i znajdź {browser}.\n\
             Włącz aparat i mikrofon."
        }
        Message::UnblockAndroid => {
            "Stuknij symbol na początku adresu, a potem „Uprawnienia”.\n\
             Zezwól na kamerę i mikrofon."
        }
        Message::UnblockAndroidFirefox => {
            "Stuknij kłódkę lub tarczę obok adresu.\n\
             Stuknij „Zablokowane” przy kamerze i mikrofonie, aby zezwolić."
        }
        Message::UnblockChrome => {
            "Kliknij symbol na początku adresu.\n\
             Włącz kamerę i mikrofon."
        }
        Message::UnblockEdge => {
            "Kliknij kłódkę na początku adresu, a potem „Uprawnienia dla tej witryny”.\n\
             Zezwól na kamerę i mikrofon."
        }
        Message::UnblockFirefox => {
            "Kliknij przekreśloną kamerę na początku adresu.\n\
             Usuń „Zablokowane” znakiem × obok."
        }
        Message::UnblockSafari => {
            "Na pasku menu wybierz „Safari”, a potem „Ustawienia tej witryny…”.\n\
             Zezwól na kamerę i mikrofon."
        }
        Message::UnblockOther => {
            "Stuknij symbol obok adresu.\n\
             Zezwól na kamerę i mikrofon."
        }
        Message::UnblockSystem => {
            "Nadal zablokowana? Zezwól tej przeglądarce na kamerę w ustawieniach urządzenia."
        }

        // At the camera.
        Message::CameraSees => "Co widzi kamera",
        Message::NotYet => "Nic się jeszcze nie nagrywa. Naciśnij „Nagraj”, aby zacząć.",
        Message::Record => "Nagraj",
        Message::Flip => "Zmień kamerę",
        Message::TurnOff => "Wyłącz",
        Message::Sound => "Dźwięk",
        Message::Devices => "Kamera i mikrofon",
        Message::Camera => "Kamera",
        Message::Microphone => "Mikrofon",
        Message::Loudness => "Głośność",
        Message::NoSound => "Bez dźwięku",
        Message::Unheard => "Nic nie słychać. Czy mikrofon jest wyciszony lub zakryty?",
        Message::Dark => "Obraz jest ciemny lub zasłonięty.",
        Message::Muted => "Twoje urządzenie blokuje kamerę: wideo byłoby czarne.",
        Message::SoundLost => "Utracono mikrofon. Nagranie trwa dalej bez dźwięku.",
        Message::LittleRoom => "Na tym urządzeniu jest mało miejsca: nagraj coś krótkiego.",
        Message::Unkept => {
            "Ta przeglądarka niczego nie zachowuje: nie zamykaj strony, dopóki film nie zostanie \
             wysłany."
        }
        Message::StartNow => "Zacznij od razu",

        // Recording.
        Message::Recording => "Nagrywanie {recorded}",
        Message::Paused => "Pauza {recorded}",
        Message::Progress => "Nagrano {recorded} · wysłano {sent}",
        Message::Waiting => "Teraz nie da się wysłać; wysyłanie ruszy samo.",
        Message::ServerFull => "Serwer nie ma teraz miejsca. Próbujemy ponownie automatycznie.",
        Message::Offline => "Brak połączenia. Ruszymy dalej, gdy wróci.",
        Message::KeptHere => "Do tego czasu nagranie zostaje tutaj.",
        Message::LastMinute => "Jeszcze {left}, potem nagrywanie samo się zakończy.",
        Message::Pause => "Pauza",
        Message::GoOn => "Dalej",
        Message::Stop => "Stop",
        Message::OneMoment => "Chwileczkę…",

        // Reviewing.
        Message::YourRecording => "Twoje nagranie",
        Message::HaveALook => "Obejrzyj",
        Message::NobodyYet => "Nikt nie dostanie tego filmu, zanim go nie wyślesz.",
        Message::Facts => "Długość {recorded} · rozmiar {size}",
        Message::Uploaded => "Przesłano {percent}, reszta prześle się sama.",
        Message::UploadedAll => "Wszystko przesłane i gotowe do wysłania.",
        Message::Located => "Ten plik mówi, gdzie go nakręcono. Kto go dostanie, może to zobaczyć.",
        Message::Interrupted => {
            "Nagrywanie samo się zakończyło. Wszystko do tej chwili jest tutaj."
        }
        Message::Resumed => "Witaj ponownie: Twoje nagranie ({recorded}) jest bezpieczne.",
        Message::ChosenFile => "To jest wybrany film.",
        Message::Reading => "Wczytywanie filmu…",
        Message::NoPreview => {
            "Nie można go już tu odtworzyć, bo zabrakło miejsca. Mimo to jest bezpieczny."
        }
        Message::NoPlayer => "Ta przeglądarka nie może odtworzyć pliku. Możesz go mimo to wysłać.",
        Message::ClosesSoon => "Ten link wygaśnie za kilka minut. Wyślij wideo wcześniej.",
        Message::Send => "Wyślij ten film",
        Message::Again => "Nagraj ponownie",
        Message::Save => "Zapisz na tym urządzeniu",
        Message::ThrowAway => "Odrzucić ten film?",
        Message::ThrowAwayText => "Zostanie usunięty, tutaj i na naszym serwerze.",
        Message::Discard => "Tak, nagraj ponownie",
        Message::Keep => "Zostaw ten",

        // Sending.
        Message::Sending => "Wysyłanie: {percent}",
        Message::KeepOpen => "Nie zamykaj jeszcze tej strony.",
        Message::Preparing => "Film dotarł i jest przygotowywany.",
        Message::Received => "Film odebrany",
        Message::ReceivedText => "Wysłano. Możesz zamknąć tę stronę. Dziękujemy!",
        Message::StillHere => {
            "Twoje nagranie wciąż tu jest: możesz je obejrzeć i zapisać, dopóki nie zamkniesz tej strony."
        }

        // Over.
        Message::Expired => "Ten link wygasł",
        Message::ExpiredText => {
            "Czas minął, zanim film został wysłany. To, co przesłano, zostało usunięte. Jeśli film \
             jest nadal potrzebny, poproś o nowy link."
        }
        Message::AlreadySent => "Film został już wysłany",
        Message::AlreadySentText => {
            "Ktoś wysłał film przez ten link, być może Ty z innego urządzenia. Link działa raz, więc \
             ten film nie został wysłany."
        }
        Message::Withdrawn => "Ta prośba została wycofana",
        Message::WithdrawnText => {
            "Film nie jest już potrzebny. To, co przesłano, zostało usunięte."
        }
        Message::TakenDown => "Ta prośba została usunięta",
        Message::TakenDownText => {
            "Usunął ją operator tej usługi. Wszystko, co dla niej przesłano, jest skasowane."
        }
        Message::TooLarge => "Ten film jest za duży",
        Message::TooLargeText => {
            "Jest większy, niż przyjmuje ten serwer, więc nie został wysłany. Nagraj krótszy."
        }
        Message::Unreadable => "Nie można już odczytać tego pliku",
        Message::UnreadableText => {
            "Został zmieniony lub przeniesiony albo nie ma go w całości na tym urządzeniu. Nic nie zostało wysłane. Wybierz go ponownie."
        }
        Message::Refused => "Tego filmu nie można przyjąć",
        Message::RefusedText => "Serwer go odrzucił. Nagraj ponownie, może w innej przeglądarce.",
        Message::Unplayable => "Tego filmu nie można odtworzyć",
        Message::UnplayableText => {
            "Czegoś w nim brakuje lub coś jest uszkodzone, więc nie został wysłany. Nagraj \
             ponownie."
        }

        // Said aloud.
        Message::SaidCountdown => "Nagrywanie zacznie się za 3 sekundy.",
        Message::SaidRecording => "Nagrywanie.",
        Message::SaidPaused => "Pauza.",
        Message::SaidStopped => "Nagrywanie zakończone.",
        Message::SaidReview => "Oto Twoje nagranie.",
        Message::SaidReceived => "Film odebrany.",
        Message::SaidLastMinute => "Została jedna minuta.",

        // Where the recorder can't run.
        Message::CannotStart => {
            "Nagrywanie nie mogło się uruchomić w tej przeglądarce. Wczytaj stronę ponownie albo \
             otwórz link w innej przeglądarce. Możesz też nagrać film aplikacją aparatu i wysłać go \
             tutaj."
        }
        Message::NoScript => {
            "Do nagrywania na tej stronie potrzebny jest JavaScript, który w tej przeglądarce jest \
             wyłączony. Możesz nagrać film aplikacją aparatu i wysłać go tutaj."
        }
        Message::YourVideo => "Twój film",

        // Reporting.
        Message::ReportText => {
            "Operator tej usługi przeczyta zgłoszenie i może usunąć prośbę. Autor prośby się o \
             tym nie dowie, a o zgłaszającym nic nie zapisujemy."
        }
        Message::ReportWhy => "Co jest z nią nie tak?",
        Message::ReportDanger => "Żąda czegoś nielegalnego lub niebezpiecznego",
        Message::ReportHarassment => "Nęka kogoś albo żąda czegoś intymnego",
        Message::ReportFraud => "To oszustwo albo ktoś się pod kogoś podszywa",
        Message::ReportOther => "Coś innego",
        Message::ReportMore => "Co warto o niej wiedzieć? To pole może zostać puste.",
        Message::ReportSend => "Wyślij zgłoszenie",
        Message::ReportLacksReason => "Wybierz, co jest z nią nie tak. Nic jeszcze nie wysłano.",
        Message::ReportTooLong => {
            "Tekst jest za długi: proszę go skrócić. Nic jeszcze nie wysłano."
        }
        Message::ReportContact => "Można też zwrócić się bezpośrednio do operatora tej usługi:",
        Message::Reported => "Dziękujemy za zgłoszenie",
        Message::ReportedText => {
            "Operator tej usługi może je czytać przez 30 dni. Nie trzeba robić nic więcej ani \
             niczego nagrywać."
        }
        Message::ReportedOften => "Tę prośbę zgłoszono już wystarczająco wiele razy",
        Message::ReportedOftenText => {
            "Operator tej usługi może przeczytać istniejące zgłoszenia. To nie zostało do nich dodane."
        }
        Message::TooManyReports => "Zbyt wiele zgłoszeń naraz",
        Message::TooManyReportsText => {
            "W krótkim czasie przyszło ich z tej sieci kilka, więc to nie zostało zapisane. \
             Spróbuj ponownie później."
        }

        // Closed.
        Message::ClosedExpiredText => {
            "Był otwarty przez ograniczony czas i ten czas minął. Wszystko, co przez niego nagrano, \
             zostało usunięte. Jeśli film jest nadal potrzebny, poproś o nowy link."
        }
        Message::ClosedSubmitted => "Film został odebrany",
        Message::ClosedSubmittedText => {
            "Ktoś nagrał i wysłał film przez ten link. Link działa raz, więc nie ma tu już nic do \
             zrobienia."
        }
        Message::Unknown => "Pod tym linkiem nic nie ma",
        Message::UnknownText => {
            "Może brakuje części adresu albo prośba została wycofana. Jeśli link został skopiowany, \
             sprawdź, czy jest cały."
        }
        Message::NoFile => "Nie wybrano filmu",
        Message::NoFileText => "Wróć, wybierz film i wyślij go ponownie.",
        Message::NoVideo => "Tego pliku nie można przyjąć",
        Message::NoVideoText => "Wróć i wybierz film: WebM, MP4, MOV lub MKV.",
        Message::NoPictureInFileText => {
            "Nie ma w nim obrazu albo brakuje części pliku, więc nie został zachowany. Wróć i \
             wybierz inny."
        }
        Message::ClosedTooLargeText => {
            "Jest większy, niż przyjmuje ten serwer, więc nie został zachowany. Wróć i wyślij \
             krótszy."
        }
        Message::NotArrived => "Film nie dotarł",
        Message::NotArrivedText => {
            "Połączenie zerwało się, zanim dotarła całość, i nic nie zostało zachowane. Wróć i \
             wyślij ponownie."
        }
        Message::Broken => "Coś poszło nie tak",
        Message::BrokenText => "To nasza wina, nie Twoja. Spróbuj ponownie za minutę.",
    }
}
