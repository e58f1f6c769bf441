### Korean, polite (-하세요, -습니다).

## Every page

page-language = 언어
page-description = 브라우저에서 동영상을 녹화해 보내세요. 앱도 계정도 필요 없습니다.
page-terms = 이용약관
page-privacy = 개인정보 보호
report-heading = 이 요청 신고
date-utc = { $month }월 { $day }일 { $time }(UTC)

## The recording page, before the camera

record-title = 동영상 녹화
record-prompt-heading = 동영상 요청을 받으셨습니다
record-audience = 사람 또는 AI가 동영상을 봅니다. 누구인지는 확인하지 않으니, 이 요청을 알고 계셨을 때만 계속하세요.
record-step = { $number }/{ $total }
record-camera-hint = 카메라를 켜도 바로 녹화되지는 않습니다.
record-other-device = 다른 기기에서 녹화하고 있습니다.
source-camera = 카메라 켜기
source-screen = 화면 녹화
source-file = 기존 동영상 사용
source-camera-app = 카메라 앱 사용
source-other = 다른 방법
source-file-hint = 카메라 앱으로 촬영한 다음 여기에서 그 동영상을 선택해도 됩니다.
source-drop = 여기에 동영상을 놓으세요
source-drop-hint = 동영상을 여기로 끌어다 놓거나 붙여 넣어도 됩니다.
source-several-files = 동영상을 하나만 선택하세요.
source-no-video = 이 파일은 받을 수 없습니다. 동영상을 선택하세요: WebM, MP4, MOV 또는 MKV.
source-phone = 휴대전화 카메라 사용
source-phone-how = 휴대전화 카메라로 이 코드를 비추세요. 휴대전화에서 같은 페이지가 열립니다.
source-phone-code = 이 링크의 QR 코드
link-copy = 링크 복사
link-copied = 복사됨
in-app-browser = 다른 앱 안에서 열린 페이지입니다. 여기서 카메라가 작동하지 않으면:
in-app-leave = 브라우저에서 열기
in-app-open-safari =
    ••• 또는 공유 아이콘을 탭하세요.
    ‘Safari에서 열기’ 또는 ‘브라우저에서 열기’를 선택하세요.
in-app-open-chrome =
    위쪽의 ⋮ 또는 •••를 탭하세요.
    ‘Chrome에서 열기’ 또는 ‘브라우저에서 열기’를 선택하세요.

## What to know before recording

privacy-heading = 먼저 알아 두세요
privacy-audience = 누가 보나요
privacy-audience-text = 이 요청을 만든 사람 또는 AI 에이전트만 봅니다. 링크를 보낸 사람과 다를 수 있습니다. 누구인지는 확인하지 않습니다. 상대방은 사본을 보관할 수 있습니다.
privacy-recording = 무엇이 녹화되나요
privacy-recording-text = 빨간색 막대가 보이는 동안만 녹화됩니다. 잃어버리지 않도록 녹화하면서 업로드합니다. 다시 녹화하면 이전 동영상은 삭제됩니다.
privacy-retention-text = 링크와 동영상은 { $until }에 삭제됩니다.
privacy-transcript = 말한 내용이 글로 바뀔 수 있습니다.
privacy-choice-text = 거절하셔도 됩니다. 이 페이지를 닫기만 하면 됩니다.
privacy-caution = 미리 알고 계셨던 경우가 아니라면 신분증, 은행 카드, 비밀번호를 절대 보여 주지 마세요.
privacy-no-account = 계정도, 추적도 없습니다.

## The browser asks for permission

permission-heading = 브라우저에서 권한을 요청하고 있습니다
permission-text = ‘허용’을 선택하세요. 먼저 화면만 보이고 아직 녹화되지 않습니다.
action-cancel = 취소
action-close = 닫기

## Open in another tab

tab-heading = 이 페이지가 다른 탭에 열려 있습니다
tab-text = 그 탭에서 녹화 중이라면 녹화가 끝나고, 그 동영상을 여기에서 이어서 처리합니다.
tab-continue = 여기에서 계속

## No camera, and what to do about it

