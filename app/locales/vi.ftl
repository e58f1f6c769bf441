### Vietnamese, polite (bạn).

## Every page

page-language = Ngôn ngữ
page-description = Quay video ngay trong trình duyệt rồi gửi đi. Không cần ứng dụng, không cần tài khoản.
page-terms = Điều khoản
page-privacy = Quyền riêng tư
report-heading = Báo cáo yêu cầu này
date-utc = { $time } ngày { $day } tháng { $month } (giờ UTC)

## The recording page, before the camera

record-title = Quay video
record-prompt-heading = Có người nhờ bạn quay một video
record-audience = Người hoặc AI sẽ xem video này. Chúng tôi không kiểm tra đó là ai, nên chỉ tiếp tục nếu bạn đã biết trước về yêu cầu này.
record-step = { $number }/{ $total }
record-camera-hint = Mở camera thì vẫn chưa quay gì cả.
record-other-device = Một thiết bị khác đang quay.
source-camera = Mở camera
source-screen = Quay màn hình
source-file = Dùng video có sẵn
source-camera-app = Dùng ứng dụng camera
source-other = Cách khác
source-file-hint = Hoặc quay bằng ứng dụng camera rồi chọn video đó ở đây.
source-drop = Thả video vào đây
source-drop-hint = Bạn cũng có thể kéo thả hoặc dán video vào đây.
source-several-files = Hãy chỉ chọn một video.
source-no-video = Chúng tôi không thể nhận tệp này. Hãy chọn một video: WebM, MP4, MOV hoặc MKV.
source-phone = Quay bằng điện thoại
source-phone-how = Hướng camera điện thoại vào mã này. Trang này sẽ mở ra trên điện thoại.
source-phone-code = Mã QR của liên kết này
link-copy = Sao chép liên kết
link-copied = Đã sao chép
in-app-browser = Trang này đang mở bên trong một ứng dụng khác. Nếu camera không hoạt động ở đây:
in-app-leave = Mở trong trình duyệt
in-app-open-safari =
    Chạm vào ••• hoặc biểu tượng chia sẻ.
    Chọn “Mở trong Safari” hoặc “Mở bằng trình duyệt”.
in-app-open-chrome =
    Nhấn vào ⋮ hoặc ••• ở trên cùng.
    Chọn “Mở trong Chrome” hoặc “Mở bằng trình duyệt”.

## What to know before recording

privacy-heading = Điều cần biết
privacy-audience = Ai sẽ xem
privacy-audience-text = Chỉ người hoặc tác nhân AI đã tạo yêu cầu này, và đó có thể không phải là người gửi liên kết cho bạn. Chúng tôi không kiểm tra đó là ai. Họ có thể giữ một bản sao.
privacy-recording = Những gì được quay
privacy-recording-text = Chỉ khi bạn thấy thanh màu đỏ. Video được tải lên ngay trong lúc quay để không bị mất. Nếu bạn quay video mới, video cũ sẽ bị xóa.
privacy-retention-text = Liên kết và video sẽ bị xóa vào { $until }.
privacy-transcript = Lời nói có thể được chuyển thành văn bản.
privacy-choice-text = Bạn có thể từ chối. Chỉ cần đóng trang này.
privacy-caution = Đừng bao giờ quay giấy tờ tùy thân, thẻ ngân hàng hay mật khẩu, trừ khi bạn đã biết trước là sẽ được yêu cầu.
privacy-no-account = Không tài khoản, không theo dõi.

## The browser asks for permission

permission-heading = Trình duyệt đang xin quyền
permission-text = Hãy chọn Cho phép. Bạn sẽ thấy hình ảnh trước; vẫn chưa quay gì cả.
action-cancel = Hủy
action-close = Đóng

## Open in another tab

tab-heading = Trang này đang mở trong một thẻ khác
tab-text = Nếu thẻ đó đang quay, việc quay sẽ dừng và bạn tiếp tục với video đó ở đây.
tab-continue = Tiếp tục ở đây

## No camera, and what to do about it

