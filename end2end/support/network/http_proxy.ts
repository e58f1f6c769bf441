// An HTTP proxy in front of the server, which logs the requests and can hold back a video.
import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { type Vidence, test } from '../server/vidence.ts';
import { LoopbackServer } from './loopback_server.ts';

export interface LoggedRequest {
  method: string;
  url: string;
  authorization?: string;
  range?: string;
  at: number;
}

export class HttpProxy extends LoopbackServer {
  readonly requests: LoggedRequest[] = [];
  private resumeHeldBack?: () => void;

  /** Holds the next video response back after this many bytes, until another part is requested. */
  holdBackAfterBytes = Infinity;

  constructor(private readonly vidence: Vidence) {
    super();
  }

  /** The logged requests for bytes of a video. */
  videoRequests(): LoggedRequest[] {
    return this.requests.filter((it) => it.url.startsWith('/v1/videos/'));
  }

  protected answer(asked: IncomingMessage, answer: ServerResponse): void {
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

/** A test whose page may be opened through the proxy. */
export const testWithHttpProxy = test.extend<{ httpProxy: HttpProxy }>({
  httpProxy: async ({ vidence }, use) => {
    const proxy = new HttpProxy(vidence);
    await proxy.start();
    await use(proxy);
    proxy.stop();
  },
});
