// A page with nothing but a camera, its preview and MediaRecorder: what a browser itself needs for a recording.
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

export interface BareRecorder {
  /** Stops recording, and waits until all of it is in the file. */
  stop(): Promise<void>;
}

/** Records as the recording page does in 1080p. Each piece is sent and forgotten; `file` is all of them. */
export async function recordBare(page: Page, file: string): Promise<BareRecorder> {
  const written = createWriteStream(file);
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') for await (const piece of request) written.write(piece);
    response.setHeader('content-type', 'text/html').end('<!doctype html><video autoplay muted playsinline></video>');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(async () => {
    const video = { width: 1920, height: 1080, frameRate: 30 };
    const audio = { noiseSuppression: false, echoCancellation: false };
    const stream = await navigator.mediaDevices.getUserMedia({ video, audio });
    document.querySelector('video')!.srcObject = stream;
    const mimeType = 'video/webm;codecs=vp8,opus';
    const bitrates = { videoBitsPerSecond: 5_000_000, audioBitsPerSecond: 96_000 };
    const recorder = new MediaRecorder(stream, { mimeType, ...bitrates, videoKeyFrameIntervalDuration: 1000 } as object);
    let sent: Promise<unknown> = Promise.resolve();
    recorder.ondataavailable = ({ data }) => {
      sent = sent.then(() => fetch('/', { method: 'POST', body: data }));
    };
    const stopped = new Promise((done) => (recorder.onstop = done));
    recorder.start(500);
    const stop = async () => {
      recorder.stop();
      await stopped;
      await sent;
    };
    Object.assign(window, { stop });
  });
  return {
    stop: async () => {
      await page.evaluate(() => (window as any).stop());
      await new Promise((done) => written.end(done));
      server.close();
    },
  };
}
