### Hindi, polite (आप).

## Every page

page-language = भाषा
page-description = अपने ब्राउज़र में वीडियो रिकॉर्ड करें और भेजें। न ऐप, न खाता।
page-terms = शर्तें
page-privacy = निजता
report-heading = इस अनुरोध की शिकायत करें
date-utc =
    { $day } { $month ->
        [1] जनवरी
        [2] फ़रवरी
        [3] मार्च
        [4] अप्रैल
        [5] मई
        [6] जून
        [7] जुलाई
        [8] अगस्त
        [9] सितंबर
        [10] अक्टूबर
        [11] नवंबर
       *[12] दिसंबर
    }, { $time } UTC

## The recording page, before the camera

record-title = वीडियो रिकॉर्ड करें
record-prompt-heading = आपसे एक वीडियो रिकॉर्ड करने को कहा गया है
record-audience = इसे कोई व्यक्ति या AI देखेगा। वह कौन है, इसकी जाँच हम नहीं करते, इसलिए तभी आगे बढ़ें जब आपको इसकी उम्मीद थी।
record-step = { $number } / { $total }
record-camera-hint = कैमरा खोलने से कुछ रिकॉर्ड नहीं होता।
record-other-device = दूसरा डिवाइस अभी रिकॉर्ड कर रहा है।
source-camera = कैमरा खोलें
source-screen = स्क्रीन रिकॉर्ड करें
source-file = मौजूदा वीडियो इस्तेमाल करें
source-camera-app = कैमरा ऐप से बनाएँ
source-other = दूसरे तरीके
source-file-hint = या अपने कैमरा ऐप से वीडियो बनाकर उसे यहाँ चुनें।
source-drop = वीडियो यहाँ छोड़ें
source-drop-hint = आप वीडियो को यहाँ खींचकर ला सकते हैं या पेस्ट भी कर सकते हैं।
source-several-files = कृपया केवल एक वीडियो चुनें।
source-no-video = हम यह फ़ाइल नहीं ले सकते। कृपया कोई वीडियो चुनें: WebM, MP4, MOV या MKV।
source-phone = फ़ोन के कैमरे से बनाएँ
source-phone-how = अपने फ़ोन से यह कोड स्कैन करें। वहाँ यही पेज खुलेगा।
source-phone-code = इस लिंक का QR कोड
link-copy = लिंक कॉपी करें
link-copied = कॉपी हो गया
in-app-browser = आप किसी दूसरे ऐप के ब्राउज़र में हैं। अगर यहाँ कैमरा काम न करे:
in-app-leave = ब्राउज़र में खोलें
in-app-open-safari =
    ••• या शेयर के निशान पर टैप करें।
    “Safari में खोलें” या “ब्राउज़र में खोलें” चुनें।
in-app-open-chrome =
    ऊपर ⋮ या ••• पर टैप करें।
    “Chrome में खोलें” या “ब्राउज़र में खोलें” चुनें।

## What to know before recording

privacy-heading = जानने लायक बातें
privacy-audience = इसे कौन देखेगा
privacy-audience-text = सिर्फ़ वही जिसने यह अनुरोध किया है: कोई व्यक्ति या AI एजेंट, और ज़रूरी नहीं कि लिंक उसी ने भेजा हो। वह कौन है, इसकी जाँच हम नहीं करते। वह उसकी कॉपी रख सकता है।
privacy-recording = क्या रिकॉर्ड होता है
privacy-recording-text = सिर्फ़ तब, जब लाल पट्टी दिखती है। कुछ खो न जाए, इसलिए वीडियो रिकॉर्डिंग के साथ-साथ अपलोड होता है। फिर से रिकॉर्ड करने पर पुराना वीडियो मिटा दिया जाता है।
privacy-retention-text = लिंक और वीडियो मिटा दिए जाएँगे: { $until }।
privacy-transcript = बोली गई बातें टेक्स्ट में बदली जा सकती हैं।
privacy-choice-text = आप मना कर सकते हैं। बस यह पेज बंद कर दें।
privacy-caution = पहचान पत्र, बैंक कार्ड या पासवर्ड कभी न दिखाएँ, जब तक यह पहले से तय न हो।
privacy-no-account = न खाता, न ट्रैकर।