blocked-denied-heading = Trình duyệt đang chặn camera
blocked-no-camera-heading = Không tìm thấy camera
blocked-no-camera-text = Hãy kết nối camera rồi thử lại, hoặc mở liên kết này trên điện thoại.
blocked-busy-heading = Camera đang được sử dụng
blocked-busy-text = Có vẻ một ứng dụng hoặc thẻ khác đang dùng camera, chẳng hạn cuộc gọi video. Hãy đóng lại rồi thử lần nữa.
blocked-insecure-heading = Camera cần một địa chỉ an toàn
blocked-insecure-text = Trình duyệt chỉ cho phép camera với liên kết bắt đầu bằng https. Hãy xin một liên kết như vậy.
blocked-unsupported-heading = Trình duyệt này không quay được
blocked-unsupported-text = Hãy sao chép liên kết và mở bằng Safari, Chrome hoặc Firefox bản mới.
blocked-no-picture-heading = Không có hình từ camera
blocked-no-picture-text = Chưa quay được gì. Hãy thử lại.
blocked-no-screen-heading = Màn hình chưa được chia sẻ
blocked-no-screen-text = Chưa quay được gì. Để tiếp tục, hãy thử lại và chọn nội dung muốn chia sẻ.
blocked-try-again = Thử lại
blocked-with-sound = Có âm thanh. Hãy bỏ chọn nếu chỉ micrô gặp vấn đề.
unblock-ios-safari =
    Chạm vào biểu tượng bên cạnh địa chỉ, rồi chạm vào “Cài đặt trang web”.
    Cho phép camera và micrô.
unblock-ios-app =
    Mở Cài đặt của thiết bị và tìm { $browser }.
    Bật camera và micrô.
unblock-android =
    Nhấn vào biểu tượng ở đầu địa chỉ, rồi nhấn vào “Quyền”.
    Cho phép camera và micrô.
unblock-android-firefox =
    Nhấn vào ổ khóa hoặc tấm khiên bên cạnh địa chỉ.
    Nhấn vào “Đã chặn” ở mục camera và micrô để cho phép.
unblock-chrome =
    Nhấp vào biểu tượng ở đầu địa chỉ.
    Bật camera và micrô.
unblock-edge =
    Nhấp vào ổ khóa ở đầu địa chỉ, rồi nhấp vào “Quyền đối với trang này”.
    Cho phép camera và micrô.
unblock-firefox =
    Nhấp vào biểu tượng camera bị gạch chéo ở đầu địa chỉ.
    Bỏ “Đã bị chặn” bằng dấu × bên cạnh.
unblock-safari =
    Trên thanh menu, chọn “Safari”, rồi chọn “Cài đặt cho trang web này…”.
    Cho phép camera và micrô.
unblock-other =
    Chạm vào biểu tượng bên cạnh địa chỉ.
    Cho phép camera và micrô.
unblock-system = Vẫn bị chặn? Hãy cho phép trình duyệt này dùng camera trong phần cài đặt của thiết bị.

## At the camera

camera-picture = Hình ảnh từ camera
camera-not-recording = Chưa quay
camera-record = Quay
camera-start-now = Bắt đầu ngay
camera-flip = Đổi camera
camera-front = Camera trước
camera-back = Camera sau
camera-torch = Đèn
camera-zoom = Thu phóng
camera-lens = Ống kính
camera-lens-wide = Góc rộng
camera-lens-main = Chuẩn
camera-lens-tele = Tele
camera-devices = Camera và micrô
camera-device = Camera
camera-microphone = Micrô
camera-sound = Âm thanh
camera-sound-level = Mức âm thanh
signal-silent = Không có tiếng
signal-no-microphone = Chỉ có tiếng của màn hình, không có micrô
signal-unheard = Không nghe thấy bạn. Micrô có bị tắt hoặc bị che không?
signal-sound-lost = Âm thanh đã mất. Video tiếp tục mà không có âm thanh đó.
signal-dark = Hình quá tối hoặc bị che.
signal-muted = Thiết bị đang chặn camera: video sẽ chỉ có màu đen.
storage-low = Thiết bị sắp hết dung lượng: hãy quay ngắn thôi.
storage-none = Trình duyệt này không lưu được video: hãy giữ trang này mở cho đến khi gửi xong.

## Recording

recording-status = Đang quay { $recorded }
recording-paused = Đã tạm dừng { $recorded }
recording-last-minute = Còn { $left }, sau đó sẽ tự dừng quay.
recording-pause = Tạm dừng
recording-resume = Quay tiếp
recording-stop = Dừng
recording-finish = Xong
recording-stopping = Chờ một chút…

