/**
 * A load of order operations over loopback HTTP: keep-alive connections that each place a batch of
 * orders without waiting in between, then cancel them all, and so on. Raw sockets and as little as
 * possible besides, so that the exchange is what is measured.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type LoadOptions = {
  readonly port: number;
  readonly id: string;
  readonly secret: string;
  readonly connections: number;
  /** Requests that a connection has under way at most. */
  readonly depth: number;
  readonly forMs: number;
  /** Ends earlier when about so many are placed. */
  readonly ordersMax?: number;
  /** Makes the client order ids of this load differ from those of another. */
  readonly run: string;
};

export type LoadResult = {
  readonly placed: number;
  readonly cancelled: number;
  /** Answers that were not 200. */
  readonly refused: number;
  readonly seconds: number;
};

/** Loads the exchange for about `forMs` and returns what was answered in that time. */
export async function loadOrders(options: LoadOptions): Promise<LoadResult> {
  const lanes = Array.from({ length: options.connections }, (_, index) => new Lane(options, index));
  await Promise.all(lanes.map((lane) => lane.open()));
  const startedMs = performance.now();
  const sum = (pick: (lane: Lane) => number) => lanes.reduce((all, lane) => all + pick(lane), 0);
  const { forMs, ordersMax = Number.POSITIVE_INFINITY } = options;
  const isOver = (): boolean =>
    performance.now() - startedMs >= forMs || sum((lane) => lane.placed) >= ordersMax;
  await Promise.all(lanes.map((lane) => lane.run(isOver)));
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    placed: sum((lane) => lane.placed),
    cancelled: sum((lane) => lane.cancelled),
    refused: sum((lane) => lane.refused),
    seconds,
  };
}

class Lane {
  placed = 0;
  cancelled = 0;
  refused = 0;
  readonly #options: LoadOptions;
  readonly #index: number;
  readonly #socket: Socket;
  readonly #authorization: string;
  #count = 0;
  #text = '';

  constructor(options: LoadOptions, index: number) {
    this.#options = options;
    this.#index = index;
    this.#authorization = Buffer.from(`${options.id}:${options.secret}`).toString('base64');
    this.#socket = connect(options.port, '127.0.0.1').setNoDelay().setEncoding('latin1');
  }

  async open(): Promise<void> {
    await once(this.#socket, 'connect');
  }

  /** Places and cancels until it is over, and leaves no order behind. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const bodies = Array.from({ length: this.#options.depth }, () => this.#order());
      const placed = await this.#exchange('/api/1/postorder', bodies);
      const ids = placed.flatMap((body) => /"order_id":"(\w+)"/u.exec(body)?.[1] ?? []);
      this.placed += ids.length;
      this.refused += placed.length - ids.length;
      const stops = ids.map((id) => `order_id=${id}`);
      const stopped = await this.#exchange('/api/1/stoporder', stops);
      const cancelled = stopped.filter((body) => body.includes('"success":true')).length;
      this.cancelled += cancelled;
      this.refused += stopped.length - cancelled;
    }
    this.#socket.destroy();
  }

  #order(): string {
    const number = this.#count++;
    // Each lane has a price of its own, far below the market.
    const price = 500_000 - this.#index * 100 - (number % 50);
    return `pair=XBTZAR&type=BID&price=${price}&volume=0.001&client_order_id=${this.#options.run}-${this.#index}-${number}&post_only=true`;
  }

  /** Sends all bodies at once and returns the answers' bodies in order. */
  async #exchange(path: string, bodies: readonly string[]): Promise<string[]> {
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: 127.0.0.1:${this.#options.port}`,
      `authorization: Basic ${this.#authorization}`,
      'content-type: application/x-www-form-urlencoded',
      'content-length: ',
    ].join('\r\n');
    this.#socket.write(bodies.map((body) => `${head}${body.length}\r\n\r\n${body}`).join(''));
    const answers: string[] = [];
    while (answers.length < bodies.length) {
      const answer = this.#take();
      if (answer !== undefined) answers.push(answer);
      else {
        const [chunk] = await once(this.#socket, 'data');
        this.#text += chunk as string;
      }
    }
    return answers;
  }

  /** Takes one whole answer off what was received. */
  #take(): string | undefined {
    const end = this.#text.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const length = /content-length: (\d+)/iu.exec(this.#text.slice(0, end))?.[1] ?? '0';
    const bodyEnd = end + 4 + Number.parseInt(length, 10);
    if (this.#text.length < bodyEnd) return undefined;
    const body = this.#text.slice(end + 4, bodyEnd);
    this.#text = this.#text.slice(bodyEnd);
    return body;
  }
}
