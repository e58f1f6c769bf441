// Uploads with tus-js-client: node with-tus-js-client.js ENDPOINT FILE
// Prints the upload's URL.

import { createReadStream } from 'node:fs';

import { Upload } from 'tus-js-client';

const [endpoint, file] = process.argv.slice(2);

// In one request: `chunkSize` is unlimited by default.
const upload = new Upload(createReadStream(file), {
  endpoint,
  // tus-js-client restarts these after each attempt that made progress.
  retryDelays: [0, 100, 200, 400, 800, 1600],
  metadata: { filename: 'recording.webm', filetype: 'video/webm' },
  onSuccess: () => console.log(upload.url),
  onError: (error) => {
    throw error;
  },
});
upload.start();
