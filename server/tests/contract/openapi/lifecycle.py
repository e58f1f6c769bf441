"""The request lifecycle with the client of openapi-python-client: python lifecycle.py FOLDER BASE RECORDING

FOLDER holds the package `vidence`. The agent uses the package alone; the person who records uses the link
alone.
"""

import sys
from http import HTTPStatus
from pathlib import Path
from threading import Thread

import httpx

folder, base, recording = sys.argv[1:]
sys.path.insert(0, folder)

from vidence import AuthenticatedClient, Client
from vidence.api.requests import create_request, delete_request, get_request
from vidence.api.videos import stream_video
from vidence.models import CreateRequest, CreatedRequest, Error, Request, RequestStatus

recording = Path(recording).read_bytes()


def submit_recording(link):
    """Uploads and submits a recording."""
    take = httpx.post(f"{link}/takes", content=recording, headers={"Content-Type": "video/webm"})
    take.raise_for_status()
    take = take.headers["Location"].rpartition("/")[2]
    httpx.post(f"{link}/submission", json={"take": take}, timeout=60).raise_for_status()


def assert_refused(answer, status, code):
    assert answer.status_code == status, answer
    assert isinstance(answer.parsed, Error), answer
    assert answer.parsed.error.code == code, answer
    assert answer.parsed.error.message, answer


def create(hours=1):
    body = CreateRequest(prompt="Show the dent.", expires_in_hours=hours)
    return create_request.sync_detailed(client=Client(base), body=body)


assert_refused(create(hours=72), HTTPStatus.BAD_REQUEST, "bad_request")
created, other = create().parsed, create().parsed
assert isinstance(created, CreatedRequest) and isinstance(other, CreatedRequest)
assert created.status == RequestStatus.AWAITING_SUBMISSION
# Longer than the long poll below.
client = AuthenticatedClient(base, created.access_token, timeout=httpx.Timeout(60))

request = get_request.sync(created.id, client=client)
assert isinstance(request, Request)
assert request.status == RequestStatus.AWAITING_SUBMISSION and not request.video
assert request.expires_at == created.expires_at

sending = Thread(target=submit_recording, args=[created.submission_url])
sending.start()
request = get_request.sync(created.id, client=client, prefer="wait=50")
sending.join()
assert request.status == RequestStatus.SUBMITTED
video = request.video
assert video.url == f"{base}/v1/videos/{video.id}"
assert video.expires_at == created.expires_at

whole = stream_video.sync(video.id, client=client).payload.read()
# The server puts an index in front of a live recording.
assert whole.endswith(recording)
part = stream_video.sync_detailed(video.id, client=client, range_="bytes=100-199")
assert part.status_code == HTTPStatus.PARTIAL_CONTENT
assert part.headers["Content-Range"] == f"bytes 100-199/{len(whole)}"
assert part.parsed.payload.read() == whole[100:200]
same = stream_video.sync_detailed(video.id, client=client, if_none_match=part.headers["ETag"])
assert same.status_code == HTTPStatus.NOT_MODIFIED and not same.content
behind = stream_video.sync_detailed(video.id, client=client, range_=f"bytes={len(whole)}-")
assert_refused(behind, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, "range_not_satisfiable")

assert_refused(get_request.sync_detailed(other.id, client=client), HTTPStatus.FORBIDDEN, "forbidden")
forger = AuthenticatedClient(base, "vidence_forged")
assert_refused(get_request.sync_detailed(created.id, client=forger), HTTPStatus.UNAUTHORIZED, "unauthorized")

deleted = delete_request.sync_detailed(created.id, client=client)
assert deleted.status_code == HTTPStatus.NO_CONTENT
for answer in (
    get_request.sync_detailed(created.id, client=client),
    delete_request.sync_detailed(created.id, client=client),
    stream_video.sync_detailed(video.id, client=client),
):
    assert_refused(answer, HTTPStatus.NOT_FOUND, "not_found")
