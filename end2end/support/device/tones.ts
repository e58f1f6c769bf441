// Listens to recordings: which tones they hold.
import { execFileSync } from 'node:child_process';

const RATE = 16_000;

/** The number of audio tracks in a video. */
export function countAudioTracks(video: Buffer): number {
  const entries = ['-select_streams', 'a', '-show_entries', 'stream=index', '-of', 'csv=p=0'];
  const listed = execFileSync('ffprobe', ['-v', 'error', ...entries, '-i', 'pipe:'], { input: video });
  return String(listed).split('\n').filter(Boolean).length;
}

/** How loud each tone is in the last second of a video, of these frequencies in Hz: 1 is full scale, noise is near 0. */
export function measureTones(video: Buffer, frequencies: number[]): number[] {
  const decoded = ['-map', '0:a:0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', 'pipe:'];
  const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:', ...decoded], { input: video, maxBuffer: 1 << 28 });
  const all = new Float32Array(raw.buffer, raw.byteOffset, raw.byteLength >> 2);
  const samples = all.subarray(-RATE);
  return frequencies.map((frequency) => {
    let [real, imaginary] = [0, 0];
    samples.forEach((sample, at) => {
      const angle = (2 * Math.PI * frequency * at) / RATE;
      real += sample * Math.cos(angle);
      imaginary += sample * Math.sin(angle);
    });
    return (2 * Math.hypot(real, imaginary)) / samples.length;
  });
}
