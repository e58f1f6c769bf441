// Cameras whose frames a canvas delivers, in place of the engine's own. They change what the browser gives the page before
// the page's scripts run.
import type { Page } from '@playwright/test';

interface CanvasCamera<D> {
  width: number;
  height: number;
  /** The side that it claims to be on. */
  facingMode?: string;
  /** Paints a frame. Runs in the page. */
  paint: (canvas: HTMLCanvasElement, frame: number, data: D) => void;
  /** What `paint` needs, passed as JSON. */
  data: D;
}

/** The camera delivers black frames, as if covered. */
export const coverCamera = (page: Page) => replaceByHalves(page, 'black', 'black');

/** A front camera, whose frames have one colour on the left and another one on the right. */
export const replaceByFrontCamera = (page: Page, left: string, right: string) =>
  replaceByHalves(page, left, right, 'user');

const replaceByHalves = (page: Page, left: string, right: string, facingMode?: string) =>
  replaceByCanvas(page, {
    width: 640,
    height: 480,
    facingMode,
    paint: (canvas, _, colours) => {
      const brush = canvas.getContext('2d')!;
      for (const [x, colour] of colours.entries()) {
        brush.fillStyle = colour;
        brush.fillRect(320 * x, 0, 320, 480);
      }
    },
    data: [left, right],
  });

/** A camera whose frames `turnCamera` turns. Upright they are red above and blue below; a line that moves tells them apart. */
export const replaceByTurningCamera = (page: Page) =>
  replaceByCanvas(page, {
    width: 640,
    height: 360,
    paint: (canvas, frame) => {
      (window as any).camera = canvas;
      const { width, height } = canvas;
      const brush = canvas.getContext('2d')!;
      brush.fillStyle = 'red';
      brush.fillRect(0, 0, width, height / 2);
      brush.fillStyle = 'blue';
      brush.fillRect(0, height / 2, width, height / 2);
      brush.fillStyle = 'white';
      brush.fillRect((7 * frame) % width, 0, 7, height / 8);
    },
    data: null,
  });

/** Turns the frames of the camera from landscape to portrait, or back. Needs `replaceByTurningCamera`. */
export const turnCamera = (page: Page) =>
  page.evaluate(() => {
    const canvas = (window as any).camera as HTMLCanvasElement;
    [canvas.width, canvas.height] = [canvas.height, canvas.width];
  });

const replaceByCanvas = <D>(page: Page, { paint, ...camera }: CanvasCamera<D>) =>
  page.addInitScript(`(${install})({ ...${JSON.stringify(camera)}, paint: ${paint} })`);

/** Runs in the page. */
function install<D>({ width, height, facingMode, paint, data }: CanvasCamera<D>): void {
  const real = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const stream = await real.call(this, constraints);
    for (const track of stream.getVideoTracks()) {
      stream.removeTrack(track);
      track.stop();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      let frames = 0;
      // A canvas that isn't painted delivers no frames.
      setInterval(() => paint(canvas, frames++, data), 100);
      const seen = canvas.captureStream(10).getVideoTracks()[0];
      const settings = seen.getSettings.bind(seen);
      if (facingMode) seen.getSettings = () => ({ ...settings(), facingMode });
      stream.addTrack(seen);
    }
    return stream;
  };
}
