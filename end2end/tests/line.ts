// The network between a browser and the server: as slow, as long and as broken as a test wants it.
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import type { Vidence } from './vidence.ts';

/** One megabit a second, in bytes. */
export const MEGABIT = 125_000;

/** One direction, shared by all connections as a cable is. */
class Lane {
  /** Bytes a second. */
  rate = Infinity;
  /** Bytes that went through. */
  carried = 0;
  private free = 0;

  /** Ends when the line has taken these bytes. */
  async take(length: number): Promise<void> {
    this.carried += length;
    if (this.rate === Infinity) return;
    this.free = Math.max(this.free, Date.now()) + (1000 * length) / this.rate;
    await new Promise((done) => setTimeout(done, this.free - Date.now()));
  }

  /** What is taken at once: a twentieth of a second, so that connections get their turns. */
  get slice(): number {
    return this.rate === Infinity ? Infinity : Math.max(1, Math.floor(this.rate / 20));
  }
}

export class Line {
  /** From the browser to the server. */
  readonly up = new Lane();
  /** From the server to the browser. */
  readonly down = new Lane();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private port = 0;

  /** With a delay in milliseconds, each way. */
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
  limit(rate: number): void {
    this.up.rate = this.down.rate = rate;
  }

  /** Drops all connections and refuses new ones. */
  async cut(): Promise<void> {
    const refused = new Promise((done) => this.server.close(done));
    this.sockets.forEach((socket) => socket.resetAndDestroy());
    await refused;
  }

  /** Lets connections through; again at the same address, once it had one. */
  async mend(): Promise<void> {
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
      // What follows is `close`.
      one.on('error', () => {});
    }
    this.join(near, far, this.up);
    this.join(far, near, this.down);
  }

  private join(from: Socket, to: Socket, lane: Lane): void {
    let onTheWay = Promise.resolve();
    from.on('data', async (bytes) => {
      from.pause();
      for (let rest = bytes; rest.length > 0; ) {
        const piece = rest.subarray(0, lane.slice);
        rest = rest.subarray(piece.length);
        await lane.take(piece.length);
        const arrival = Date.now() + this.delay;
        onTheWay = onTheWay.then(() => until(arrival)).then(() => void to.write(piece));
      }
      from.resume();
    });
    from.on('end', () => onTheWay.then(() => to.end()));
  }
}

async function until(moment: number): Promise<void> {
  const left = moment - Date.now();
  if (left > 0) await new Promise((done) => setTimeout(done, left));
}
