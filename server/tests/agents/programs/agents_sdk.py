"""An agent that has our tools by what the guide says: python agents_sdk.py GUIDE PROMPT

GUIDE is the address of the guide as Markdown. Its block of Python, which makes the object `vidence`, is run as it is.
"""

import asyncio
import re
import sys
from urllib.request import urlopen

from agents import Agent, Runner

guide, prompt = sys.argv[1:]

# The longest that our tools wait for a person, in seconds.
LONGEST_WAIT = 45


def snippet():
    with urlopen(guide, timeout=60) as answer:
        text = answer.read().decode()
    (block,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return block


async def main():
    names = {}
    exec(compile(snippet(), guide, "exec"), names)
    async with names["vidence"] as vidence:
        assert vidence.client_session_timeout_seconds > LONGEST_WAIT
        agent = Agent(name="agent", mcp_servers=[vidence])
        await Runner.run(agent, prompt)


asyncio.run(main())