## The browser asks for permission

permission-heading = आपका ब्राउज़र अनुमति माँग रहा है
permission-text = कृपया अनुमति दें। पहले आपको सिर्फ़ तस्वीर दिखेगी; अभी कुछ रिकॉर्ड नहीं होगा।
action-cancel = रद्द करें
action-close = बंद करें

## Open in another tab

tab-heading = यह पेज दूसरे टैब में खुला है
tab-text = अगर वहाँ रिकॉर्डिंग चल रही है, तो वह ख़त्म होकर यहाँ मिलेगी।
tab-continue = यहाँ जारी रखें

## No camera, and what to do about it

blocked-denied-heading = आपका ब्राउज़र कैमरे को ब्लॉक कर रहा है
blocked-no-camera-heading = कोई कैमरा नहीं मिला
blocked-no-camera-text = कैमरा जोड़कर फिर कोशिश करें, या यह लिंक अपने फ़ोन पर खोलें।
blocked-busy-heading = कैमरा इस्तेमाल में है
blocked-busy-text = लगता है कि कोई दूसरा ऐप या टैब उसे इस्तेमाल कर रहा है, जैसे वीडियो कॉल। उसे बंद करके फिर कोशिश करें।
blocked-insecure-heading = कैमरे के लिए सुरक्षित पता चाहिए
blocked-insecure-text = ब्राउज़र इसे सिर्फ़ https से शुरू होने वाले लिंक पर चलने देते हैं। ऐसा लिंक माँगें।
blocked-unsupported-heading = यह ब्राउज़र रिकॉर्ड नहीं कर सकता
blocked-unsupported-text = लिंक कॉपी करके उसे Safari, Chrome या Firefox के नए संस्करण में खोलें।
blocked-no-picture-heading = कैमरे से कोई तस्वीर नहीं आई
blocked-no-picture-text = कुछ भी रिकॉर्ड नहीं हुआ। कृपया फिर कोशिश करें।
blocked-no-screen-heading = स्क्रीन शेयर नहीं हुई
blocked-no-screen-text = कुछ भी रिकॉर्ड नहीं हुआ। जारी रखना हो तो फिर कोशिश करें और चुनें कि क्या शेयर करना है।
blocked-try-again = फिर कोशिश करें
blocked-with-sound = आवाज़ के साथ। दिक्कत सिर्फ़ माइक्रोफ़ोन की हो, तो निशान हटा दें।
unblock-ios-safari =
    पते के पास वाले निशान पर, फिर “वेबसाइट सेटिंग्ज़” पर टैप करें।
    कैमरा और माइक्रोफ़ोन की अनुमति दें।
unblock-ios-app =
    अपने डिवाइस की सेटिंग्ज़ खोलें और { $browser } ढूँढें।
    कैमरा और माइक्रोफ़ोन चालू करें।
unblock-android =
    पते की शुरुआत में बने निशान पर, फिर “अनुमतियाँ” पर टैप करें।
    कैमरा और माइक्रोफ़ोन की अनुमति दें।
unblock-android-firefox =
    पते के पास ताले या ढाल पर टैप करें।
    अनुमति देने के लिए कैमरा और माइक्रोफ़ोन के “ब्लॉक किया गया” पर टैप करें।
unblock-chrome =
    पते की शुरुआत में बने निशान पर क्लिक करें।
    कैमरा और माइक्रोफ़ोन चालू करें।
unblock-edge =
    पते की शुरुआत में ताले पर, फिर “इस साइट के लिए अनुमतियाँ” पर क्लिक करें।
    कैमरा और माइक्रोफ़ोन की अनुमति दें।
unblock-firefox =
    पते की शुरुआत में कटे हुए कैमरे पर क्लिक करें।
    उसके पास के × से “अवरुद्ध” हटाएँ।
unblock-safari =
    मेन्यू बार में “Safari”, फिर “इस वेबसाइट की सेटिंग्ज़…” चुनें।
    कैमरा और माइक्रोफ़ोन की अनुमति दें।
unblock-other =
    पते के पास वाले निशान पर टैप करें।
    कैमरा और माइक्रोफ़ोन की अनुमति दें।
unblock-system = अब भी ब्लॉक है? तो अपने डिवाइस की सेटिंग में इस ब्राउज़र को कैमरे की अनुमति दें।

