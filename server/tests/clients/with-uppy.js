// Uploads with Uppy in a browser: node with-uppy.js ENDPOINT FILE
// Prints the upload's URL.

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { withPage } from './browser.js';

const [endpoint, file] = process.argv.slice(2);

const bundle = await build({
  entryPoints: [fileURLToPath(new URL('uppy-page.js', import.meta.url))],
  bundle: true,
  format: 'esm',
  write: false,
});
const page = '<!doctype html><title>Uppy</title><script type="module" src="/page.js"></script>';

const site = createServer((request, response) => {
  if (request.url === '/recording') {
    pipeline(createReadStream(file), response, () => {});
  } else if (request.url === '/page.js') {
    response.setHeader('Content-Type', 'text/javascript').end(bundle.outputFiles[0].contents);
  } else {
    response.setHeader('Content-Type', 'text/html').end(page);
  }
});
site.listen(0, '127.0.0.1');
await once(site, 'listening');

const url = await withPage(async (page) => {
  page.on('console', (message) => console.error(message.text()));
  await page.goto(`http://127.0.0.1:${site.address().port}`);
  return page.evaluate((endpoint) => window.send(endpoint), endpoint);
});
console.log(url);
site.close();
