"""Runs an agent with our tools, set up as the guide says: python agents_sdk.py SNIPPET PROMPT

SNIPPET is a file with the guide's Python, which defines `vidence`.
"""

import asyncio
import sys
from pathlib import Path

from agents import Agent, Runner

snippet, prompt = sys.argv[1:]

# The longest that our tools wait for a submission, in seconds.
MAX_WAIT_SECONDS = 45


async def main():
    names = {}
    exec(compile(Path(snippet).read_text(), snippet, "exec"), names)
    async with names["vidence"] as vidence:
        assert vidence.client_session_timeout_seconds > MAX_WAIT_SECONDS
        agent = Agent(name="agent", mcp_servers=[vidence])
        await Runner.run(agent, prompt)


asyncio.run(main())