blocked-denied-heading = 브라우저에서 카메라를 차단했습니다
blocked-no-camera-heading = 카메라를 찾을 수 없습니다
blocked-no-camera-text = 카메라를 연결하고 다시 시도하거나, 휴대전화에서 이 링크를 여세요.
blocked-busy-heading = 카메라가 사용 중입니다
blocked-busy-text = 영상 통화처럼 다른 앱이나 탭에서 사용 중인 것 같습니다. 닫은 다음 다시 시도하세요.
blocked-insecure-heading = 카메라를 쓰려면 보안 주소가 필요합니다
blocked-insecure-text = 브라우저는 https로 시작하는 링크에서만 카메라를 허용합니다. 그런 링크를 요청하세요.
blocked-unsupported-heading = 이 브라우저에서는 녹화할 수 없습니다
blocked-unsupported-text = 링크를 복사해 최신 버전의 Safari, Chrome 또는 Firefox에서 여세요.
blocked-no-picture-heading = 카메라 화면이 나오지 않습니다
blocked-no-picture-text = 아무것도 녹화되지 않았습니다. 다시 시도하세요.
blocked-no-screen-heading = 화면이 공유되지 않았습니다
blocked-no-screen-text = 아무것도 녹화되지 않았습니다. 계속하려면 다시 시도하고 공유할 화면을 선택하세요.
blocked-try-again = 다시 시도
blocked-with-sound = 소리도 녹음합니다. 마이크에만 문제가 있다면 선택을 해제하세요.
unblock-ios-safari =
    주소 옆의 아이콘을 탭한 다음 ‘웹 사이트 설정’을 탭하세요.
    카메라와 마이크를 허용하세요.
unblock-ios-app =
    기기의 ‘설정’을 열고 { $browser } 항목을 찾으세요.
    카메라와 마이크를 켜세요.
unblock-android =
    주소 맨 앞의 아이콘을 탭한 다음 ‘권한’을 탭하세요.
    카메라와 마이크를 허용하세요.
unblock-android-firefox =
    주소 옆의 자물쇠나 방패를 탭하세요.
    카메라와 마이크의 ‘차단됨’을 탭해 허용하세요.
unblock-chrome =
    주소 맨 앞의 아이콘을 클릭하세요.
    카메라와 마이크를 켜세요.
unblock-edge =
    주소 맨 앞의 자물쇠를 클릭한 다음 ‘이 사이트에 대한 사용 권한’을 클릭하세요.
    카메라와 마이크를 허용하세요.
unblock-firefox =
    주소 맨 앞의 줄이 그어진 카메라를 클릭하세요.
    옆의 ×를 눌러 ‘차단’을 지우세요.
unblock-safari =
    메뉴 막대에서 ‘Safari’, ‘이 웹 사이트 설정…’을 차례로 선택하세요.
    카메라와 마이크를 허용하세요.
unblock-other =
    주소 옆의 아이콘을 탭하세요.
    카메라와 마이크를 허용하세요.
unblock-system = 아직 차단되어 있나요? 기기 설정에서 이 브라우저에 카메라를 허용하세요.

## At the camera

camera-picture = 카메라 화면
camera-not-recording = 아직 녹화 중이 아닙니다
camera-record = 녹화
camera-start-now = 바로 시작
camera-flip = 카메라 전환
camera-front = 전면 카메라
camera-back = 후면 카메라
camera-torch = 손전등
camera-zoom = 확대/축소
camera-lens = 렌즈
camera-lens-wide = 광각
camera-lens-main = 기본
camera-lens-tele = 망원
camera-devices = 카메라와 마이크
camera-device = 카메라
camera-microphone = 마이크
camera-sound = 소리
camera-sound-level = 소리 크기
signal-silent = 소리 없음
signal-no-microphone = 화면 소리만 녹음, 마이크 없음
signal-unheard = 소리가 들리지 않습니다. 마이크가 꺼져 있거나 가려져 있나요?
signal-sound-lost = 소리가 끊겼습니다. 그 소리 없이 계속 녹화합니다.
signal-dark = 화면이 어둡거나 가려져 있습니다.
signal-muted = 기기에서 카메라를 차단해 동영상이 검게 나옵니다.
storage-low = 기기의 저장 공간이 부족합니다. 짧게 녹화하세요.
storage-none = 이 브라우저에는 녹화를 저장할 수 없습니다. 동영상을 보낼 때까지 페이지를 열어 두세요.

## Recording

recording-status = 녹화 중 { $recorded }
recording-paused = 일시정지됨 { $recorded }
recording-last-minute = { $left } 후에 녹화가 자동으로 끝납니다.
recording-pause = 일시정지
recording-resume = 이어서 녹화
recording-stop = 중지
recording-finish = 완료
recording-stopping = 잠시만요…

## Uploading

