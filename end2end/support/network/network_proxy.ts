// A TCP proxy in front of the server, which limits, delays and cuts connections.
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import type { Vidence } from '../server/vidence.ts';

/** One megabit a second, in bytes. */
export const MEGABIT = 125_000;

/** One direction, whose rate all connections share. */
class Direction {
  /** Bytes a second. */
  rate = Infinity;
  private freeAt = 0;

  /** Waits for as long as this many bytes take at the rate. */
  async transfer(length: number): Promise<void> {
    if (this.rate === Infinity) return;
    this.freeAt = Math.max(this.freeAt, Date.now()) + (1000 * length) / this.rate;
    await new Promise((done) => setTimeout(done, this.freeAt - Date.now()));
  }

  /** The largest piece to transfer at once: a twentieth of a second, so that connections take turns. */
  get maxPiece(): number {
    return this.rate === Infinity ? Infinity : Math.max(1, Math.floor(this.rate / 20));
  }
}

export class NetworkProxy {
  /** From the browser to the server. */
  readonly up = new Direction();
  /** From the server to the browser. */
  readonly down = new Direction();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  /** Adds a delay in milliseconds each way. */
  constructor(
    private readonly vidence: Vidence,
    private readonly delay = 0,
  ) {
    this.server = createServer({ noDelay: true }, (near) => this.accept(near));
  }

  url(path: string): string {
    const url = new URL(path, this.vidence.url('/'));
    url.port = String(this.port);
    return url.href;
  }

  /** Limits both directions, in bytes a second. */
  limitRate(rate: number): void {
    this.up.rate = this.down.rate = rate;
  }

  /** Resets all connections and refuses new ones. */
  async cut(): Promise<void> {
    const refused = new Promise((done) => this.server.close(done));
    this.sockets.forEach((socket) => socket.resetAndDestroy());
    await refused;
  }

  /** Accepts connections, always at the same address. */
  async restore(): Promise<void> {
    await new Promise<void>((done) => this.server.listen(this.port, '127.0.0.1', done));
    this.port = (this.server.address() as AddressInfo).port;
  }

  private accept(near: Socket): void {
    const { hostname, port } = new URL(this.vidence.url('/'));
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      this.sockets.add(one);
      one.on('close', () => this.sockets.delete(one) && other.destroy());
      // A `close` event follows, which is handled.
      one.on('error', () => {});
    }
    this.forward(near, far, this.up);
    this.forward(far, near, this.down);
  }

  private forward(from: Socket, to: Socket, lane: Direction): void {
    let onTheWay = Promise.resolve();
    from.on('data', async (bytes) => {
      from.pause();
      for (let rest = bytes; rest.length > 0;) {
        const piece = rest.subarray(0, lane.maxPiece);
        rest = rest.subarray(piece.length);
        await lane.transfer(piece.length);
        const arrival = Date.now() + this.delay;
        onTheWay = onTheWay.then(() => waitUntil(arrival)).then(() => void to.write(piece));
      }
      from.resume();
    });
    from.on('end', () => onTheWay.then(() => to.end()));
  }
}

async function waitUntil(moment: number): Promise<void> {
  const left = moment - Date.now();
  if (left > 0) await new Promise((done) => setTimeout(done, left));
}
