"""Uploads by draft-ietf-httpbis-resumable-upload with a plain HTTP client: python plain.py ENDPOINT FILE

Prints the upload's URL.
"""

import os
import sys
import time
from http.client import HTTPConnection, HTTPException
from urllib.parse import urljoin, urlsplit

endpoint, file = sys.argv[1:]


def send(method, url, headers, body=None):
    """Sends one request on a connection of its own. `None` if the connection broke."""
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


def send_with_retries(method, url, headers):
    """Sends a request until there is an answer."""
    while (answer := send(method, url, headers)) is None:
        time.sleep(0.1)
    assert answer.status in (201, 204), f"{method}: {answer.status}"
    return answer


with open(file, "rb") as recording:
    length = os.fstat(recording.fileno()).st_size
    created = send_with_retries(
        "POST",
        endpoint,
        {"Content-Type": "video/webm", "Upload-Complete": "?0", "Upload-Length": str(length)},
    )
    url = urljoin(endpoint, created.headers["Location"])
    status = created.headers
    while status["Upload-Complete"] != "?1":
        offset = int(status["Upload-Offset"])
        recording.seek(offset)
        append = {
            "Content-Type": "application/partial-upload",
            "Content-Length": str(length - offset),
            "Upload-Complete": "?1",
            "Upload-Offset": str(offset),
        }
        answer = send("PATCH", url, append, recording)
        if answer is not None and answer.status == 204:
            status = answer.headers
        else:
            status = send_with_retries("HEAD", url, {}).headers
print(url)