upload-sent = 업로드됨 { $sent }
upload-progress = { $percent } 업로드됨. 나머지는 자동으로 이어집니다.
upload-complete = 업로드가 끝났습니다. 보낼 수 있습니다.
upload-offline = 오프라인입니다. 다시 연결되면 업로드가 이어집니다.
upload-waiting = 지금은 업로드할 수 없습니다. 계속 시도하고 있습니다.
upload-server-full = 서버 공간이 부족합니다. 계속 시도하고 있습니다.
upload-kept = 그때까지 녹화는 여기에 안전하게 보관됩니다.

## Reviewing

review-heading = 동영상을 확인하세요
review-question = 이 부분을 보여 주셨나요?
review-not-sent = ‘보내기’를 누르기 전에는 보내지 않습니다.
review-video = 녹화한 동영상
review-facts = 길이 { $recorded } · 크기 { $size }
review-interrupted = 녹화가 자동으로 끝났습니다. 그때까지 녹화한 내용은 모두 여기 있습니다.
review-resumed = 다시 오셨네요. 녹화한 { $recorded } 분량이 안전하게 보관되어 있습니다.
review-file = 선택하신 동영상: { $name }
review-reading = 동영상을 불러오는 중… { $read }
review-no-preview = 저장 공간이 필요해 여기서는 더 이상 재생할 수 없습니다. 동영상은 안전하게 보관되어 있습니다.
review-no-player = 이 브라우저에서는 이 동영상을 표시할 수 없어 미리보기가 없습니다. 그래도 보낼 수 있습니다.
review-located = 이 파일에는 촬영 장소가 들어 있습니다. 받는 사람이 볼 수 있습니다.
review-closes-soon = 이 링크는 몇 분 뒤에 만료됩니다. 그 전에 동영상을 보내세요.
review-send = 동영상 보내기
review-again = 다시 녹화
review-save = 이 기기에 저장
discard-heading = 삭제하고 다시 녹화할까요?
discard-text = 여기와 저희 서버에서 모두 삭제됩니다.
discard-confirm = 삭제하고 다시 녹화
discard-keep = 그대로 두기

## Sending

submit-progress = 보내는 중: { $percent }
submit-keep-open = 이 페이지를 잠시만 더 열어 두세요.
submit-preparing = 동영상이 도착했습니다. 준비하고 있습니다.
submit-sent-heading = 보냈습니다. 감사합니다!
submit-sent-text = 동영상을 요청한 쪽에서 이제 동영상을 볼 수 있습니다. 이 페이지를 닫아도 됩니다.
receipt-sent = 전송: { $time }
receipt-save = 확인서 저장

## The end of a link or of a recording

end-expired-heading = 만료된 링크입니다
end-expired-text = 동영상을 보내기 전에 시간이 지났습니다. 업로드된 내용은 삭제되었습니다. 아직 동영상이 필요하다면 새 링크를 요청하세요.
end-submitted-heading = 이미 전송된 동영상이 있습니다
end-submitted-text = 이 링크로 누군가 동영상을 보냈습니다. 다른 기기에서 직접 보내셨을 수도 있습니다. 링크는 한 번만 쓸 수 있어 이 동영상은 보내지 않았습니다.
end-withdrawn-heading = 취소된 요청입니다
end-withdrawn-text = 더 이상 동영상이 필요하지 않습니다. 업로드된 내용은 삭제되었습니다.
end-taken-down-heading = 삭제된 요청입니다
end-taken-down-text = 이 서비스의 운영자가 요청을 삭제했습니다. 업로드된 내용은 모두 삭제되었습니다.
end-too-large-heading = 동영상이 너무 큽니다
end-too-large-text = 이 서버가 받을 수 있는 크기를 넘어 보내지 않았습니다. 더 짧게 녹화하세요.
end-unreadable-heading = 더 이상 파일을 읽을 수 없습니다
end-unreadable-text = 파일이 변경 또는 이동되었거나 이 기기에 완전히 저장되어 있지 않습니다. 아무것도 보내지 않았습니다. 다시 선택하세요.
end-refused-heading = 이 동영상은 받을 수 없습니다
end-refused-text = 서버에서 거부했습니다. 다시 녹화하거나 다른 브라우저를 사용해 보세요.
end-unplayable-heading = 이 동영상은 재생할 수 없습니다
end-unplayable-text = 일부가 없거나 손상되어 보내지 않았습니다. 다시 녹화하세요.
end-still-here = 녹화한 동영상은 아직 여기 있습니다. 이 페이지를 닫기 전까지 보고 저장할 수 있습니다.

## Announced by screen readers

