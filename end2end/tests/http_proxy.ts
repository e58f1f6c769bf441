// What stands between the browser and the server, and remembers all that goes by.
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Vidence } from './vidence.ts';

export interface LoggedRequest {
  method: string;
  url: string;
  authorization?: string;
  range?: string;
  at: number;
}

export class HttpProxy {
  readonly requests: LoggedRequest[] = [];
  private readonly server: Server;
  private resumeHeldBack?: () => void;

  /** After so many bytes the first answer with a video is held back until somebody asks for another part. */
  holdBackAfterBytes = Infinity;

  constructor(private readonly vidence: Vidence) {
    this.server = createServer((asked, answer) => this.forward(asked, answer));
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests for the bytes of a video. */
  videoRequests(): LoggedRequest[] {
    return this.requests.filter((it) => it.url.startsWith('/v1/videos/'));
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url = '', headers } = asked;
    this.requests.push({ method, url, authorization: headers.authorization, range: headers.range, at: Date.now() });
    const isVideo = url.startsWith('/v1/videos/');
    if (isVideo) {
      this.resumeHeldBack?.();
      this.resumeHeldBack = undefined;
    }
    const onward = request(this.vidence.url(url), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers);
      let left = isVideo ? this.holdBackAfterBytes : Infinity;
      this.holdBackAfterBytes = isVideo ? Infinity : this.holdBackAfterBytes;
      answered.on('data', (bytes: Buffer) => {
        const now = bytes.subarray(0, left);
        const rest = bytes.subarray(now.length);
        left -= now.length;
        answer.write(now);
        if (left <= 0) {
          answered.pause();
          left = Infinity;
          this.resumeHeldBack = () => {
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
