"""Uploads by draft-ietf-httpbis-resumable-upload, with nothing but an HTTP client that knows nothing of
it: python plain.py ENDPOINT FILE

Prints the upload's URL.
"""

import os
import sys
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urljoin, urlsplit

endpoint, file = sys.argv[1:]


def ask(method, url, headers, body=None):
    """One request on a connection of its own. `None`: it broke, and nobody knows how far it came."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=30)
    try:
        connection.request(method, parts.path, body, headers)
        answer = connection.getresponse()
        answer.read()
        return answer
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


def insist(method, url, headers):
    """One request, until it is answered."""
    while (answer := ask(method, url, headers)) is None:
        time.sleep(0.1)
    assert answer.status in (201, 204), f"{method}: {answer.status}"
    return answer


with open(file, "rb") as film:
    length = os.fstat(film.fileno()).st_size
    created = insist(
        "POST",
        endpoint,
        {"Content-Type": "video/webm", "Upload-Complete": "?0", "Upload-Length": str(length)},
    )
    url = urljoin(endpoint, created.headers["Location"])
    standing = created.headers
    while standing["Upload-Complete"] != "?1":
        offset = int(standing["Upload-Offset"])
        film.seek(offset)
        append = {
            "Content-Type": "application/partial-upload",
            "Content-Length": str(length - offset),
            "Upload-Complete": "?1",
            "Upload-Offset": str(offset),
        }
        answer = ask("PATCH", url, append, film)
        if answer is not None and answer.status == 204:
            standing = answer.headers
        else:
            standing = insist("HEAD", url, {}).headers
print(url)
