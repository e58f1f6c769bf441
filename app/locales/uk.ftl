### Ukrainian, polite (ви).

## Every page

page-language = Мова
page-description = Запишіть відео у браузері й надішліть його. Без застосунку й облікового запису.
page-terms = Умови
page-privacy = Конфіденційність
report-heading = Поскаржитися на цей запит
date-utc =
    { $day } { $month ->
        [1] січня
        [2] лютого
        [3] березня
        [4] квітня
        [5] травня
        [6] червня
        [7] липня
        [8] серпня
        [9] вересня
        [10] жовтня
        [11] листопада
       *[12] грудня
    }, { $time } UTC

## The recording page, before the camera

record-title = Записати відео
record-prompt-heading = Вас просять записати відео
record-audience = Його перегляне людина або ШІ. Ми не перевіряємо, хто саме, тож продовжуйте, лише якщо ви чекали на такий запит.
record-step = { $number } із { $total }
record-camera-hint = Коли ви вмикаєте камеру, запис ще не починається.
record-other-device = Зараз записує інший пристрій.
source-camera = Увімкнути камеру
source-screen = Записати екран
source-file = Вибрати готове відео
source-camera-app = Зняти в «Камері»
source-other = Інші способи
source-file-hint = Або зніміть відео у застосунку «Камера» й виберіть його тут.
source-drop = Відпустіть відео тут
source-drop-hint = Можна також перетягнути або вставити відео сюди.
source-several-files = Виберіть лише одне відео.
source-no-video = Ми не можемо прийняти цей файл. Виберіть відео: WebM, MP4, MOV або MKV.
source-phone = Зняти на телефон
source-phone-how = Наведіть камеру телефона на цей код. Там відкриється ця сама сторінка.
source-phone-code = QR-код цього посилання
link-copy = Копіювати посилання
link-copied = Скопійовано
in-app-browser = Ця сторінка відкрита всередині іншого застосунку. Якщо камера тут не працює:
in-app-leave = Відкрити у браузері
in-app-open-safari =
    Торкніться ••• або значка «Поділитися».
    Виберіть «Відкрити в Safari» або «Відкрити у браузері».
in-app-open-chrome =
    Торкніться ⋮ або ••• угорі.
    Виберіть «Відкрити в Chrome» або «Відкрити у браузері».

## What to know before recording

privacy-heading = Варто знати
privacy-audience = Хто це побачить
privacy-audience-text = Лише автор цього запиту: людина або ШІ-агент, і не завжди той, хто надіслав вам посилання. Ми не перевіряємо, хто це. Автор може зберегти копію.
privacy-recording = Що записується
privacy-recording-text = Лише те, що відбувається, поки видно червону смугу. Відео завантажується на сервер уже під час запису, щоб нічого не загубилося. Якщо записати знову, попереднє буде видалено.
privacy-retention-text = Посилання й відео буде видалено: { $until }.
privacy-transcript = Сказане може бути перетворено на текст.
privacy-choice-text = Ви можете відмовитися. Просто закрийте цю сторінку.
privacy-caution = Ніколи не показуйте документи, банківські картки чи паролі, якщо ви не знали заздалегідь, що про це попросять.
privacy-no-account = Без облікового запису та стеження.

## The browser asks for permission

permission-heading = Браузер просить дозволу
permission-text = Виберіть «Дозволити». Спершу ви побачите лише зображення: запис іще не йде.
action-cancel = Скасувати
action-close = Закрити

## Open in another tab

tab-heading = Ця сторінка відкрита в іншій вкладці
tab-text = Якщо там іде запис, він зупиниться, і ви продовжите з ним тут.
tab-continue = Продовжити тут

## No camera, and what to do about it

blocked-denied-heading = Браузер блокує камеру
blocked-no-camera-heading = Камеру не знайдено
blocked-no-camera-text = Під’єднайте камеру й спробуйте ще раз або відкрийте це посилання на телефоні.
blocked-busy-heading = Камера зайнята
blocked-busy-text = Схоже, її використовує інший застосунок або вкладка, наприклад відеодзвінок. Закрийте їх і спробуйте ще раз.
blocked-insecure-heading = Камері потрібна захищена адреса
blocked-insecure-text = Браузери дозволяють її лише для посилань, що починаються з https. Попросіть таке посилання.
blocked-unsupported-heading = Цей браузер не може записувати
blocked-unsupported-text = Скопіюйте посилання й відкрийте його в новій версії Safari, Chrome або Firefox.
blocked-no-picture-heading = Немає зображення з камери
blocked-no-picture-text = Нічого не записано. Спробуйте ще раз.
blocked-no-screen-heading = Доступ до екрана не надано
blocked-no-screen-text = Нічого не записано. Щоб продовжити, спробуйте ще раз і виберіть, що показати.
blocked-try-again = Спробувати ще раз
blocked-with-sound = Зі звуком. Зніміть позначку, якщо проблема лише з мікрофоном.
unblock-ios-safari =
    Торкніться значка поруч з адресою, а потім «Параметри вебсайту».
    Дозвольте камеру й мікрофон.
