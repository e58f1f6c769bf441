"""The request lifecycle with the Python client: python lifecycle.py URL MODE VERSION NODE

MODE is how the client negotiates the protocol version, VERSION the expected result, NODE the interpreter for
`user.js`. The agent uses the tools alone; the person who records uses the link alone.
"""

import asyncio
import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from urllib.request import Request, urlopen

from mcp import Client
from mcp.types import EmbeddedResource, ImageContent, ResourceLink, TextContent

url, mode, version, node = sys.argv[1:]

# Pause between two polls in seconds.
POLL_INTERVAL = 0.1

# Long polls until a submission: enough for a recording, and too few for a server that doesn't wait.
MAX_LONG_POLLS = 4

# Start of a JPEG: ISO/IEC 10918-1, annex B.
JPEG = b"\xff\xd8\xff"


async def record_as_user(link):
    """Runs the person who records."""
    script = Path(__file__).with_name("user.js")
    running = await asyncio.create_subprocess_exec(node, script, link)
    assert await running.wait() == 0


def blocks(answer, kind):
    return [block for block in answer.content if isinstance(block, kind)]


def success_json(answer):
    """The JSON of the first text, which must equal the structured content if there is any."""
    assert not answer.is_error, answer.content
    text, *_ = blocks(answer, TextContent)
    content = json.loads(text.text)
    assert answer.structured_content in (None, content)
    assert content["next_step"]
    return content


def assert_error(answer, code):
    """An error is JSON in the text alone: the output schema describes successes."""
    assert answer.is_error
    content = json.loads(blocks(answer, TextContent)[0].text)
    assert content["error"]["code"] == code
    assert content["error"]["message"] and content["next_step"]


def link_to(video, answer):
    """The only link to the video."""
    (link,) = blocks(answer, ResourceLink)
    assert link.mime_type == video["media_type"]
    assert link.size == video["bytes"]
    return link.uri


def fetch_bytes(uri, token, **headers):
    request = Request(uri, headers={"Authorization": f"Bearer {token}", **headers})
    with urlopen(request, timeout=60) as answer:
        return answer.read()


def assert_link_delivery(answer, token):
    content = success_json(answer)
    assert content["delivered"]["as"] == "link"
    assert not blocks(answer, EmbeddedResource)
    link = link_to(content["video"], answer)
    assert len(fetch_bytes(link, token, Range="bytes=0-99")) == 100


def assert_inline_delivery(answer, token, expires_at):
    """The default delivery: metadata, stills, and the video itself."""
    content = success_json(answer)
    video, stills = content["video"], content["stills"]
    assert content["delivered"]["as"] == "inline"
    assert content["expires_at"] == expires_at
    assert video["duration_ms"] > 1000 and video["width"] and video["height"]
    assert video["has_audio"] is True
    assert "third party" in content["notice"]

    (embedded,) = blocks(answer, EmbeddedResource)
    assert embedded.resource.uri == link_to(video, answer)
    assert embedded.resource.mime_type == video["media_type"]
    recording = b64decode(embedded.resource.blob, validate=True)
    assert len(recording) == video["bytes"]
    assert sha256(recording).hexdigest() == video["sha256"]
    assert fetch_bytes(link_to(video, answer), token) == recording

    assert stills["status"] == "ready"
    images = blocks(answer, ImageContent)
    assert images
    for image, at_ms in zip(images, stills["at_ms"], strict=True):
        picture = b64decode(image.data, validate=True)
        assert image.mime_type == "image/jpeg"
        assert picture.startswith(JPEG)
        url = stills["stills_url"].replace("{at_ms}", str(at_ms))
        assert fetch_bytes(url, token) == picture


async def wait_for_submission(get):
    """Long-polls until the submission."""
    for _ in range(MAX_LONG_POLLS):
        status = success_json(await get(wait_seconds=45, delivery="link"))["status"]
        if status != "awaiting_submission":
            assert status == "submitted"
            return
    raise AssertionError("no submission, or the server did not wait")


async def run_lifecycle(client):
    assert client.protocol_version == version
    assert client.server_info.name == "vidence"
    # The client validates each result against the schemas that it reads here.
    tools = [tool.name for tool in (await client.list_tools()).tools]
    assert sorted(tools) == ["delete_video_request", "get_video_evidence", "request_video_evidence"]

    body = {"prompt": "Show the dent.", "expires_in_hours": 1}
    created = success_json(await client.call_tool("request_video_evidence", body))
    assert created["status"] == "awaiting_submission"
    token = created["access_token"]
    credentials = {"request_id": created["request_id"], "access_token": token}

    def get(**options):
        return client.call_tool("get_video_evidence", {**credentials, **options})

    early = success_json(await get())
    assert early["status"] == "awaiting_submission"
    assert early["poll_after_seconds"] > 0
    assert "video" not in early

    await asyncio.gather(wait_for_submission(get), record_as_user(created["submission_url"]))

    answer = await get(delivery="link")
    while success_json(answer)["stills"]["status"] == "pending":
        await asyncio.sleep(POLL_INTERVAL)
        answer = await get(delivery="link")
    await asyncio.to_thread(assert_link_delivery, answer, token)
    await asyncio.to_thread(assert_inline_delivery, await get(), token, created["expires_at"])

    for _ in range(2):
        deleted = success_json(await client.call_tool("delete_video_request", credentials))
        assert deleted["request_id"] == created["request_id"]
        assert deleted["deleted"] is True
    assert_error(await get(), "not_found")


async def main():
    async with Client(url, mode=mode) as client:
        await run_lifecycle(client)


asyncio.run(main())