## At the camera

camera-picture = कैमरा जो देख रहा है
camera-not-recording = अभी रिकॉर्ड नहीं हो रहा
camera-record = रिकॉर्ड करें
camera-start-now = अभी शुरू करें
camera-flip = कैमरा बदलें
camera-front = आगे का कैमरा
camera-back = पीछे का कैमरा
camera-torch = टॉर्च
camera-zoom = ज़ूम
camera-lens = लेंस
camera-lens-wide = वाइड
camera-lens-main = सामान्य
camera-lens-tele = टेली
camera-devices = कैमरा और माइक्रोफ़ोन
camera-device = कैमरा
camera-microphone = माइक्रोफ़ोन
camera-sound = आवाज़
camera-sound-level = आवाज़ का स्तर
signal-silent = बिना आवाज़
signal-no-microphone = केवल स्क्रीन की आवाज़, माइक नहीं
signal-unheard = आपकी आवाज़ नहीं आ रही। क्या माइक्रोफ़ोन बंद या ढका हुआ है?
signal-sound-lost = आवाज़ बंद हो गई है। वीडियो उसके बिना जारी है।
signal-dark = तस्वीर अँधेरी या ढकी हुई है।
signal-muted = आपका डिवाइस कैमरे को रोक रहा है: वीडियो काला रहेगा।
storage-low = इस डिवाइस पर कम जगह बची है: वीडियो छोटा रखें।
storage-none = यह ब्राउज़र रिकॉर्डिंग सहेज नहीं सकता: वीडियो भेजे जाने तक पेज खुला रखें।

## Recording

recording-status = रिकॉर्डिंग { $recorded }
recording-paused = रुकी हुई { $recorded }
recording-last-minute = { $left } बचा है, फिर रिकॉर्डिंग अपने-आप ख़त्म होगी।
recording-pause = रोकें
recording-resume = जारी रखें
recording-stop = ख़त्म करें
recording-finish = पूरा करें
recording-stopping = एक पल…

## Uploading

upload-sent = अपलोड हुआ { $sent }
upload-progress = { $percent } अपलोड हुआ, बाकी अपने-आप होगा।
upload-complete = अपलोड हो गया, भेजने के लिए तैयार।
upload-offline = आप ऑफ़लाइन हैं। कनेक्शन लौटने पर अपलोड जारी होगा।
upload-waiting = अभी अपलोड नहीं हो पा रहा है। हम कोशिश करते रहेंगे।
upload-server-full = सर्वर पर अभी जगह नहीं है। हम कोशिश करते रहेंगे।
upload-kept = तब तक रिकॉर्डिंग यहाँ सुरक्षित है।

## Reviewing

review-heading = अपना वीडियो देख लें
review-question = क्या आपने यह दिखाया?
review-not-sent = जब तक आप “भेजें” नहीं दबाते, यह भेजा नहीं जाता।
review-video = आपकी रिकॉर्डिंग
review-facts = अवधि { $recorded } · आकार { $size }
review-interrupted = रिकॉर्डिंग अपने-आप ख़त्म हो गई। तब तक की रिकॉर्डिंग यहाँ है।
review-resumed = आपका फिर स्वागत है: आपकी रिकॉर्डिंग ({ $recorded }) सुरक्षित है।
review-file = आपका चुना हुआ वीडियो: { $name }
review-reading = वीडियो खोला जा रहा है… { $read }
review-no-preview = जगह कम होने से यह अब यहाँ नहीं चल सकता। फिर भी यह सुरक्षित है।
review-no-player = पूर्वावलोकन नहीं है: यह ब्राउज़र वीडियो नहीं दिखा सकता। आप इसे फिर भी भेज सकते हैं।
review-located = इस फ़ाइल में लिखा है कि इसे कहाँ फ़िल्माया गया। जिसे यह मिलेगी, वह देख सकता है।
review-closes-soon = यह लिंक कुछ मिनटों में बंद हो जाएगा। वीडियो उससे पहले भेज दें।
review-send = यह वीडियो भेजें
review-again = फिर से रिकॉर्ड करें
review-save = इस डिवाइस पर सहेजें
discard-heading = क्या यह वीडियो मिटाकर फिर से रिकॉर्ड करें?
discard-text = यह यहाँ और हमारे सर्वर पर मिटा दिया जाएगा।
discard-confirm = मिटाकर फिर से रिकॉर्ड करें
discard-keep = इसे रखें

