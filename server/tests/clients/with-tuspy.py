"""Uploads by tuspy: python with-tuspy.py ENDPOINT FILE

Prints the upload's URL.
"""

import sys
import time

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

endpoint, file = sys.argv[1:]

uploader = TusClient(endpoint).uploader(
    file,
    # It reads a chunk into memory, and sends it on a connection of its own. Larger than what passes
    # before that is cut, so that chunks break in their middle.
    chunk_size=32 << 20,
    # For each chunk, in seconds between them. Each asks how much has arrived.
    retries=100,
    retry_delay=0.1,
)
# It retries chunks, and not the creation of an upload.
while uploader.url is None:
    try:
        uploader.set_url(uploader.create_url())
    except TusUploadFailed:
        raise
    except TusCommunicationError:
        time.sleep(0.1)
uploader.upload()
print(uploader.url)
