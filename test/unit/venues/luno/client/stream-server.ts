/** A websocket server on loopback that a test controls, and a listener that a test can await. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { VenueReport } from '../../../../../src/venue/venue-report.ts';
import type { StreamEnd } from '../../../../../src/venue/venue-streams.ts';

/** One connection as the server sees it. */
export type Session = {
  readonly socket: WebSocket;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Resolves with the next text that the client sends. */
  readonly received: () => Promise<string>;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly pingCount: () => number;
};

/** A queue whose readers wait for values, in order. */
class Queue<T> {
  #values: T[] = [];
  #readers: ((value: T) => void)[] = [];
  get length(): number {
    return this.#values.length;
  }
  push(value: T): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#values.push(value);
    else reader(value);
  }
  next(): Promise<T> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift() as T);
    return new Promise((resolve) => this.#readers.push(resolve));
  }
}

export type StreamServer = {
  readonly url: string;
  /** Resolves with the next connection; a test that counts uses `connectionCount`. */
  readonly session: () => Promise<Session>;
  readonly connectionCount: () => number;
  /** Refuses the next upgrades with this HTTP status; 0 lets them pass. */
  refuseWith: number;
  readonly close: () => Promise<void>;
};

export async function startStreamServer(): Promise<StreamServer> {
  const sessions = new Queue<Session>();
  let connectionCount = 0;
  const websockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_info, answer) => answer(server.refuseWith === 0, server.refuseWith),
  });
  websockets.on('connection', (socket, request) => {
    connectionCount++;
    const texts = new Queue<string>();
    let pingCount = 0;
    socket.on('message', (data) => texts.push(String(data)));
    socket.on('ping', () => pingCount++);
    socket.on('error', () => {});
    sessions.push({
      socket,
      path: request.url ?? '',
      headers: request.headers,
      received: () => texts.next(),
      ended: new Promise((resolve) => socket.once('close', () => resolve())),
      pingCount: () => pingCount,
    });
  });
  await once(websockets, 'listening');
  const server: StreamServer = {
    url: `ws://127.0.0.1:${(websockets.address() as AddressInfo).port}`,
    session: () => sessions.next(),
    connectionCount: () => connectionCount,
    refuseWith: 0,
    close: async () => {
      for (const socket of websockets.clients) socket.terminate();
      websockets.close();
      await once(websockets, 'close');
    },
  };
  return server;
}

export type Heard<Message> =
  | { readonly kind: 'opened' }
  | { readonly kind: 'frame'; readonly text: string; readonly message: Message }
  | { readonly kind: 'report'; readonly report: VenueReport }
  | { readonly kind: 'malformed'; readonly reason: string }
  | {
      readonly kind: 'closed';
      readonly reason: string;
      readonly end: StreamEnd;
      readonly inARow: number;
    };

/** A listener for both streams; `next` resolves with the next reported event. */
export class RecordingListener<Message> {
  #heard = new Queue<Heard<Message>>();
  get waitingCount(): number {
    return this.#heard.length;
  }
  next(): Promise<Heard<Message>> {
    return this.#heard.next();
  }
  opened(): void {
    this.#heard.push({ kind: 'opened' });
  }
  frame(text: string, message: Message): void {
    this.#heard.push({ kind: 'frame', text, message });
  }
  report(report: VenueReport): void {
    this.#heard.push({ kind: 'report', report });
  }
  malformed(reason: string): void {
    this.#heard.push({ kind: 'malformed', reason });
  }
  closed(reason: string, end: StreamEnd, inARow: number): void {
    this.#heard.push({ kind: 'closed', reason, end, inARow });
  }
}
