"""Uploads with aiotus: python with-aiotus.py ENDPOINT FILE

Prints the upload's URL.
"""

import asyncio
import logging
import sys

import aiotus

endpoint, file = sys.argv[1:]


async def main():
    # aiotus counts all attempts of an upload, even those that made progress.
    persistent = aiotus.RetryConfiguration(retry_attempts=200, max_retry_period_seconds=0.2)
    with open(file, "rb") as recording:
        return await aiotus.upload(endpoint, recording, config=persistent)


# aiotus doesn't raise: it logs errors and returns None.
logging.basicConfig()
url = asyncio.run(main())
if url is None:
    sys.exit(1)
print(url)
