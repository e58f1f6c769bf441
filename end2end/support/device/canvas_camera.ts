// Cameras whose frames a canvas delivers, in place of the engine's own. They change what the browser gives the page before
// the page's scripts run.
import type { InitScripts } from '../browser/tab.ts';

interface CanvasCamera {
  width: number;
  height: number;
  /** The side that it claims to be on. */
  facingMode?: string;
  /** The colours of the two halves of each frame. */
  colours: [string, string];
  /** Whether the second half is below the first one, instead of at its right. */
  isStacked?: boolean;
  /** Whether a line moves over the first half, which tells frames apart. */
  hasLine?: boolean;
}

/** The camera delivers black frames, as if covered. */
export const coverCamera = (page: InitScripts) => replaceByHalves(page, 'black', 'black');

/** Takes the cover off. Needs `coverCamera`. */
export const uncoverCamera = (page: { evaluate(run: () => void): Promise<unknown> }) =>
  page.evaluate(() => ((window as any).colours as string[]).fill('white'));

/** A front camera, whose frames have one colour on the left and another one on the right. */
export const replaceByFrontCamera = (page: InitScripts, left: string, right: string) =>
  replaceByHalves(page, left, right, 'user');

const replaceByHalves = (page: InitScripts, left: string, right: string, facingMode?: string) =>
  replaceByCanvas(page, { width: 640, height: 480, facingMode, colours: [left, right] });

/** A camera whose frames `turnCamera` turns. Upright they are red above and blue below; a line that moves tells them apart. */
export const replaceByTurningCamera = (page: InitScripts) =>
  replaceByCanvas(page, { width: 640, height: 360, colours: ['red', 'blue'], isStacked: true, hasLine: true });

/** Turns the frames of the camera from landscape to portrait, or back. Needs `replaceByTurningCamera`. */
export const turnCamera = (page: { evaluate(run: () => void): Promise<unknown> }) =>
  page.evaluate(() => {
    const canvas = (window as any).camera as HTMLCanvasElement;
    [canvas.width, canvas.height] = [canvas.height, canvas.width];
  });

const replaceByCanvas = (page: InitScripts, camera: CanvasCamera) => page.addInitScript(install, camera);

/** Runs in the page. */
function install({ width, height, facingMode, colours, isStacked, hasLine }: CanvasCamera): void {
  const paint = (canvas: HTMLCanvasElement, frame: number) => {
    const { width, height } = canvas;
    const brush = canvas.getContext('2d')!;
    for (const [half, colour] of colours.entries()) {
      brush.fillStyle = colour;
      // The second half covers the rest of the first one.
      if (isStacked) brush.fillRect(0, (half * height) / 2, width, height);
      else brush.fillRect((half * width) / 2, 0, width, height);
    }
    brush.fillStyle = 'white';
    if (hasLine) brush.fillRect((7 * frame) % width, 0, 7, height / 8);
  };
  const real = MediaDevices.prototype.getUserMedia;
  MediaDevices.prototype.getUserMedia = async function (constraints) {
    const stream = await real.call(this, constraints);
    for (const track of stream.getVideoTracks()) {
      stream.removeTrack(track);
      track.stop();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      Object.assign(window, { camera: canvas, colours });
      let frames = 0;
      // Firefox captures no canvas on which nothing was painted.
      paint(canvas, frames++);
      // A canvas that isn't painted delivers no frames.
      setInterval(() => paint(canvas, frames++), 100);
      const seen = canvas.captureStream(10).getVideoTracks()[0];
      const settings = seen.getSettings.bind(seen);
      if (facingMode) seen.getSettings = () => ({ ...settings(), facingMode });
      stream.addTrack(seen);
    }
    return stream;
  };
}