## Sending

submit-progress = भेजा जा रहा है: { $percent }
submit-keep-open = कृपया यह पेज थोड़ी देर खुला रखें।
submit-preparing = यह पहुँच गया है और तैयार किया जा रहा है।
submit-sent-heading = भेज दिया गया। धन्यवाद!
submit-sent-text = जिसने वीडियो माँगा था, वह अब इसे देख सकता है। आप यह पेज बंद कर सकते हैं।
receipt-sent = भेजा गया: { $time }
receipt-save = रसीद सहेजें

## The end of a link or of a recording

end-expired-heading = इस लिंक का समय ख़त्म हो गया
end-expired-text = वीडियो भेजे जाने से पहले समय ख़त्म हो गया। जो अपलोड हुआ था, वह मिटा दिया गया। अगर वीडियो अब भी चाहिए, तो नया लिंक माँगें।
end-submitted-heading = एक वीडियो पहले ही भेजा जा चुका है
end-submitted-text = इस लिंक से किसी ने वीडियो भेज दिया है, शायद आपने ही दूसरे डिवाइस से। लिंक एक ही बार चलता है, इसलिए यह वीडियो नहीं भेजा गया।
end-withdrawn-heading = यह अनुरोध वापस ले लिया गया
end-withdrawn-text = अब वीडियो की ज़रूरत नहीं है। जो अपलोड हुआ था, वह मिटा दिया गया।
end-taken-down-heading = यह अनुरोध हटा दिया गया
end-taken-down-text = यह सेवा चलाने वाले ने इसे हटा दिया है। इसके लिए जो भी अपलोड हुआ था, वह मिटा दिया गया।
end-too-large-heading = यह वीडियो बहुत बड़ा है
end-too-large-text = यह इस सर्वर की सीमा से बड़ा है, इसलिए नहीं भेजा गया। कृपया छोटा वीडियो रिकॉर्ड करें।
end-unreadable-heading = यह फ़ाइल अब पढ़ी नहीं जा सकती
end-unreadable-text = वह बदली या खिसकाई गई है, या पूरी इस डिवाइस पर नहीं है। कुछ भी नहीं भेजा गया। कृपया उसे फिर से चुनें।
end-refused-heading = यह वीडियो स्वीकार नहीं किया जा सकता
end-refused-text = सर्वर ने इसे अस्वीकार कर दिया। कृपया फिर से रिकॉर्ड करें, शायद किसी दूसरे ब्राउज़र में।
end-unplayable-heading = यह वीडियो चलाया नहीं जा सकता
end-unplayable-text = इसमें कुछ कमी या ख़राबी है, इसलिए नहीं भेजा गया। कृपया फिर से रिकॉर्ड करें।
end-still-here = आपकी रिकॉर्डिंग अब भी यहाँ है: इस पेज को बंद करने तक आप उसे देख और सहेज सकते हैं।

## Announced by screen readers

announce-countdown = रिकॉर्डिंग { $seconds } सेकंड में शुरू होगी।
announce-recording = रिकॉर्डिंग जारी है।
announce-paused = रिकॉर्डिंग रुकी हुई है।
announce-stopped = रिकॉर्डिंग ख़त्म हुई।
announce-last-minute = एक मिनट से कम बचा है, फिर रिकॉर्डिंग अपने-आप ख़त्म होगी।

## The form, where the recorder can't run

