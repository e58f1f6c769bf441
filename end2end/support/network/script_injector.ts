// An HTTP proxy in front of the server, whose pages run scripts of the tests before their own. WebDriver has no way to do that.
import { type IncomingMessage, type ServerResponse, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { InitScripts } from '../browser/tab.ts';
import type { Vidence } from '../server/vidence.ts';
import { LoopbackServer } from './loopback_server.ts';

/** The path of the scripts: the pages' policy allows files of their own origin, and nothing inline. */
const SCRIPTS = '/scripts-of-the-test.js';

export class ScriptInjector extends LoopbackServer implements InitScripts {
  private readonly scripts: string[] = [];

  constructor(private readonly vidence: Vidence) {
    super();
  }

  async addInitScript(run: (argument: any) => void, argument?: unknown): Promise<void> {
    this.scripts.push(`(${run})(${JSON.stringify(argument)});`);
  }

  protected answer(asked: IncomingMessage, answer: ServerResponse): void {
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
