// Listens to recordings: which tones they hold.
import { execFileSync } from 'node:child_process';

const RATE = 16_000;

/** The number of audio tracks in a video. */
export function countAudioTracks(video: Buffer): number {
  const entries = ['-select_streams', 'a', '-show_entries', 'stream=index', '-of', 'csv=p=0'];
  const listed = execFileSync('ffprobe', ['-v', 'error', ...entries, '-i', 'pipe:'], { input: video });
  return String(listed).split('\n').filter(Boolean).length;
}

/** A window holds whole periods of all multiples of 10 Hz, so that none is heard in another. */
const WINDOW = RATE / 10;

/**
 * How loud each tone is in most of the last second of a video, of these multiples of 10 Hz: 1 is full scale, noise is
 * near 0. A busy machine may skip some milliseconds of sound, after which a tone has another phase.
 */
export function measureTones(video: Buffer, frequencies: number[]): number[] {
  const decoded = ['-map', '0:a:0', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', 'pipe:'];
  const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', 'pipe:', ...decoded], { input: video, maxBuffer: 1 << 28 });
  const all = new Float32Array(raw.buffer, raw.byteOffset, raw.byteLength >> 2);
  const last = all.subarray(-RATE);
  const windows = Array.from({ length: RATE / WINDOW }, (_, index) => last.subarray(index * WINDOW).subarray(0, WINDOW));
  return frequencies.map((frequency) => {
    const loudness = windows.map((window) => measureTone(window, frequency)).sort((one, other) => one - other);
    return loudness[windows.length / 2]!;
  });
}

function measureTone(samples: Float32Array, frequency: number): number {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, at) => {
    const angle = (2 * Math.PI * frequency * at) / RATE;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
  });
  return (2 * Math.hypot(real, imaginary)) / samples.length;
}
