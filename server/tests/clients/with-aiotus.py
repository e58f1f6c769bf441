"""Uploads by aiotus: python with-aiotus.py ENDPOINT FILE

Prints the upload's URL.
"""

import asyncio
import logging
import sys

import aiotus

endpoint, file = sys.argv[1:]


async def main():
    # All attempts of an upload count, also those that brought it forward.
    persistent = aiotus.RetryConfiguration(retry_attempts=200, max_retry_period_seconds=0.2)
    with open(file, "rb") as film:
        return await aiotus.upload(endpoint, film, config=persistent)


# It doesn't raise: it logs what is wrong and returns nothing.
logging.basicConfig()
url = asyncio.run(main())
if url is None:
    sys.exit(1)
print(url)
