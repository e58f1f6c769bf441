// A fake camera of Chromium that films two type plates in turn, as a hand holds them before it: a file in place of the
// engine's own moving picture.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';

/** Size of the frames. */
export const FRAME = { width: 1280, height: 720 };

/** How long each plate is in the picture, in seconds, before the other one is. */
const SECONDS = 7;

/** Capitals are 29 pixels high then, a twenty-fifth of the picture. */
const FONT_SIZE = 40;

/** The corner and the size of a plate, in pixels. */
const PLATE = { x: 330, y: 170, width: 620, height: 380 };

/** A type plate. Their colours tell the tests which one is in the picture. */
export interface Plate {
  colour: string;
  serial: string;
}

export const YELLOW: Plate = { colour: '0xf2e69a', serial: '9023-1174-MB' };
export const WHITE: Plate = { colour: '0xe4e1d6', serial: '4711-0815-EH' };

/** The yellow plate and then the white one, again and again. */
export class FilmedPlates {
  private readonly folder = mkdtempSync(join(tmpdir(), 'filmed-plates-'));

  constructor() {
    const shown = [YELLOW, WHITE].map((plate, index) => `${draw(plate)}[plate${index}]`);
    // A hand isn't steady, and a sensor isn't free of noise.
    const filmed = `[plate0][plate1]concat=n=2,rotate=0.02*sin(2*t):c=0x59636b,noise=alls=8:allf=t,format=yuv420p`;
    execFileSync('ffmpeg', ['-v', 'error', '-filter_complex', [...shown, filmed].join(';'), this.file]);
  }

  /** The flag that lets Chromium show them as its camera. */
  get flag(): string {
    return `--use-file-for-fake-video-capture=${this.file}`;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  // Without compression, so that no codec but the browser's own has a part in what can be read.
  private get file(): string {
    return join(this.folder, 'plates.y4m');
  }
}

/** The plate that a video shows now. */
export async function readPlate(video: Locator): Promise<Plate> {
  const blue = await video.evaluate(
    (shown: HTMLVideoElement, { x, y, frame }) => {
      const canvas = document.createElement('canvas');
      const brush = canvas.getContext('2d')!;
      const scale = shown.videoWidth / frame.width;
      // Within the plate and above its lines, however the hand turns it.
      brush.drawImage(shown, scale * (x + 30), scale * (y + 22), 8, 8, 0, 0, 1, 1);
      return brush.getImageData(0, 0, 1, 1).data[2];
    },
    { ...PLATE, frame: FRAME },
  );
  return blue > 180 ? WHITE : YELLOW;
}

/** The source of frames, as a filter of ffmpeg. */
function draw({ colour, serial }: Plate): string {
  const lines = ['HALDER PUMPEN', 'Type KP 40-2', `S/N ${serial}`, '230 V  50 Hz  1.2 kW'];
  const { x, y, width, height } = PLATE;
  const texts = lines.map((line, index) => {
    const at = `x=${x + 60}:y=${y + 60 + 75 * index}`;
    return `drawtext=font=Sans:text='${line}':fontsize=${FONT_SIZE}:fontcolor=0x202020:${at}`;
  });
  const plate = `drawbox=x=${x}:y=${y}:w=${width}:h=${height}:color=${colour}:t=fill`;
  // Five frames a second keep the file below 100 MB.
  const wall = `color=c=0x59636b:s=${FRAME.width}x${FRAME.height}:r=5:d=${SECONDS}`;
  return [wall, plate, ...texts].join(',');
}
