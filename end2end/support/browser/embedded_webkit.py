# A window with WebKitGTK and a profile on disk: embedded_webkit.py PROFILE
# Each line of standard input is a JSON object: `url` is a page to open, `run` is the body of an async function that returns
# a string. Each line of standard output is the answer, a JSON object with `value` or `error`.
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2


def respond(response):
    print(json.dumps(response), flush=True)


def grant_permission(_, request):
    request.allow()
    return True


def on_load_changed(_, event):
    if event == WebKit2.LoadEvent.FINISHED:
        respond({"value": None})


def on_function_finished(view, result):
    try:
        respond({"value": view.call_async_javascript_function_finish(result).to_string()})
    except GLib.Error as error:
        respond({"error": error.message})


def on_input(channel, _):
    line = channel.readline()
    if not line:
        Gtk.main_quit()
        return False
    command = json.loads(line)
    if "url" in command:
        view.load_uri(command["url"])
    else:
        view.call_async_javascript_function(command["run"], -1, None, None, None, None, on_function_finished)
    return True


profile = sys.argv[1]
manager = WebKit2.WebsiteDataManager(base_data_directory=profile, base_cache_directory=profile)
view = WebKit2.WebView(
    web_context=WebKit2.WebContext.new_with_website_data_manager(manager),
    settings=WebKit2.Settings(
        enable_media_stream=True, enable_mock_capture_devices=True, enable_webrtc=True
    ),
)
view.connect("permission-request", grant_permission)
view.connect("load-changed", on_load_changed)
window = Gtk.Window(default_width=390, default_height=844)
window.add(view)
window.show_all()
GLib.io_add_watch(GLib.IOChannel.unix_new(sys.stdin.fileno()), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, on_input)
Gtk.main()
