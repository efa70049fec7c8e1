/**
 * A server of pages for this machine: what every page of ours shares, whatever it shows. It checks
 * where a request comes from, sets the headers that keep other pages out, and bounds connections,
 * sizes and times, so that no client can use much memory.
 *
 * Invariant: a request that is foreign or malformed never reaches the handler.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sendText } from './answer.ts';
import { foreignRequest } from './host-check.ts';
import { securityHeaders } from './security-headers.ts';

/** A browser opens at most six to a page; the rest are other pages and scripts. */
const connectionsMax = 96;
const headerBytesMax = 8_192;
const headersMs = 5_000;
const requestMs = 10_000;
const idleMs = 10_000;
const urlLengthMax = 2_000;
/** A client that takes nothing of its answer for this time is disconnected. */
const stalledMsMax = 30_000;
/** Browsers wait for an answer before they ask again; each answer that waits needs memory. */
const unansweredMax = 4;

export type PageRequest = {
  readonly method: 'GET' | 'POST';
  /** Starts with a slash; letters, digits, and `.`, `_`, `-` between single slashes. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
};

export type PageServerOptions = {
  /** The address to listen at, such as 127.0.0.1. */
  readonly listen: string;
  /** Values of the Host header that are allowed besides names of this machine. */
  readonly hosts: readonly string[];
  /** What helps whoever uses another host, as a clause. */
  readonly hostAdvice: string;
  /** Answers a request. */
  readonly handle: (request: PageRequest, response: ServerResponse) => void | Promise<void>;
  /** A request failed by a fault of ours; the client gets 500. */
  readonly onFault: (error: unknown) => void;
  /** Instead of {@link stalledMsMax}. */
  readonly stalledMsMax?: number;
};

export class PageServer {
  readonly #options: PageServerOptions;
  readonly #server: Server;
  /** With the number of requests that have no whole answer yet. */
  readonly #sockets = new Map<Socket, number>();

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#server = createServer(
      {
        maxHeaderSize: headerBytesMax,
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        keepAliveTimeout: idleMs,
        connectionsCheckingInterval: 1_000,
      },
      (request, response) => this.#receive(request, response),
    );
    this.#server.maxConnections = connectionsMax;
    this.#server.timeout = options.stalledMsMax ?? stalledMsMax;
    this.#server.on('timeout', (socket: Socket) => {
      // A client that waits for its answer, or for the next event, is silent too.
      if (socket.writableLength > 0) socket.destroy();
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.set(socket, 0);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const status =
        error.code === 'HPE_HEADER_OVERFLOW' ? '431 Headers too large' : '400 Bad request';
      if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
      else socket.destroy();
    });
  }

  /** Listens at `port`, 0 for a free one; returns the port. Rejects with the system's error. */
  listen(port: number): Promise<number> {
    const { listen } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host: listen }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', this.#options.onFault);
        resolve(this.#port());
      });
    });
  }

  /** Listens at `port`, or at a free one if it is taken; returns the port. */
  async listenNear(port: number): Promise<number> {
    try {
      return await this.listen(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return this.listen(0);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets.keys()) socket.destroy();
    });
  }

  #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #receive(message: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    message.on('error', () => {});
    if (!this.#counts(message.socket, response)) return;
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      // What is left of the request is not read.
      response.setHeader('connection', 'close');
      if (refusal.status === 405) response.setHeader('allow', 'GET, POST');
      sendText(response, refusal.status, refusal.text);
      closeAfter(response, message);
      return;
    }
    const url = new URL(message.url as string, 'http://page');
    const method = message.method as PageRequest['method'];
    const request = { method, path: url.pathname, query: url.searchParams, message };
    void this.#handle(request, response);
  }

  /** Counts a request until it is answered; a client that has asked too much is disconnected. */
  #counts(socket: Socket, response: ServerResponse): boolean {
    const unanswered = this.#sockets.get(socket);
    if (unanswered === undefined || unanswered >= unansweredMax) {
      socket.destroy();
      return false;
    }
    this.#sockets.set(socket, unanswered + 1);
    response.once('close', () => {
      const count = this.#sockets.get(socket);
      if (count !== undefined) this.#sockets.set(socket, count - 1);
    });
    return true;
  }

  async #handle(request: PageRequest, response: ServerResponse): Promise<void> {
    try {
      await this.#options.handle(request, response);
      if (!request.message.complete) closeAfter(response, request.message);
    } catch (error) {
      this.#options.onFault(error);
      sendText(response, 500, 'this answer failed; the log of the bot says why');
    }
  }

  #refusalOf(message: IncomingMessage): { status: number; text: string } | undefined {
    const { headers, method, url = '' } = message;
    const { hosts, hostAdvice } = this.#options;
    const foreign = foreignRequest(headers, { port: this.#port(), more: hosts, hostAdvice });
    if (foreign !== undefined) return { status: 403, text: foreign };
    // Node takes the first of several; whoever stands before it may have taken the last.
    if (message.rawHeaders.filter((name) => name.toLowerCase() === 'host').length > 1)
      return { status: 400, text: 'a request has one host' };
    if (method !== 'GET' && method !== 'POST')
      return { status: 405, text: 'only GET and POST are allowed' };
    if (url.length > urlLengthMax) return { status: 414, text: 'the address is too long' };
    if (!/^(?:\/|(?:\/[\w.-]+)+)(?:\?|$)/u.test(url) || /\/\.{1,2}(?:[/?]|$)/u.test(url))
      return { status: 404, text: 'there is nothing at this address' };
    return undefined;
  }
}

/** Ends a connection whose request has a body that nobody reads. */
function closeAfter(response: ServerResponse, { socket }: IncomingMessage): void {
  if (response.writableFinished) socket.destroySoon();
  else response.once('finish', () => socket.destroySoon());
}
