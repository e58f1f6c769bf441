// An HTTP proxy in front of the server, whose pages run scripts of the tests before their own. WebDriver has no way to do that.
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { InitScripts } from '../browser/tab.ts';
import type { Vidence } from '../server/vidence.ts';

/** The path of the scripts: the pages' policy allows files of their own origin, and nothing inline. */
const SCRIPTS = '/scripts-of-the-test.js';

export class ScriptInjector implements InitScripts {
  private readonly scripts: string[] = [];
  private readonly server = createServer((asked, answer) => this.answer(asked, answer));

  constructor(private readonly vidence: Vidence) {}

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

  async addInitScript(run: (argument: any) => void, argument?: unknown): Promise<void> {
    this.scripts.push(`(${run})(${JSON.stringify(argument)});`);
  }

  private answer(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url = '' } = asked;
    if (url === SCRIPTS) {
      answer.setHeader('Content-Type', 'text/javascript');
      answer.end(this.scripts.join('\n'));
      return;
    }
    const headers = { ...asked.headers };
    // A compressed page would have to be unpacked.
    if (headers.accept?.includes('text/html')) delete headers['accept-encoding'];
    const onward = request(this.vidence.url(url), { method, headers }, async (answered) => {
      const isPage = answered.headers['content-type']?.startsWith('text/html');
      if (!isPage) {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.on('error', () => answer.destroy());
        answered.pipe(answer);
        return;
      }
      const { 'content-length': _, ...others } = answered.headers;
      try {
        const page = await text(answered);
        answer.writeHead(answered.statusCode!, others);
        answer.end(page.replace('<head>', `<head><script src="${SCRIPTS}"></script>`));
      } catch {
        answer.destroy();
      }
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  }
}