## Uploading

upload-sent = Đã tải lên { $sent }
upload-progress = Đã tải lên { $percent }. Phần còn lại sẽ tự tiếp tục.
upload-complete = Đã tải lên xong, sẵn sàng để gửi.
upload-offline = Bạn đang ngoại tuyến. Việc tải lên sẽ tiếp tục khi có mạng trở lại.
upload-waiting = Hiện chưa tải lên được. Chúng tôi vẫn đang thử.
upload-server-full = Máy chủ hiện đã đầy. Chúng tôi vẫn đang thử.
upload-kept = Cho đến lúc đó, video vẫn an toàn ở đây.

## Reviewing

review-heading = Xem lại video của bạn
review-question = Bạn đã quay phần này chưa?
review-not-sent = Video chưa được gửi cho đến khi bạn nhấn Gửi.
review-video = Video bạn đã quay
review-facts = Thời lượng { $recorded } · dung lượng { $size }
review-interrupted = Việc quay đã tự dừng. Mọi thứ đã quay đến lúc đó đều ở đây.
review-resumed = Chào mừng trở lại: video dài { $recorded } vẫn an toàn.
review-file = Video bạn đã chọn: { $name }
review-reading = Đang tải video… { $read }
review-no-preview = Không phát lại được ở đây nữa vì cần dung lượng. Video vẫn an toàn.
review-no-player = Không có bản xem trước: trình duyệt này không hiển thị được video. Bạn vẫn có thể gửi.
review-located = Tệp này có ghi nơi quay. Ai nhận được cũng có thể thấy.
review-closes-soon = Liên kết này sẽ hết hạn sau vài phút. Hãy gửi video trước lúc đó.
review-send = Gửi video này
review-again = Quay video mới
review-save = Lưu vào thiết bị này
discard-heading = Xóa video này và quay video mới?
discard-text = Video sẽ bị xóa ở đây và trên máy chủ của chúng tôi.
discard-confirm = Xóa và quay mới
discard-keep = Giữ video này

## Sending

submit-progress = Đang gửi: { $percent }
submit-keep-open = Hãy giữ trang này mở thêm một lát.
submit-preparing = Video đã đến nơi. Chúng tôi đang chuẩn bị.
submit-sent-heading = Đã gửi. Cảm ơn bạn!
submit-sent-text = Bên yêu cầu video có thể xem ngay bây giờ. Bạn có thể đóng trang này.
receipt-sent = Đã gửi: { $time }
receipt-save = Lưu biên nhận

## The end of a link or of a recording

end-expired-heading = Liên kết này đã hết hạn
end-expired-text = Đã hết giờ trước khi video được gửi. Những gì đã tải lên đã bị xóa. Nếu vẫn cần video, hãy xin một liên kết mới.
end-submitted-heading = Đã có video được gửi
end-submitted-text = Có người đã gửi video bằng liên kết này, có thể chính là bạn trên thiết bị khác. Liên kết chỉ dùng được một lần, nên video này không gửi được.
end-withdrawn-heading = Yêu cầu này đã được rút lại
end-withdrawn-text = Video không còn cần nữa. Những gì đã tải lên đã bị xóa.
end-taken-down-heading = Yêu cầu này đã bị gỡ
end-taken-down-text = Đơn vị vận hành dịch vụ này đã gỡ yêu cầu. Mọi thứ đã tải lên cho yêu cầu này đều đã bị xóa.
end-too-large-heading = Video này quá lớn
end-too-large-text = Video vượt quá giới hạn của máy chủ nên không gửi được. Hãy quay một video ngắn hơn.
end-unreadable-heading = Không đọc được tệp này nữa
end-unreadable-text = Tệp đã bị thay đổi, bị di chuyển, hoặc chưa nằm trọn trên thiết bị này. Chưa gửi gì cả. Hãy chọn lại.
end-refused-heading = Không nhận được video này
end-refused-text = Máy chủ đã từ chối. Hãy quay video mới, có thể bằng trình duyệt khác.
end-unplayable-heading = Không phát được video này
end-unplayable-text = Một phần bị thiếu hoặc bị hỏng nên video không gửi được. Hãy quay video mới.
end-still-here = Video của bạn vẫn còn ở đây. Bạn có thể xem và lưu cho đến khi đóng trang này.

## Announced by screen readers