unblock-ios-app =
    Відкрийте «Параметри» пристрою та знайдіть { $browser }.
    Увімкніть камеру й мікрофон.
unblock-android =
    Торкніться значка на початку адреси, а потім «Дозволи».
    Дозвольте камеру й мікрофон.
unblock-android-firefox =
    Торкніться замка або щита поруч з адресою.
    Торкніться «Заблоковано» біля камери й мікрофона, щоб дозволити їх.
unblock-chrome =
    Натисніть значок на початку адреси.
    Увімкніть камеру й мікрофон.
unblock-edge =
    Натисніть замок на початку адреси, а потім «Дозволи для цього сайту».
    Дозвольте камеру й мікрофон.
unblock-firefox =
    Натисніть перекреслену камеру на початку адреси.
    Приберіть «Заблоковано» значком × поруч.
unblock-safari =
    У рядку меню виберіть «Safari», а потім «Параметри для цього вебсайту…».
    Дозвольте камеру й мікрофон.
unblock-other =
    Торкніться значка поруч з адресою.
    Дозвольте камеру й мікрофон.
unblock-system = Досі заблоковано? Дозвольте цьому браузеру камеру в налаштуваннях пристрою.

## At the camera

camera-picture = Що бачить камера
camera-not-recording = Запис ще не йде
camera-record = Записати
camera-start-now = Почати зараз
camera-flip = Змінити камеру
camera-front = Передня камера
camera-back = Задня камера
camera-torch = Ліхтарик
camera-zoom = Масштаб
camera-lens = Об’єктив
camera-lens-wide = Ширококутний
camera-lens-main = Звичайний
camera-lens-tele = Теле
camera-devices = Камера й мікрофон
camera-device = Камера
camera-microphone = Мікрофон
camera-sound = Звук
camera-sound-level = Гучність
signal-silent = Без звуку
signal-no-microphone = Лише звук екрана, без мікрофона
signal-unheard = Ми вас не чуємо. Може, мікрофон вимкнено або закрито?
signal-sound-lost = Звук пропав. Відео записується далі без нього.
signal-dark = Зображення темне або камеру закрито.
signal-muted = Ваш пристрій блокує камеру: відео було б чорним.
storage-low = На пристрої мало місця: записуйте коротко.
storage-none = Цей браузер не може зберегти запис: не закривайте сторінку, доки відео не надіслано.

## Recording

recording-status = Запис { $recorded }
recording-paused = Пауза { $recorded }
recording-last-minute = Залишилося { $left }, потім запис зупиниться сам.
recording-pause = Пауза
recording-resume = Продовжити
recording-stop = Зупинити
recording-finish = Завершити
recording-stopping = Зачекайте…

## Uploading

upload-sent = Завантажено { $sent }
upload-progress = Завантажено { $percent }. Решта завантажиться сама.
upload-complete = Завантажено, можна надсилати.
upload-offline = Немає з’єднання. Завантаження продовжиться, щойно воно з’явиться.
upload-waiting = Зараз завантажити не вдається. Ми пробуємо далі.
upload-server-full = На сервері зараз немає місця. Ми пробуємо далі.
upload-kept = Доти ваш запис зберігається тут.

## Reviewing

review-heading = Перегляньте своє відео
review-question = Ви це показали?
review-not-sent = Відео не буде надіслано, доки ви не натиснете «Надіслати».
review-video = Ваш запис
review-facts = Тривалість { $recorded } · розмір { $size }
review-interrupted = Запис зупинився сам. Усе, що записано до того, тут.
review-resumed = З поверненням: ваш запис ({ $recorded }) збережено.
review-file = Відео, яке ви вибрали: { $name }
review-reading = Зчитування відео… { $read }
review-no-preview = Його вже не можна тут відтворити, бо потрібно було місце. Запис збережено.
review-no-player = Без перегляду: цей браузер не може показати відео. Його все одно можна надіслати.
review-located = У файлі вказано, де його знято. Це побачить кожен, хто його отримає.
review-closes-soon = Посилання закриється за кілька хвилин. Надішліть відео до того.
review-send = Надіслати це відео
review-again = Записати знову
review-save = Зберегти на пристрої
discard-heading = Видалити й записати знову?
discard-text = Відео буде видалено тут і на нашому сервері.
discard-confirm = Видалити й записати
discard-keep = Залишити це

## Sending

submit-progress = Надсилання: { $percent }
submit-keep-open = Не закривайте цю сторінку ще хвилинку.
submit-preparing = Відео надійшло. Ми його готуємо.
submit-sent-heading = Надіслано. Дякуємо!
submit-sent-text = Той, хто просив відео, уже може його переглянути. Цю сторінку можна закрити.
receipt-sent = Надіслано: { $time }
receipt-save = Зберегти підтвердження

## The end of a link or of a recording

