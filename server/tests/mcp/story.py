"""The whole story, told with the Python client: python story.py URL MODE VERSION NODE

MODE is how the client finds out what the server speaks, VERSION what is to come of it, NODE runs the human.
The agent knows nothing but what the tools say; the human knows nothing but the link.
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

# How long it leaves the server alone between two questions, in seconds.
PACE = 0.1

# Enough for any human here, and far too few for a server that doesn't wait.
PIECES = 4

# As a picture begins: ISO/IEC 10918-1, annex B.
JPEG = b"\xff\xd8\xff"


async def human(link):
    """Records, and submits."""
    script = Path(__file__).with_name("human.js")
    running = await asyncio.create_subprocess_exec(node, script, link)
    assert await running.wait() == 0


def blocks(answer, kind):
    return [block for block in answer.content if isinstance(block, kind)]


def succeeded(answer):
    """What its first text says, which is also what it says in a form for programs if it has one."""
    assert not answer.is_error, answer.content
    text, *_ = blocks(answer, TextContent)
    said = json.loads(text.text)
    assert answer.structured_content in (None, said)
    assert said["next_step"]
    return said


def failed(answer, code):
    """A failure says so in its text: its form isn't the one that the tool's schema promises."""
    assert answer.is_error
    said = json.loads(blocks(answer, TextContent)[0].text)
    assert said["error"]["code"] == code
    assert said["error"]["message"] and said["next_step"]


def link_to(video, answer):
    """The link to the video, of which there is one."""
    (link,) = blocks(answer, ResourceLink)
    assert link.mime_type == video["media_type"]
    assert link.size == video["bytes"]
    return link.uri


def fetched(uri, token, **headers):
    request = Request(uri, headers={"Authorization": f"Bearer {token}", **headers})
    with urlopen(request, timeout=60) as answer:
        return answer.read()


def link_alone(answer, token):
    content = succeeded(answer)
    assert content["delivered"]["as"] == "link"
    assert not blocks(answer, EmbeddedResource)
    link = link_to(content["video"], answer)
    assert len(fetched(link, token, Range="bytes=0-99")) == 100


def everything(answer, token, expires_at):
    """What is asked for by default: facts, pictures, and the video itself."""
    content = succeeded(answer)
    video, stills = content["video"], content["stills"]
    assert content["delivered"]["as"] == "inline"
    assert content["expires_at"] == expires_at
    assert video["duration_ms"] > 1000 and video["width"] and video["height"]
    assert video["has_audio"] is True
    assert "third party" in content["notice"]

    (embedded,) = blocks(answer, EmbeddedResource)
    assert embedded.resource.uri == link_to(video, answer)
    assert embedded.resource.mime_type == video["media_type"]
    film = b64decode(embedded.resource.blob, validate=True)
    assert len(film) == video["bytes"]
    assert sha256(film).hexdigest() == video["sha256"]
    assert fetched(link_to(video, answer), token) == film

    assert stills["status"] == "ready"
    images = blocks(answer, ImageContent)
    assert images
    for image, at_ms in zip(images, stills["at_ms"], strict=True):
        picture = b64decode(image.data, validate=True)
        assert image.mime_type == "image/jpeg"
        assert picture.startswith(JPEG)
        url = stills["stills_url"].replace("{at_ms}", str(at_ms))
        assert fetched(url, token) == picture


async def submitted(get):
    """Waits as agents are told to: in pieces, for which the server holds back its answer."""
    for _ in range(PIECES):
        status = succeeded(await get(wait_seconds=45, delivery="link"))["status"]
        if status != "awaiting_submission":
            assert status == "submitted"
            return
    raise AssertionError("nobody submitted, or the server did not wait")


async def tell(client):
    assert client.protocol_version == version
    assert client.server_info.name == "vidence"
    # It checks what each tool answers by the schema that it reads here.
    tools = [tool.name for tool in (await client.list_tools()).tools]
    assert sorted(tools) == ["delete_video_request", "get_video_evidence", "request_video_evidence"]

    wish = {"prompt": "Show the dent.", "expires_in_hours": 1}
    created = succeeded(await client.call_tool("request_video_evidence", wish))
    assert created["status"] == "awaiting_submission"
    token = created["access_token"]
    grant = {"request_id": created["request_id"], "access_token": token}

    def get(**wishes):
        return client.call_tool("get_video_evidence", {**grant, **wishes})

    early = succeeded(await get())
    assert early["status"] == "awaiting_submission"
    assert early["poll_after_seconds"] > 0
    assert "video" not in early

    await asyncio.gather(submitted(get), human(created["submission_url"]))

    answer = await get(delivery="link")
    while succeeded(answer)["stills"]["status"] == "pending":
        await asyncio.sleep(PACE)
        answer = await get(delivery="link")
    await asyncio.to_thread(link_alone, answer, token)
    await asyncio.to_thread(everything, await get(), token, created["expires_at"])

    for _ in range(2):
        deleted = succeeded(await client.call_tool("delete_video_request", grant))
        assert deleted["request_id"] == created["request_id"]
        assert deleted["deleted"] is True
    failed(await get(), "not_found")


async def main():
    async with Client(url, mode=mode) as client:
        await tell(client)


asyncio.run(main())
