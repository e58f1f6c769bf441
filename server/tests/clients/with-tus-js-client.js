// Uploads by tus-js-client: node with-tus-js-client.js ENDPOINT FILE
// Prints the upload's URL.

import { createReadStream } from 'node:fs';

import { Upload } from 'tus-js-client';

const [endpoint, file] = process.argv.slice(2);

// In one request as long as that lasts: no `chunkSize`, which is its default.
const upload = new Upload(createReadStream(file), {
  endpoint,
  // Begun anew after each attempt that brought the upload forward.
  retryDelays: [0, 100, 200, 400, 800, 1600],
  metadata: { filename: 'film.webm', filetype: 'video/webm' },
  onSuccess: () => console.log(upload.url),
  onError: (error) => {
    throw error;
  },
});
upload.start();
