// Videos that no browser recorded.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15:duration=3'];
const TONE = ['-f', 'lavfi', '-i', 'sine=duration=3'];

/** A QuickTime file as a phone writes it, with a location if one is given. */
export function phoneVideo(place?: string, codec = 'libx264'): Buffer {
  const coded = ['-c:v', codec, '-pix_fmt', 'yuv420p', ...(place ? ['-metadata', `location=${place}`] : [])];
  return encode('mov', ...PICTURE, ...coded);
}

/** A video in the container with this extension. */
export const videoIn = (extension: string): Buffer => encode(extension, ...PICTURE, '-c:v', 'libx264', '-pix_fmt', 'yuv420p');

/** A video as an iPhone writes it by default: HEVC in 10 bits, with the colours of HDR (HLG), and sound. */
export function hdrVideo(): Buffer {
  const colours = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'];
  const coded = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p10le'];
  return encode('mov', ...PICTURE, ...TONE, ...coded, ...colours, '-c:a', 'aac', '-shortest');
}

function encode(extension: string, ...options: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'phone-video-'));
  const file = join(folder, `video.${extension}`);
  execFileSync('ffmpeg', ['-v', 'error', ...options, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}