announce-countdown = { $seconds }초 후에 녹화가 시작됩니다.
announce-recording = 녹화 중입니다.
announce-paused = 일시정지했습니다.
announce-stopped = 녹화를 중지했습니다.
announce-last-minute = 1분도 남지 않았습니다. 그 후 녹화가 자동으로 끝납니다.

## The form, where the recorder can't run

form-cannot-start = 이 브라우저에서 녹화를 시작하지 못했습니다. 페이지를 새로고침하거나 다른 브라우저에서 링크를 여세요. 카메라 앱으로 촬영해 여기에서 보낼 수도 있습니다.
form-no-script = 이 페이지에서 녹화하려면 JavaScript가 필요하지만 이 브라우저에서 꺼져 있습니다. 카메라 앱으로 촬영해 여기에서 보낼 수 있습니다.
form-video = 동영상
form-no-file-heading = 동영상을 선택하지 않았습니다
form-no-file-text = 뒤로 가서 동영상을 선택하고 다시 보내세요.
form-not-a-video-heading = 이 파일은 받을 수 없습니다
form-not-a-video-text = 뒤로 가서 동영상을 선택하세요: WebM, MP4, MOV 또는 MKV.
form-unplayable-text = 화면이 없거나 파일 일부가 빠져 있어 보관하지 않았습니다. 뒤로 가서 다른 동영상을 선택하세요.
form-too-large-text = 이 서버가 받을 수 있는 크기를 넘어 보관하지 않았습니다. 뒤로 가서 더 짧은 동영상을 보내세요.
form-interrupted-heading = 동영상이 도착하지 않았습니다
form-interrupted-text = 다 도착하기 전에 연결이 끊겨 아무것도 보관하지 않았습니다. 뒤로 가서 다시 보내세요.

## The form that reports a request

report-text = 이 서비스의 운영자가 신고를 읽고 요청을 삭제할 수 있습니다. 동영상을 요청한 쪽에는 알리지 않으며, 신고와 함께 신고하신 분에 대한 정보를 저장하지 않습니다.
report-reason = 무엇이 문제인가요?
report-reason-danger = 불법이거나 위험한 일을 요구합니다
report-reason-harassment = 누군가를 괴롭히거나 사적이고 은밀한 내용을 요구합니다
report-reason-fraud = 사기이거나 다른 사람을 사칭합니다
report-reason-other = 기타
report-details = 무엇을 촬영해 달라고 했고, 링크는 누가 보냈나요? 비워 두셔도 됩니다.
report-send = 신고 보내기
report-reason-missing = 무엇이 문제인지 선택하세요. 아직 보내지 않았습니다.
report-too-long = 내용이 너무 깁니다. 줄여 주세요. 아직 보내지 않았습니다.
report-contact = 이 서비스의 운영자에게 직접 연락하실 수도 있습니다:
report-received-heading = 신고해 주셔서 감사합니다
report-received-text = 이 서비스의 운영자가 { $days }일 동안 신고를 읽을 수 있습니다. 더 하실 일은 없으며, 녹화하지 않으셔도 됩니다.
report-enough-heading = 이미 충분히 신고된 요청입니다
report-enough-text = 이 서비스의 운영자가 앞서 들어온 신고를 읽을 수 있습니다. 이번 신고는 추가되지 않았습니다.
report-too-many-heading = 신고가 한꺼번에 너무 많습니다
report-too-many-text = 같은 네트워크에서 짧은 시간에 여러 신고가 들어와 이번 신고는 저장하지 않았습니다. 나중에 다시 시도하세요.

## A link that leads to no recording

closed-expired-text = 정해진 기간 동안만 열려 있던 링크이며, 그 기간이 끝났습니다. 이 링크로 녹화한 내용은 모두 삭제되었습니다. 아직 동영상이 필요하다면 새 링크를 요청하세요.
closed-submitted-heading = 동영상을 받았습니다
closed-submitted-text = 누군가 이 링크로 동영상을 녹화해 보냈습니다. 링크는 한 번만 쓸 수 있어 여기서 더 하실 일은 없습니다.
closed-not-found-heading = 이 링크에는 아무것도 없습니다
closed-not-found-text = 주소 일부가 빠졌거나 요청이 취소되었을 수 있습니다. 링크를 복사하셨다면 빠진 부분이 없는지 확인하세요.
closed-error-heading = 문제가 발생했습니다
closed-error-text = 저희 쪽 문제입니다. 1분쯤 뒤에 다시 시도하세요.
