/**
 * The proxy between a bot and its exchange: HTTP and both streams. Without a fault everything
 * passes as it is; with one, the fault decides on whatever it has a hook for.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { FaultHooks } from './fault.ts';
import { HttpExchange } from './http-exchange.ts';
import { StreamLine, type StreamName, streamNameOf } from './stream-line.ts';

export class HostileProxy {
  /** How often the present fault has done something. */
  strikes = 0;
  /** The last first frame of each stream that came in an earlier connection. */
  readonly firstFrames = new Map<StreamName, string>();
  readonly #upstreamPort: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  /** Connections whose requests go nowhere, for good. */
  readonly #forgotten = new WeakSet<Socket>();
  readonly #lines = new Set<StreamLine>();
  readonly #upgrades = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
  });
  #server: Server | undefined;
  #port = 0;
  #hooks: FaultHooks = {};
  #onStrike = (): void => {};

  constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Begins to listen, on the port that it had before if it had one. */
  async open(): Promise<void> {
    const server = createServer((message, response) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.once('error', () => {});
      message.once('end', () => {
        const upstream = { port: this.#upstreamPort, agent: this.#agent };
        const body = Buffer.concat(parts);
        this.#serve(new HttpExchange(message, { body, response, upstream }));
      });
    });
    // A connection of the bot stays as long as the bot wants it.
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.on('connection', (socket) => this.#meet(socket));
    server.on('upgrade', (message, socket, head) =>
      this.#upgrade(message, { socket: socket as Socket, head }),
    );
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends every connection and refuses new ones, until it is opened again. */
  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.cutAll();
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  async close(): Promise<void> {
    await this.shut();
    this.#agent.destroy();
  }

  /** Plays a fault from now on; resolves when it has done something for the first time. */
  begin(hooks: FaultHooks): Promise<void> {
    this.strikes = 0;
    this.#hooks = hooks;
    const struck = new Promise<void>((resolve) => {
      this.#onStrike = resolve;
    });
    hooks.begin?.(this);
    return struck;
  }

  /** Plays no fault any more. */
  async end(): Promise<void> {
    const { end } = this.#hooks;
    this.#hooks = {};
    await end?.(this);
  }

  /** Counts something that the fault has done. */
  strike(): void {
    this.strikes++;
    this.#onStrike();
  }

  /** The open streams of a name. */
  linesOf(name: StreamName): readonly StreamLine[] {
    return [...this.#lines].filter((line) => line.name === name);
  }

  /** Cuts every connection without a word. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** What arrives on the connections that are open now goes nowhere, fault or none. */
  forgetAll(): void {
    for (const socket of this.#sockets) this.#forgotten.add(socket);
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#hooks.connection?.(socket) === true) this.strike();
  }

  #serve(exchange: HttpExchange): void {
    const isForgotten = exchange.socket !== undefined && this.#forgotten.has(exchange.socket);
    if (isForgotten || this.#hooks.http?.(exchange) === true) {
      this.strike();
      return;
    }
    exchange.forward().then(
      (answer) => exchange.reply(answer),
      () => exchange.reset(),
    );
  }

  #upgrade(
    message: IncomingMessage,
    { socket, head }: { readonly socket: Socket; readonly head: Buffer },
  ): void {
    const name = streamNameOf(message);
    const proceed = (): void => {
      if (socket.destroyed) return;
      this.#upgrades.handleUpgrade(message, socket, head, (client) => {
        const url = `ws://127.0.0.1:${this.#upstreamPort}${message.url}`;
        const onFrame = (line: StreamLine, text: string): void => this.#pass(line, text);
        const onEnd = (line: StreamLine): unknown => this.#lines.delete(line);
        this.#lines.add(new StreamLine({ name, client, socket, url, onFrame, onEnd }));
      });
    };
    if (this.#hooks.upgrade?.(name, { socket, proceed }) === true) this.strike();
    else proceed();
  }

  #pass(line: StreamLine, text: string): void {
    const hasStruck = this.#hooks.frame?.(line, text, this) === true;
    if (line.frames === 1) this.firstFrames.set(line.name, text);
    if (hasStruck) this.strike();
    else line.deliver(text);
  }
}
