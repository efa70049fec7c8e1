/**
 * One request that came to the hostile proxy, and what can be done with it: passed on, answered
 * truly or falsely, answered with any bytes, cut off, or left without an answer.
 */
import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Answer = {
  readonly status: number;
  /** Names in lower case; those of the connection and the body's length are not among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What becomes of the connection after bytes of our own. */
export type Afterwards = 'reset' | 'close' | 'open';

const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export class HttpExchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #response: ServerResponse;
  readonly #upstream: { readonly port: number; readonly agent: Agent };
  #known: Answer | undefined;

  constructor(
    message: IncomingMessage,
    parts: {
      readonly body: Buffer;
      readonly response: ServerResponse;
      readonly upstream: { readonly port: number; readonly agent: Agent };
    },
  ) {
    this.method = message.method ?? 'GET';
    this.path = message.url ?? '/';
    this.body = parts.body;
    this.#headers = plainHeaders(message.headers);
    this.#response = parts.response;
    this.#upstream = parts.upstream;
    // A bot that gives up an exchange closes its connection; that is no error here.
    this.#response.on('error', () => {});
  }

  /** The last part of the path, such as `postorder` or `transactions`. */
  get operation(): string {
    return this.path.replace(/\?.*$/u, '').split('/').at(-1) ?? '';
  }

  /** The value of a parameter of the query or the form. */
  parameter(name: string): string | undefined {
    const query = new URLSearchParams(this.path.split('?')[1] ?? '');
    return query.get(name) ?? new URLSearchParams(this.body.toString()).get(name) ?? undefined;
  }

  /** Sends the request to the exchange now; the next {@link forward} returns this answer. */
  async forwardFirst(): Promise<Answer> {
    const answer = await this.forward();
    this.#known = answer;
    return answer;
  }

  /** Sends the request to the exchange, once for each call; rejects if it does not answer. */
  forward(): Promise<Answer> {
    const known = this.#known;
    this.#known = undefined;
    if (known !== undefined) return Promise.resolve(known);
    const { port, agent } = this.#upstream;
    return new Promise((resolve, reject) => {
      const headers = { ...this.#headers, 'content-length': String(this.body.length) };
      const options = { host: '127.0.0.1', port, agent, method: this.method, path: this.path };
      const sent = request({ ...options, headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('error', reject);
        answer.once('end', () => {
          const body = Buffer.concat(parts);
          resolve({ status: answer.statusCode ?? 0, headers: plainHeaders(answer.headers), body });
        });
      });
      sent.once('error', reject);
      sent.end(this.body);
    });
  }

  /** Answers as HTTP should be. */
  reply({ status, headers, body }: Answer): void {
    const response = this.#response;
    if (response.destroyed || response.headersSent) return;
    response.sendDate = false;
    response.writeHead(status, { ...headers, 'content-length': String(body.length) });
    response.end(body);
  }

  /** Writes these bytes in the place of an answer. */
  raw(bytes: string | Buffer, afterwards: Afterwards): void {
    const { socket } = this;
    if (socket === undefined) return;
    socket.write(bytes, () => {
      if (afterwards === 'reset') socket.resetAndDestroy();
      else if (afterwards === 'close') socket.end();
      else this.#giveBack();
    });
  }

  /** Writes bytes one after another, `everyMs` apart, as long as the connection stands. */
  drip(bytes: Buffer, everyMs: number): void {
    const { socket } = this;
    if (socket === undefined) return;
    let sent = 0;
    const timer = setInterval(() => {
      if (sent < bytes.length && !socket.destroyed) {
        socket.write(bytes.subarray(sent, ++sent));
        return;
      }
      clearInterval(timer);
      this.#giveBack();
    }, everyMs);
  }

  /**
   * Tells the HTTP server that this request is answered. It does not see bytes that are written
   * past it, and would let every later answer on the connection wait for this one.
   */
  #giveBack(): void {
    if (this.socket !== undefined) this.#response.emit('finish');
  }

  reset(): void {
    this.socket?.resetAndDestroy();
  }

  /** Undefined once the bot has closed the connection. */
  get socket(): Socket | undefined {
    const { socket } = this.#response;
    return socket === null || socket.destroyed ? undefined : socket;
  }
}

/** Returns the bytes of an answer, with headers that may replace those that it should have. */
export function bytesOf(answer: Answer, headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = { ...answer.headers, 'content-length': String(answer.body.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} Answer`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head), answer.body]);
}

function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || ofConnection.has(name) ? [] : [[name, String(value)]],
    ),
  );
}
