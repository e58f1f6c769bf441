//! Hindi, polite (आप).

use super::Message;

/// The message in this language.
pub(super) const fn says(message: Message) -> &'static str {
    match message {
        // Every page.
        Message::Language => "भाषा",
        Message::Title => "वीडियो रिकॉर्ड करें",
        Message::Description => "अपने ब्राउज़र में वीडियो रिकॉर्ड करें और भेजें। न ऐप, न खाता।",
        Message::Terms => "शर्तें",
        Message::Privacy => "निजता",

        // A moment. In UTC: the page shows it in the person's own time as soon as it can.
        Message::Date => "{day} {month}, {time} UTC",

        // Before the camera.
        Message::Heading => "आपसे एक वीडियो रिकॉर्ड करने को कहा गया है",
        Message::ForWhom => {
            "यह उसके पास जाएगा जिसने यह अनुरोध किया है; वह कोई AI एजेंट भी हो सकता है। वह कौन है, इसकी जाँच \
             हम नहीं करते।"
        }
        Message::NothingYet => "जब तक आप “रिकॉर्ड करें” नहीं दबाते, कुछ भी रिकॉर्ड नहीं होता।",
        Message::TurnOnCamera => "कैमरा चालू करें",
        Message::RecordScreen => "स्क्रीन रिकॉर्ड करें",
        Message::ChooseVideo => "वीडियो चुनें",
        Message::FilmWithApp => "कैमरा ऐप से बनाएँ",
        Message::UsePhone => "इसके बजाय फ़ोन का कैमरा इस्तेमाल करें",
        Message::UsePhoneHow => "अपने फ़ोन का कैमरा इस कोड पर रखें। वहाँ यही पेज खुलेगा।",
        Message::CodeOfLink => "इस लिंक का QR कोड",
        Message::OtherRecords => "दूसरा डिवाइस अभी रिकॉर्ड कर रहा है।",
        Message::InApp => "आप किसी दूसरे ऐप के ब्राउज़र में हैं। अगर यहाँ कैमरा काम न करे:",
        Message::OpenInSafari => {
            "••• या शेयर के निशान पर टैप करें।\n\
             “Safari में खोलें” या “ब्राउज़र में खोलें” चुनें।"
        }
        Message::OpenInChrome => {
            "ऊपर ⋮ या ••• पर टैप करें।\n\
             “Chrome में खोलें” या “ब्राउज़र में खोलें” चुनें।"
        }
        Message::CopyLink => "लिंक कॉपी करें",
        Message::Copied => "कॉपी हो गया",

        // What to know.
        Message::GoodToKnow => "जानने लायक बातें",
        Message::WhoWatches => "इसे कौन देखेगा",
        Message::WhoWatchesText => {
            "सिर्फ़ वही जिसने यह अनुरोध किया है: कोई व्यक्ति या AI एजेंट, और ज़रूरी नहीं कि लिंक उसी ने भेजा हो। \
             वह कौन है, इसकी जाँच हम नहीं करते।"
        }
        Message::WhatIsRecorded => "क्या रिकॉर्ड होता है",
        Message::WhatIsRecordedText => {
            "सिर्फ़ वह जो लाल पट्टी दिखने के दौरान होता है। कुछ खो न जाए, इसलिए यह रिकॉर्डिंग के साथ-साथ \
             हमारे सर्वर पर जाता है। अगर आप उसे हटाते हैं, तो वह वहाँ से भी मिट जाता है।"
        }
        Message::HowLong => "कब तक रखा जाता है",
        Message::HowLongText => "लिंक और वीडियो {until} को मिटा दिए जाएँगे।",
        Message::YourChoice => "फ़ैसला आपका है",
        Message::YourChoiceText => "ऐसा करना ज़रूरी नहीं है। अगर आप यह पेज बस बंद कर दें, तो कुछ नहीं होगा।",
        Message::TakeCare => "सावधान रहें",
        Message::TakeCareText => {
            "पहचान पत्र, बैंक कार्ड या पासवर्ड कभी न दिखाएँ, जब तक यह पहले से तय न हो।"
        }
        Message::Private => "न खाता, न ट्रैकर, न कोई तीसरा पक्ष।",
        Message::Report => "इस अनुरोध की शिकायत करें",

        // Nothing to do here for the moment.
        Message::Asking => "आपका ब्राउज़र अनुमति माँग रहा है",
        Message::AskingText => "कृपया अनुमति दें। पहले आपको सिर्फ़ तस्वीर दिखेगी; अभी कुछ रिकॉर्ड नहीं होता।",
        Message::Cancel => "रद्द करें",
        Message::Elsewhere => "यह पेज दूसरे टैब में खुला है",
        Message::ElsewhereText => {
            "अगर वहाँ रिकॉर्डिंग चल रही है, तो वह ख़त्म होगी और आप उसे यहाँ जारी रखेंगे।"
        }
        Message::GoOnHere => "यहाँ जारी रखें",

        // What keeps the camera from us.
        Message::Denied => "इस पेज के लिए कैमरा ब्लॉक है",
        Message::NoCamera => "कोई कैमरा नहीं मिला",
        Message::NoCameraText => "कैमरा जोड़कर फिर कोशिश करें, या यह लिंक अपने फ़ोन पर खोलें।",
        Message::Busy => "कैमरा इस्तेमाल में है",
        Message::BusyText => {
            "लगता है कि कोई दूसरा ऐप या टैब उसे इस्तेमाल कर रहा है, जैसे वीडियो कॉल। उसे बंद करके फिर \
             कोशिश करें।"
        }
        Message::Insecure => "कैमरे के लिए सुरक्षित पता चाहिए",
        Message::InsecureText => "ब्राउज़र इसे सिर्फ़ https से शुरू होने वाले लिंक पर चलने देते हैं। ऐसा लिंक माँगें।",
        Message::Unsupported => "यह ब्राउज़र रिकॉर्ड नहीं कर सकता",
        Message::UnsupportedText => "लिंक कॉपी करके उसे Safari, Chrome या Firefox के नए संस्करण में खोलें।",
        Message::NoPicture => "कैमरे से कोई तस्वीर नहीं आई",
        Message::NoPictureText => "कुछ भी रिकॉर्ड नहीं हुआ। कृपया फिर कोशिश करें।",
        Message::NoScreen => "स्क्रीन शेयर नहीं हुई",
        Message::NoScreenText => {
            "कुछ भी रिकॉर्ड नहीं हुआ। जारी रखना हो तो फिर कोशिश करें और चुनें कि क्या शेयर करना है।"
        }
        Message::TryAgain => "फिर कोशिश करें",
        Message::WithSound => "आवाज़ के साथ। दिक्कत सिर्फ़ माइक्रोफ़ोन की हो, तो निशान हटा दें।",
        Message::OrFile => "या अपने कैमरा ऐप से वीडियो बनाकर उसे यहाँ चुनें।",
        Message::UnblockIosSafari => {
            "पते के पास वाले निशान पर, फिर “वेबसाइट सेटिंग्ज़” पर टैप करें।\n\
             कैमरा और माइक्रोफ़ोन की अनुमति दें।"
        }
        Message::UnblockIosApp => {
            "अपने डिवाइस की सेटिंग खोलें और {browser} ढूँढें।\n\
             कैमरा और माइक्रोफ़ोन चालू करें।"
        }
        Message::UnblockAndroid => {
            "पते की शुरुआत में बने निशान पर, फिर “अनुमतियाँ” पर टैप करें।\n\
             कैमरा और माइक्रोफ़ोन की अनुमति दें।"
        }
        Message::UnblockAndroidFirefox => {
            "पते के पास ताले या ढाल पर टैप करें।\n\
             अनुमति देने के लिए कैमरा और माइक्रोफ़ोन के आगे “अवरुद्ध” पर टैप करें।"
        }
        Message::UnblockChrome => {
            "पते की शुरुआत में बने निशान पर क्लिक करें।\n\
             कैमरा और माइक्रोफ़ोन चालू करें।"
        }
        Message::UnblockEdge => {
            "पते की शुरुआत में ताले पर, फिर “इस साइट के लिए अनुमतियाँ” पर क्लिक करें।\n\
             कैमरा और माइक्रोफ़ोन की अनुमति दें।"
        }
        Message::UnblockFirefox => {
            "पते की शुरुआत में कटे हुए कैमरे पर क्लिक करें।\n\
             उसके पास के × से “अवरुद्ध” हटाएँ।"
        }
        Message::UnblockSafari => {
            "मेन्यू बार में “Safari”, फिर “इस वेबसाइट की सेटिंग्ज़…” चुनें।\n\
             कैमरा और माइक्रोफ़ोन की अनुमति दें।"
        }
        Message::UnblockOther => {
            "पते के पास वाले निशान पर टैप करें।\n\
             कैमरा और माइक्रोफ़ोन की अनुमति दें।"
        }
        Message::UnblockSystem => {
            "अब भी ब्लॉक है? तो अपने डिवाइस की सेटिंग में इस ब्राउज़र को कैमरे की अनुमति दें।"
        }

        // At the camera.
        Message::CameraSees => "कैमरा जो देख रहा है",
        Message::NotYet => "अभी कुछ रिकॉर्ड नहीं हो रहा। तैयार होने पर “रिकॉर्ड करें” दबाएँ।",
        Message::Record => "रिकॉर्ड करें",
        Message::Flip => "कैमरा बदलें",
        Message::TurnOff => "बंद करें",
        Message::Sound => "आवाज़",
        Message::Devices => "कैमरा और माइक्रोफ़ोन",
        Message::Camera => "कैमरा",
        Message::Microphone => "माइक्रोफ़ोन",
        Message::Loudness => "आवाज़ का स्तर",
        Message::NoSound => "बिना आवाज़",
        Message::Unheard => "आपकी आवाज़ नहीं आ रही। क्या माइक्रोफ़ोन बंद या ढका हुआ है?",
        Message::Dark => "तस्वीर अँधेरी या ढकी हुई है।",
        Message::Muted => "आपका डिवाइस कैमरे को रोक रहा है: वीडियो काला रहेगा।",
        Message::SoundLost => "माइक्रोफ़ोन हट गया। वीडियो बिना आवाज़ के जारी है।",
        Message::LittleRoom => "इस डिवाइस पर कम जगह बची है: वीडियो छोटा रखें।",
        Message::Unkept => "यह ब्राउज़र कुछ सहेजता नहीं: वीडियो भेजे जाने तक पेज खुला रखें।",
        Message::StartNow => "अभी शुरू करें",

        // Recording.
        Message::Recording => "रिकॉर्डिंग {recorded}",
        Message::Paused => "रुकी हुई {recorded}",
        Message::Progress => "रिकॉर्ड हुआ {recorded} · भेजा गया {sent}",
        Message::Waiting => "अभी भेजा नहीं जा सकता; भेजना अपने-आप जारी होगा।",
        Message::ServerFull => "सर्वर पर अभी जगह नहीं है। हम अपने-आप दोबारा कोशिश करते हैं।",
        Message::Offline => "आप ऑफ़लाइन हैं। कनेक्शन लौटने पर हम जारी रखेंगे।",
        Message::KeptHere => "तब तक रिकॉर्डिंग यहाँ सुरक्षित है।",
        Message::LastMinute => "{left} बचा है, फिर रिकॉर्डिंग अपने-आप ख़त्म होगी।",
        Message::Pause => "रोकें",
        Message::GoOn => "जारी रखें",
        Message::Stop => "ख़त्म करें",
        Message::OneMoment => "एक पल…",

        // Reviewing.
        Message::YourRecording => "आपकी रिकॉर्डिंग",
        Message::HaveALook => "एक बार देख लें",
        Message::NobodyYet => "आपके भेजने से पहले यह वीडियो किसी को नहीं मिलता।",
        Message::Facts => "अवधि {recorded} · आकार {size}",
        Message::Uploaded => "{percent} अपलोड हुआ, बाकी अपने-आप होगा।",
        Message::UploadedAll => "सब अपलोड हो गया, भेजने के लिए तैयार।",
        Message::Located => "इस फ़ाइल में लिखा है कि इसे कहाँ फ़िल्माया गया। जिसे यह मिलेगी, वह देख सकता है।",
        Message::Interrupted => "रिकॉर्डिंग अपने-आप ख़त्म हो गई। तब तक की रिकॉर्डिंग यहाँ है।",
        Message::Resumed => "आपका फिर स्वागत है: आपकी रिकॉर्डिंग ({recorded}) सुरक्षित है।",
        Message::ChosenFile => "यह वही वीडियो है जो आपने चुना।",
        Message::Reading => "वीडियो खोला जा रहा है…",
        Message::NoPreview => "जगह कम होने से यह अब यहाँ नहीं चल सकता। फिर भी यह सुरक्षित है।",
        Message::NoPlayer => "यह ब्राउज़र फ़ाइल नहीं चला सकता। फिर भी आप उसे भेज सकते हैं।",
        Message::ClosesSoon => "यह लिंक कुछ मिनटों में बंद हो जाएगा। वीडियो उससे पहले भेज दें।",
        Message::Send => "यह वीडियो भेजें",
        Message::Again => "फिर से रिकॉर्ड करें",
        Message::Save => "इस डिवाइस पर सहेजें",
        Message::ThrowAway => "क्या यह वीडियो हटा दें?",
        Message::ThrowAwayText => "यह यहाँ और हमारे सर्वर पर मिटा दिया जाएगा।",
        Message::Discard => "हाँ, फिर से रिकॉर्ड करें",
        Message::Keep => "इसे रखें",

        // Sending.
        Message::Sending => "भेजा जा रहा है: {percent}",
        Message::KeepOpen => "कृपया यह पेज थोड़ी देर खुला रखें।",
        Message::Preparing => "यह पहुँच गया है और तैयार किया जा रहा है।",
        Message::Received => "वीडियो मिल गया",
        Message::ReceivedText => "भेज दिया गया। आप यह पेज बंद कर सकते हैं। धन्यवाद!",
        Message::StillHere => {
            "आपकी रिकॉर्डिंग अब भी यहाँ है: इस पेज को बंद करने तक आप उसे देख और सहेज सकते हैं।"
        }

        // Over.
        Message::Expired => "इस लिंक का समय ख़त्म हो गया",
        Message::ExpiredText => {
            "वीडियो भेजे जाने से पहले समय ख़त्म हो गया। जो अपलोड हुआ था, वह मिटा दिया गया। अगर वीडियो \
             अब भी चाहिए, तो नया लिंक माँगें।"
        }
        Message::AlreadySent => "एक वीडियो पहले ही भेजा जा चुका है",
        Message::AlreadySentText => {
            "इस लिंक से किसी ने वीडियो भेज दिया है, शायद आपने ही दूसरे डिवाइस से। लिंक एक ही बार \
             चलता है, इसलिए यह वीडियो नहीं भेजा गया।"
        }
        Message::Withdrawn => "यह अनुरोध वापस ले लिया गया",
        Message::WithdrawnText => "अब वीडियो की ज़रूरत नहीं है। जो अपलोड हुआ था, वह मिटा दिया गया।",
        Message::TakenDown => "यह अनुरोध हटा दिया गया",
        Message::TakenDownText => {
            "यह सेवा चलाने वाले ने इसे हटा दिया है। इसके लिए जो भी अपलोड हुआ था, वह मिटा दिया गया।"
        }
        Message::TooLarge => "यह वीडियो बहुत बड़ा है",
        Message::TooLargeText => {
            "यह इस सर्वर की सीमा से बड़ा है, इसलिए नहीं भेजा गया। कृपया छोटा वीडियो रिकॉर्ड करें।"
        }
        Message::Unreadable => "यह फ़ाइल अब पढ़ी नहीं जा सकती",
        Message::UnreadableText => {
            "वह बदली या हटाई गई है, या पूरी इस डिवाइस पर नहीं है। कुछ भी नहीं भेजा गया। कृपया उसे फिर से चुनें।"
        }
        Message::Refused => "यह वीडियो स्वीकार नहीं किया जा सकता",
        Message::RefusedText => {
            "सर्वर ने इसे अस्वीकार कर दिया। कृपया फिर से रिकॉर्ड करें, शायद किसी दूसरे ब्राउज़र में।"
        }
        Message::Unplayable => "यह वीडियो चलाया नहीं जा सकता",
        Message::UnplayableText => {
            "इसमें कुछ कमी या ख़राबी है, इसलिए नहीं भेजा गया। कृपया फिर से रिकॉर्ड करें।"
        }

        // Said aloud.
        Message::SaidCountdown => "रिकॉर्डिंग 3 सेकंड में शुरू होगी।",
        Message::SaidRecording => "रिकॉर्डिंग जारी है।",
        Message::SaidPaused => "रिकॉर्डिंग रुकी हुई है।",
        Message::SaidStopped => "रिकॉर्डिंग ख़त्म हुई।",
        Message::SaidReview => "यह रही आपकी रिकॉर्डिंग।",
        Message::SaidReceived => "वीडियो मिल गया।",
        Message::SaidLastMinute => "एक मिनट बचा है।",

        // Where the recorder can't run.
        Message::CannotStart => {
            "इस ब्राउज़र में रिकॉर्डर शुरू नहीं हो सका। पेज फिर से लोड करें, या लिंक किसी दूसरे ब्राउज़र \
             में खोलें। आप कैमरा ऐप से वीडियो बनाकर उसे यहाँ भी भेज सकते हैं।"
        }
        Message::NoScript => {
            "इस पेज पर रिकॉर्ड करने के लिए JavaScript चाहिए, जो इस ब्राउज़र में बंद है। आप कैमरा ऐप से \
             वीडियो बनाकर उसे यहाँ भेज सकते हैं।"
        }
        Message::YourVideo => "आपका वीडियो",

        // Reporting.
        Message::ReportText => {
            "यह सेवा चलाने वाला इसे पढ़ता है और अनुरोध हटा सकता है। वीडियो माँगने वाले को नहीं \
             बताया जाता, और आपके बारे में कुछ भी नहीं रखा जाता।"
        }
        Message::ReportWhy => "इसमें क्या गलत है?",
        Message::ReportDanger => "इसमें कुछ गैरकानूनी या ख़तरनाक माँगा गया है",
        Message::ReportHarassment => "इसमें किसी को परेशान किया गया है, या कुछ अंतरंग माँगा गया है",
        Message::ReportFraud => "यह धोखाधड़ी है, या कोई किसी और के नाम से बात कर रहा है",
        Message::ReportOther => "कुछ और",
        Message::ReportMore => "इसके बारे में क्या जानना चाहिए? आप इसे खाली छोड़ सकते हैं।",
        Message::ReportSend => "शिकायत भेजें",
        Message::ReportLacksReason => "कृपया चुनें कि इसमें क्या गलत है। अभी कुछ भी भेजा नहीं गया है।",
        Message::ReportTooLong => {
            "आपका लिखा हुआ बहुत लंबा है: कृपया उसे छोटा करें। अभी कुछ भी भेजा नहीं गया है।"
        }
        Message::ReportContact => "आप यह सेवा चलाने वाले से सीधे भी संपर्क कर सकते हैं:",
        Message::Reported => "आपकी शिकायत के लिए धन्यवाद",
        Message::ReportedText => {
            "यह सेवा चलाने वाला इसे 30 दिन तक पढ़ सकता है। आपको और कुछ नहीं करना है, और कुछ \
             रिकॉर्ड भी नहीं करना है।"
        }
        Message::ReportedOften => "इस अनुरोध की काफ़ी शिकायतें आ चुकी हैं",
        Message::ReportedOftenText => {
            "यह सेवा चलाने वाला मौजूद शिकायतें पढ़ सकता है। यह शिकायत उनमें नहीं जोड़ी गई।"
        }
        Message::TooManyReports => "एक साथ बहुत सारी शिकायतें",
        Message::TooManyReportsText => {
            "आपके नेटवर्क से थोड़े समय में कई शिकायतें आई हैं, इसलिए यह नहीं रखी गई। कृपया बाद \
             में फिर कोशिश करें।"
        }

        // Closed.
        Message::ClosedExpiredText => {
            "यह सीमित समय के लिए खुला था, और वह समय ख़त्म हो गया। इससे जो भी रिकॉर्ड हुआ, वह मिटा दिया \
             गया। अगर वीडियो अब भी चाहिए, तो नया लिंक माँगें।"
        }
        Message::ClosedSubmitted => "वीडियो मिल चुका है",
        Message::ClosedSubmittedText => {
            "इस लिंक से किसी ने वीडियो रिकॉर्ड करके भेज दिया है। लिंक एक ही बार चलता है, इसलिए यहाँ \
             अब कुछ करना बाकी नहीं है।"
        }
        Message::Unknown => "इस लिंक पर कुछ नहीं है",
        Message::UnknownText => {
            "शायद पते का कोई हिस्सा छूट गया है, या अनुरोध वापस ले लिया गया है। अगर आपने लिंक कॉपी \
             किया है, तो देख लें कि वह पूरा है।"
        }
        Message::NoFile => "कोई वीडियो नहीं चुना गया",
        Message::NoFileText => "कृपया वापस जाएँ, वीडियो चुनें और फिर से भेजें।",
        Message::NoVideo => "यह फ़ाइल स्वीकार नहीं की जा सकती",
        Message::NoVideoText => "कृपया वापस जाएँ और वीडियो चुनें: WebM, MP4, MOV या MKV।",
        Message::NoPictureInFileText => {
            "इसमें कोई तस्वीर नहीं है, या फ़ाइल का कोई हिस्सा छूट गया है, इसलिए इसे नहीं रखा गया। कृपया \
             वापस जाएँ और दूसरा वीडियो चुनें।"
        }
        Message::ClosedTooLargeText => {
            "यह इस सर्वर की सीमा से बड़ा है, इसलिए इसे नहीं रखा गया। कृपया वापस जाएँ और छोटा वीडियो \
             भेजें।"
        }
        Message::NotArrived => "वीडियो नहीं पहुँचा",
        Message::NotArrivedText => {
            "पूरा पहुँचने से पहले कनेक्शन टूट गया, और कुछ भी नहीं रखा गया। कृपया वापस जाएँ और फिर से \
             भेजें।"
        }
        Message::Broken => "कुछ गड़बड़ हो गई",
        Message::BrokenText => "गलती हमारी है, आपकी नहीं। कृपया एक मिनट बाद फिर कोशिश करें।",
    }
}
