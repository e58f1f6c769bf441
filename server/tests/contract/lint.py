"""Runs httplint on dumped HTTP exchanges: python lint.py FOLDER

FOLDER holds pairs NAME.request and NAME.response with the bytes on the wire. Prints a line
`NAME<TAB>NOTE<TAB>SUMMARY` for each warning or error.
"""

import sys
from contextlib import redirect_stdout
from pathlib import Path

from httplint import HttpRequestLinter, HttpResponseLinter
from httplint.note import levels


def parse_message(file):
    """Start line, fields, content."""
    head, _, content = file.read_bytes().partition(b"\r\n\r\n")
    start, *fields = head.split(b"\r\n")
    fields = [tuple(field.split(b":", 1)) for field in fields]
    return start, [(name, value.strip()) for name, value in fields], content


def dechunk(body):
    whole = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        size = int(size, 16)
        whole, body = whole + body[:size], body[size + 2 :]
    return whole


def notes(name, folder):
    start, fields, content = parse_message(folder / f"{name}.request")
    method, target, version = start.split()
    request = HttpRequestLinter()
    request.process_request_topline(method, b"http://" + dict(fields)[b"Host"] + target, version[5:])
    request.process_headers(fields)
    request.feed_content(content)
    request.finish_content(True)

    start, fields, content = parse_message(folder / f"{name}.response")
    version, status, phrase = start.split(b" ", 2)
    response = HttpResponseLinter()
    response.request = request
    response.is_head_response = method == b"HEAD"
    response.process_response_topline(version[5:], status, phrase)
    response.process_headers(fields)
    if (b"transfer-encoding", b"chunked") in fields:
        content = dechunk(content)
    response.feed_content(content)
    response.finish_content(True)
    for note in response.notes:
        yield note
        yield from note.subnotes


folder = Path(sys.argv[1])
for name in sorted(file.stem for file in folder.glob("*.response")):
    # httplint's content detection prints to stdout.
    with redirect_stdout(sys.stderr):
        found = list(notes(name, folder))
    for note in found:
        if note.level in (levels.BAD, levels.WARN):
            print(name, type(note).__name__, note.summary, sep="\t")
