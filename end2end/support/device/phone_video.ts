// Videos that no browser recorded.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A QuickTime file as a phone writes it, with a location if one is given. */
export function phoneVideo(place?: string, codec = 'libx264'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'phone-video-'));
  const file = join(folder, 'video.mov');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=15:duration=3'];
  const coded = ['-c:v', codec, '-pix_fmt', 'yuv420p', ...(place ? ['-metadata', `location=${place}`] : [])];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coded, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}
