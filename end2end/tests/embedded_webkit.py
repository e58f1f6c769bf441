# A window with WebKitGTK, whose profile stays on disk: embedded-webkit.py PROFILE
# Each line of its input is an object: `url` is opened, `run` is the body of an async function that gives a text. Each
# line of its output is the answer: `value` or `error`.
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2


def answer(given):
    print(json.dumps(given), flush=True)


def allow(_, request):
    request.allow()
    return True


def loaded(_, event):
    if event == WebKit2.LoadEvent.FINISHED:
        answer({"value": None})


def ran(view, result):
    try:
        answer({"value": view.call_async_javascript_function_finish(result).to_string()})
    except GLib.Error as error:
        answer({"error": error.message})


def asked(channel, _):
    line = channel.readline()
    if not line:
        Gtk.main_quit()
        return False
    question = json.loads(line)
    if "url" in question:
        view.load_uri(question["url"])
    else:
        view.call_async_javascript_function(question["run"], -1, None, None, None, None, ran)
    return True


profile = sys.argv[1]
manager = WebKit2.WebsiteDataManager(base_data_directory=profile, base_cache_directory=profile)
view = WebKit2.WebView(
    web_context=WebKit2.WebContext.new_with_website_data_manager(manager),
    settings=WebKit2.Settings(
        enable_media_stream=True, enable_mock_capture_devices=True, enable_webrtc=True
    ),
)
view.connect("permission-request", allow)
view.connect("load-changed", loaded)
window = Gtk.Window(default_width=390, default_height=844)
window.add(view)
window.show_all()
GLib.io_add_watch(GLib.IOChannel.unix_new(sys.stdin.fileno()), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, asked)
Gtk.main()
