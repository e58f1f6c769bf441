// What stands between the browser and the server, and remembers all that goes by.
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Vidence } from './vidence.ts';

export interface Heard {
  method: string;
  url: string;
  authorization?: string;
  range?: string;
  at: number;
}

export class Wire {
  readonly heard: Heard[] = [];
  private readonly server: Server;
  private held?: () => void;

  /** After so many bytes the first answer with a video is held back until somebody asks for another part. */
  holdsBackAfter = Infinity;

  constructor(private readonly vidence: Vidence) {
    this.server = createServer((asked, answer) => this.pass(asked, answer));
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests for the bytes of a video. */
  videos(): Heard[] {
    return this.heard.filter((it) => it.url.startsWith('/v1/videos/'));
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url = '', headers } = asked;
    this.heard.push({ method, url, authorization: headers.authorization, range: headers.range, at: Date.now() });
    const isVideo = url.startsWith('/v1/videos/');
    if (isVideo) {
      this.held?.();
      this.held = undefined;
    }
    const onward = request(this.vidence.url(url), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      let left = isVideo ? this.holdsBackAfter : Infinity;
      this.holdsBackAfter = isVideo ? Infinity : this.holdsBackAfter;
      answered.on('data', (bytes: Buffer) => {
        const now = bytes.subarray(0, left);
        const rest = bytes.subarray(now.length);
        left -= now.length;
        answer.write(now);
        if (left <= 0) {
          answered.pause();
          left = Infinity;
          this.held = () => {
            answer.write(rest);
            answered.resume();
          };
        }
      });
      answered.on('end', () => answer.end());
      answered.on('error', () => answer.destroy());
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  }
}
