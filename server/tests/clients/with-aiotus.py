"""Uploads by aiotus: python with-aiotus.py ENDPOINT FILE

Prints the upload's URL.
"""

import asyncio
import logging
import sys

import aiohttp
import aiotus
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

endpoint, file = sys.argv[1:]


class Answer(aiohttp.ClientResponse):
    """Tells a whole URL where the server gives a path. A Location may be either (RFC 9110, section
    10.2.2), but aiotus 1.1.0 appends a path to the endpoint, which yarl refuses.
    """

    @property
    def headers(self):
        headers = CIMultiDict(super().headers)
        if "Location" in headers:
            headers["Location"] = str(self.url.join(URL(headers["Location"])))
        return CIMultiDictProxy(headers)


async def main():
    # All attempts of an upload count, also those that brought it forward.
    persistent = aiotus.RetryConfiguration(retry_attempts=200, max_retry_period_seconds=0.2)
    async with aiohttp.ClientSession(response_class=Answer) as session:
        with open(file, "rb") as film:
            return await aiotus.upload(endpoint, film, client_session=session, config=persistent)


# It doesn't raise: it logs what is wrong and returns nothing.
logging.basicConfig()
url = asyncio.run(main())
if url is None:
    sys.exit(1)
print(url)
