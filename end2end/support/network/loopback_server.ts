// An HTTP server of a test, on a free port of this machine.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export abstract class LoopbackServer {
  private readonly server = createServer((asked, answer) => this.answer(asked, answer));

  protected abstract answer(asked: IncomingMessage, answer: ServerResponse): void;

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
}
