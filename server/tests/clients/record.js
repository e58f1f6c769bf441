// Records a video: node record.js FILE BYTES

import { open } from 'node:fs/promises';

import { withPage } from './browser.js';
import { lengthened } from './webm.js';

const [file, bytes] = process.argv.slice(2);

/** Runs in the page: records a canvas until there are `minBytes` bytes, and returns them in base64. */
async function recordCanvas(minBytes) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 640, height: 480 });
  const context = canvas.getContext('2d');
  const noise = new ImageData(128, 128);
  const draw = () => {
    // Incompressible noise.
    crypto.getRandomValues(new Uint8Array(noise.data.buffer));
    for (let left = 0; left < canvas.width; left += noise.width) {
      context.putImageData(noise, left, (left / 4 + performance.now() / 10) % canvas.height);
    }
    requestAnimationFrame(draw);
  };
  draw();

  const recorder = new MediaRecorder(canvas.captureStream(30), {
    mimeType: 'video/webm;codecs=vp8',
    videoBitsPerSecond: 20_000_000,
  });
  const pieces = [];
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.ondataavailable = ({ data }) => {
    pieces.push(data);
    const bytes = pieces.reduce((sum, piece) => sum + piece.size, 0);
    if (bytes >= minBytes && recorder.state === 'recording') {
      recorder.stop();
    }
  };
  recorder.start(100);
  await stopped;

  const reader = new FileReader();
  const read = new Promise((resolve) => (reader.onload = resolve));
  reader.readAsDataURL(new Blob(pieces));
  await read;
  return reader.result.slice(reader.result.indexOf(',') + 1);
}

const recording = Buffer.from(await withPage((page) => page.evaluate(recordCanvas, 3_000_000)), 'base64');
const handle = await open(file, 'wx');
for (const piece of lengthened(recording, Number(bytes))) {
  await handle.writeFile(piece);
}
await handle.close();
