"""Uploads with tuspy: python with-tuspy.py ENDPOINT FILE

Prints the upload's URL.
"""

import sys
import time

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

endpoint, file = sys.argv[1:]

uploader = TusClient(endpoint).uploader(
    file,
    # tuspy sends each chunk on a connection of its own. A chunk is larger than what passes before the connection is
    # cut, so that chunks break in the middle.
    chunk_size=32 << 20,
    # For each chunk, with the delay in seconds. Each attempt asks for the offset first.
    retries=100,
    retry_delay=0.1,
)
# tuspy retries chunks, but not the creation of an upload.
while uploader.url is None:
    try:
        uploader.set_url(uploader.create_url())
    except TusUploadFailed:
        raise
    except TusCommunicationError:
        time.sleep(0.1)
uploader.upload()
print(uploader.url)
