// Reads the text of a picture with Tesseract, which knows nothing of what should be there.
import { execFileSync } from 'node:child_process';
import { requireEnv } from './required_env.ts';

/** Text anywhere in a picture, instead of a page with columns. */
const SPARSE_TEXT = '11';

/** A test that makes one is skipped where there is no Tesseract, and fails in CI. */
export class TextReader {
  private readonly program = requireEnv('VIDENCE_TESSERACT');

  /** The text that it finds in a JPEG. */
  read(jpeg: Buffer): string {
    return execFileSync(this.program, ['stdin', 'stdout', '-l', 'eng', '--psm', SPARSE_TEXT], {
      input: jpeg,
      encoding: 'utf8',
      // Its threads wait for each other actively, beside a server and a browser.
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      // It tells resolutions that it guesses.
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  }
}
