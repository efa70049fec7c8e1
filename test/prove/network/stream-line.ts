/**
 * One stream that a bot opened through the hostile proxy: its frames on their way from the
 * exchange, and what else can happen to a websocket.
 *
 * Pings and pongs are passed on by hand, so that a line can be open and silent.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket } from 'ws';

export type StreamName = 'market' | 'user';

export class StreamLine {
  readonly name: StreamName;
  /** Frames that came from the exchange so far. */
  frames = 0;
  /** Nothing of the line itself, such as a pong, reaches the bot. */
  isMute = false;
  readonly #client: WebSocket;
  readonly #socket: Socket;

  constructor(parts: {
    readonly name: StreamName;
    readonly client: WebSocket;
    readonly socket: Socket;
    readonly url: string;
    /** Decides on a frame, which is not delivered by itself. */
    readonly onFrame: (line: StreamLine, text: string) => void;
    readonly onEnd: (line: StreamLine) => void;
  }) {
    const { client } = parts;
    this.name = parts.name;
    this.#client = client;
    this.#socket = parts.socket;
    const upstream = new WebSocket(parts.url, { perMessageDeflate: false });
    const early: string[] = [];
    client.on('message', (data) => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data));
      else early.push(String(data));
    });
    upstream.on('open', () => {
      for (const text of early.splice(0)) upstream.send(text);
    });
    upstream.on('message', (data) => {
      this.frames++;
      parts.onFrame(this, String(data));
    });
    client.on('ping', () => {
      if (!this.isMute && client.readyState === WebSocket.OPEN) client.pong();
    });
    upstream.on('ping', () => {
      if (!this.isMute && client.readyState === WebSocket.OPEN) client.ping();
    });
    const end = (): void => {
      client.terminate();
      upstream.terminate();
      parts.onEnd(this);
    };
    upstream.on('close', (code, reason) => {
      const isSendable = code >= 1000 && ![1005, 1006, 1015].includes(code);
      if (isSendable) client.close(code, String(reason));
      else client.terminate();
    });
    for (const one of [client, upstream]) one.on('error', end);
    client.on('close', end);
  }

  deliver(text: string): void {
    if (this.#client.readyState === WebSocket.OPEN) this.#client.send(text);
  }

  deliverBinary(bytes: Buffer): void {
    if (this.#client.readyState === WebSocket.OPEN) this.#client.send(bytes);
  }

  /** Writes bytes as they are, websocket or not. */
  raw(bytes: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  close(code: number, reason: string): void {
    this.#client.close(code, reason);
  }

  /** Cuts the connection without a word. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }
}

/** Returns which stream an upgrade asks for. */
export function streamNameOf({ url }: IncomingMessage): StreamName {
  return url?.includes('userstream') === true ? 'user' : 'market';
}