form-cannot-start = इस ब्राउज़र में रिकॉर्डर शुरू नहीं हो सका। पेज फिर से लोड करें, या लिंक किसी दूसरे ब्राउज़र में खोलें। आप कैमरा ऐप से वीडियो बनाकर उसे यहाँ भी भेज सकते हैं।
form-no-script = इस पेज पर रिकॉर्ड करने के लिए JavaScript चाहिए, जो इस ब्राउज़र में बंद है। आप कैमरा ऐप से वीडियो बनाकर उसे यहाँ भेज सकते हैं।
form-video = आपका वीडियो
form-no-file-heading = कोई वीडियो नहीं चुना गया
form-no-file-text = कृपया वापस जाएँ, वीडियो चुनें और फिर से भेजें।
form-not-a-video-heading = यह फ़ाइल स्वीकार नहीं की जा सकती
form-not-a-video-text = कृपया वापस जाएँ और वीडियो चुनें: WebM, MP4, MOV या MKV।
form-unplayable-text = इसमें कोई तस्वीर नहीं है, या फ़ाइल का कोई हिस्सा छूट गया है, इसलिए इसे नहीं रखा गया। कृपया वापस जाएँ और दूसरा वीडियो चुनें।
form-too-large-text = यह इस सर्वर की सीमा से बड़ा है, इसलिए इसे नहीं रखा गया। कृपया वापस जाएँ और छोटा वीडियो भेजें।
form-interrupted-heading = वीडियो नहीं पहुँचा
form-interrupted-text = पूरा पहुँचने से पहले कनेक्शन टूट गया, और कुछ भी नहीं रखा गया। कृपया वापस जाएँ और फिर से भेजें।

## The form that reports a request

report-text = यह सेवा चलाने वाला आपकी शिकायत पढ़ता है और अनुरोध हटा सकता है। वीडियो माँगने वाले को नहीं बताया जाता, और शिकायत के साथ आपके बारे में कुछ भी नहीं रखा जाता।
report-reason = इसमें क्या गलत है?
report-reason-danger = इसमें कुछ गैरकानूनी या ख़तरनाक माँगा गया है
report-reason-harassment = इसमें किसी को परेशान किया गया है, या कुछ अंतरंग माँगा गया है
report-reason-fraud = यह धोखाधड़ी है, या कोई किसी और के नाम से बात कर रहा है
report-reason-other = कुछ और
report-details = आपसे क्या रिकॉर्ड करने को कहा गया, और लिंक किसने भेजा? आप इसे खाली छोड़ सकते हैं।
report-send = शिकायत भेजें
report-reason-missing = कृपया चुनें कि इसमें क्या गलत है। अभी कुछ भी भेजा नहीं गया है।
report-too-long = आपका लिखा हुआ बहुत लंबा है: कृपया उसे छोटा करें। अभी कुछ भी भेजा नहीं गया है।
report-contact = आप यह सेवा चलाने वाले से सीधे भी संपर्क कर सकते हैं:
report-received-heading = आपकी शिकायत के लिए धन्यवाद
report-received-text = यह सेवा चलाने वाला इसे { $days } दिन तक पढ़ सकता है। आपको और कुछ नहीं करना है, और कुछ रिकॉर्ड भी नहीं करना है।
report-enough-heading = इस अनुरोध की काफ़ी शिकायतें आ चुकी हैं
report-enough-text = यह सेवा चलाने वाला मौजूद शिकायतें पढ़ सकता है। यह शिकायत उनमें नहीं जोड़ी गई।
report-too-many-heading = एक साथ बहुत सारी शिकायतें
report-too-many-text = आपके नेटवर्क से थोड़े समय में कई शिकायतें आई हैं, इसलिए यह नहीं रखी गई। कृपया बाद में फिर कोशिश करें।

## A link that leads to no recording

closed-expired-text = यह सीमित समय के लिए खुला था, और वह समय ख़त्म हो गया। इससे जो भी रिकॉर्ड हुआ, वह मिटा दिया गया। अगर वीडियो अब भी चाहिए, तो नया लिंक माँगें।
closed-submitted-heading = वीडियो मिल चुका है
closed-submitted-text = इस लिंक से किसी ने वीडियो रिकॉर्ड करके भेज दिया है। लिंक एक ही बार चलता है, इसलिए यहाँ अब कुछ करना बाकी नहीं है।
closed-not-found-heading = इस लिंक पर कुछ नहीं है
closed-not-found-text = शायद पते का कोई हिस्सा छूट गया है, या अनुरोध वापस ले लिया गया है। अगर आपने लिंक कॉपी किया है, तो देख लें कि वह पूरा है।
closed-error-heading = कुछ गड़बड़ हो गई
closed-error-text = गलती हमारी है, आपकी नहीं। कृपया एक मिनट बाद फिर कोशिश करें।