end-expired-heading = Термін дії посилання минув
end-expired-text = Час вийшов, перш ніж відео було надіслано. Завантажене видалено. Якщо відео ще потрібне, попросіть нове посилання.
end-submitted-heading = Відео вже надіслано
end-submitted-text = Хтось уже надіслав відео за цим посиланням, можливо, ви самі з іншого пристрою. Посилання діє лише один раз, тому це відео не надіслано.
end-withdrawn-heading = Цей запит відкликано
end-withdrawn-text = Відео більше не потрібне. Завантажене видалено.
end-taken-down-heading = Цей запит видалено
end-taken-down-text = Його прибрав оператор цього сервісу. Усе, що для нього завантажили, видалено.
end-too-large-heading = Це відео завелике
end-too-large-text = Воно більше, ніж приймає цей сервер, тому його не надіслано. Запишіть коротше відео.
end-unreadable-heading = Цей файл більше не читається
end-unreadable-text = Його змінено чи переміщено або він не повністю на цьому пристрої. Нічого не надіслано. Виберіть його ще раз.
end-refused-heading = Це відео не можна прийняти
end-refused-text = Сервер його відхилив. Запишіть знову, можливо, в іншому браузері.
end-unplayable-heading = Це відео не можна відтворити
end-unplayable-text = Частини бракує або її пошкоджено, тому його не надіслано. Запишіть знову.
end-still-here = Ваш запис іще тут. Його можна переглянути й зберегти, доки ви не закриєте цю сторінку.

## Announced by screen readers

announce-countdown =
    Запис почнеться за { $seconds ->
        [one] { $seconds } секунду
        [few] { $seconds } секунди
        [many] { $seconds } секунд
       *[other] { $seconds } секунди
    }.
announce-recording = Іде запис.
announce-paused = Пауза.
announce-stopped = Запис зупинено.
announce-last-minute = Залишилося менше хвилини, потім запис зупиниться сам.

## The form, where the recorder can't run

form-cannot-start = У цьому браузері не вдалося почати запис. Перезавантажте сторінку або відкрийте посилання в іншому браузері. Також можна зняти відео у застосунку «Камера» й надіслати його тут.
form-no-script = Для запису на цій сторінці потрібен JavaScript, а в цьому браузері його вимкнено. Можна зняти відео у застосунку «Камера» й надіслати його тут.
form-video = Ваше відео
form-no-file-heading = Відео не вибрано
form-no-file-text = Поверніться, виберіть відео й надішліть його ще раз.
form-not-a-video-heading = Цей файл не можна прийняти
form-not-a-video-text = Поверніться й виберіть відео: WebM, MP4, MOV або MKV.
form-unplayable-text = У ньому немає зображення або бракує частини файлу, тому його не збережено. Поверніться й виберіть інше.
form-too-large-text = Воно більше, ніж приймає цей сервер, тому його не збережено. Поверніться й надішліть коротше.
form-interrupted-heading = Відео не надійшло
form-interrupted-text = З’єднання обірвалося, перш ніж надійшло все, і нічого не збережено. Поверніться й надішліть його ще раз.

## The form that reports a request

report-text = Оператор цього сервісу прочитає скаргу й може видалити запит. Автор запиту про неї не дізнається, а разом зі скаргою про вас нічого не буде збережено.
report-reason = Що з ним не так?
report-reason-danger = Просять щось незаконне або небезпечне
report-reason-harassment = Когось переслідують або просять щось інтимне
report-reason-fraud = Це шахрайство, або хтось видає себе за іншу людину
report-reason-other = Щось інше
report-details = Що вас просили зняти і хто надіслав посилання? Поле можна залишити порожнім.
report-send = Надіслати скаргу
report-reason-missing = Виберіть, що з ним не так. Ще нічого не надіслано.
report-too-long = Текст задовгий: скоротіть його. Ще нічого не надіслано.
report-contact = Також можна звернутися до оператора цього сервісу напряму:
report-received-heading = Дякуємо за скаргу
report-received-text =
    Оператор цього сервісу може читати її { $days ->
        [one] { $days } день
        [few] { $days } дні
        [many] { $days } днів
       *[other] { $days } дня
    }. Більше нічого робити не треба, і записувати теж нічого не треба.
report-enough-heading = На цей запит уже достатньо скарг
report-enough-text = Оператор цього сервісу може прочитати попередні скарги. Вашу до них не додано.
report-too-many-heading = Забагато скарг одразу
report-too-many-text = З вашої мережі за короткий час надійшло кілька, тому цю не збережено. Спробуйте пізніше.

## A link that leads to no recording

closed-expired-text = Воно діяло обмежений час, і цей час минув. Усе, що за ним записали, видалено. Якщо відео ще потрібне, попросіть нове посилання.
closed-submitted-heading = Відео отримано
closed-submitted-text = За цим посиланням хтось записав і надіслав відео. Посилання діє лише раз, тож тут більше нічого робити.
closed-not-found-heading = За цим посиланням нічого немає
closed-not-found-text = Можливо, бракує частини адреси або запит відкликано. Якщо ви скопіювали посилання, перевірте, чи воно повне.
closed-error-heading = Щось пішло не так
closed-error-text = Це наша помилка, не ваша. Спробуйте ще раз за хвилину.