announce-countdown = Bắt đầu quay sau { $seconds } giây.
announce-recording = Đang quay.
announce-paused = Đã tạm dừng.
announce-stopped = Đã dừng quay.
announce-last-minute = Còn chưa đầy một phút, sau đó sẽ tự dừng quay.

## The form, where the recorder can't run

form-cannot-start = Không thể bắt đầu quay trong trình duyệt này. Hãy tải lại trang hoặc mở liên kết bằng trình duyệt khác. Bạn cũng có thể quay bằng ứng dụng camera rồi gửi video ở đây.
form-no-script = Để quay trên trang này cần có JavaScript, nhưng trình duyệt này đã tắt. Bạn có thể quay bằng ứng dụng camera rồi gửi video ở đây.
form-video = Video của bạn
form-no-file-heading = Chưa chọn video nào
form-no-file-text = Hãy quay lại trang trước, chọn một video rồi gửi lại.
form-not-a-video-heading = Không nhận được tệp này
form-not-a-video-text = Hãy quay lại trang trước và chọn một video: WebM, MP4, MOV hoặc MKV.
form-unplayable-text = Tệp không có hình hoặc bị thiếu một phần nên không được giữ lại. Hãy quay lại trang trước và chọn video khác.
form-too-large-text = Video vượt quá giới hạn của máy chủ nên không được giữ lại. Hãy quay lại trang trước và gửi một video ngắn hơn.
form-interrupted-heading = Video chưa đến nơi
form-interrupted-text = Kết nối bị ngắt trước khi gửi xong, và không có gì được giữ lại. Hãy quay lại trang trước và gửi lại.

## The form that reports a request

report-text = Đơn vị vận hành dịch vụ này sẽ đọc báo cáo và có thể gỡ yêu cầu. Bên yêu cầu video không được báo, và không có thông tin nào về bạn được lưu kèm báo cáo.
report-reason = Có vấn đề gì?
report-reason-danger = Yêu cầu điều bất hợp pháp hoặc nguy hiểm
report-reason-harassment = Quấy rối ai đó, hoặc đòi nội dung riêng tư nhạy cảm
report-reason-fraud = Lừa đảo, hoặc giả mạo người khác
report-reason-other = Lý do khác
report-details = Bạn được yêu cầu quay gì, và ai đã gửi liên kết cho bạn? Bạn có thể để trống.
report-send = Gửi báo cáo
report-reason-missing = Hãy chọn vấn đề. Chưa có gì được gửi.
report-too-long = Nội dung quá dài: hãy rút ngắn lại. Chưa có gì được gửi.
report-contact = Bạn cũng có thể liên hệ trực tiếp với đơn vị vận hành dịch vụ này:
report-received-heading = Cảm ơn bạn đã báo cáo
report-received-text = Đơn vị vận hành dịch vụ này có thể đọc báo cáo trong { $days } ngày. Bạn không cần làm gì thêm, và cũng không cần quay gì cả.
report-enough-heading = Yêu cầu này đã được báo cáo đủ nhiều
report-enough-text = Đơn vị vận hành dịch vụ này có thể đọc các báo cáo trước đó. Báo cáo của bạn không được thêm vào.
report-too-many-heading = Quá nhiều báo cáo cùng lúc
report-too-many-text = Có nhiều báo cáo từ mạng của bạn trong thời gian ngắn, nên báo cáo này không được lưu. Hãy thử lại sau.

## A link that leads to no recording

closed-expired-text = Liên kết này chỉ mở trong thời gian giới hạn, và thời gian đó đã hết. Mọi thứ đã quay qua liên kết này đều đã bị xóa. Nếu vẫn cần video, hãy xin một liên kết mới.
closed-submitted-heading = Đã nhận được video
closed-submitted-text = Có người đã quay và gửi video bằng liên kết này. Liên kết chỉ dùng được một lần, nên bạn không cần làm gì thêm ở đây.
closed-not-found-heading = Không có gì ở liên kết này
closed-not-found-text = Có thể địa chỉ bị thiếu một phần, hoặc yêu cầu đã được rút lại. Nếu bạn đã sao chép liên kết, hãy kiểm tra xem có đầy đủ không.
closed-error-heading = Đã xảy ra lỗi
closed-error-text = Đây là lỗi của chúng tôi, không phải của bạn. Hãy thử lại sau một phút.
