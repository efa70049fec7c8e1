/**
 * The control channel of a running bot: a socket in a folder that only its owner can enter. It
 * checks requests, passes them on and returns the answers; it makes no decisions.
 *
 * Invariants: whoever can open the socket can already read the database and end the process; a
 * slow, misbehaving or disconnected client never blocks the bot.
 */
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { StoreError } from '../domain/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import type { Timers } from '../runtime/timers.ts';
import { type ControlAnswer, type ControlRequest, parseControlRequest } from './control-message.ts';

const requestBytesMax = 4_096;
const connectionsMax = 16;
/** A client that sends no request in this time is disconnected. */
const silenceMs = 5_000;
/** For how long a client may leave a line of a stream unread. */
const stalledMs = 5_000;

export type ControlServer = { close(): void };

/** Handles a well-formed request; `stream` is for one that is answered with many lines. */
export type Handler = (request: ControlRequest, answer: Answer, stream: StreamClient) => void;

/** Sends an answer; returns false once the client has disconnected. */
export type Answer = (answer: ControlAnswer) => boolean;

/** A client that reads one line after the other, for as long as it likes. */
export type StreamClient = {
  /** Whether it has read what it was sent, so that nothing else waits for it. */
  isReady(): boolean;
  /** Sends a line. A client that does not read for {@link stalledMs} is disconnected. */
  offer(line: string): void;
  /** Calls back when it has disconnected. */
  onLeft(run: () => void): void;
};

/**
 * Listens at `path`. The caller holds the lock of the database, so an existing socket belongs to a
 * dead process and is replaced. Rejects with StoreError if the system does not allow it.
 */
export function openControl(path: string, timers: Timers, handle: Handler): Promise<ControlServer> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(new StoreError(`cannot listen at ${path}: ${String(cause)}`, { cause }));
    const sockets = new Set<Socket>();
    const server: Server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      serve(socket, timers, handle);
    });
    server.maxConnections = connectionsMax;
    server.once('error', fail);
    try {
      const folder = dirname(path);
      makeFolder(folder, 0o700);
      chmodSync(folder, 0o700);
      rmSync(path, { force: true });
      server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve({
          close: () => {
            server.close();
            for (const socket of sockets) socket.destroy();
          },
        });
      });
    } catch (cause) {
      fail(cause);
    }
  });
}

function serve(socket: Socket, timers: Timers, handle: Handler): void {
  let text = '';
  let isReceived = false;
  const answer: Answer = (message) => {
    if (socket.destroyed) return false;
    const line = `${JSON.stringify(message)}\n`;
    if (message.isDone) socket.end(line);
    else socket.write(line);
    return true;
  };
  const refuse = (problem: string): boolean =>
    answer({ isDone: true, isRefused: true, text: problem });
  socket.on('error', () => {});
  const cancelSilence = timers.after(silenceMs, () => socket.destroy(), { unref: true });
  socket.once('close', cancelSilence);
  socket.setEncoding('utf8').on('data', (part: string) => {
    if (isReceived) return;
    text += part;
    const end = text.indexOf('\n');
    if (end === -1 && text.length <= requestBytesMax) return;
    isReceived = true;
    cancelSilence();
    if (end === -1 || end > requestBytesMax) {
      refuse('the request is too long');
      return;
    }
    const request = parseControlRequest(text.slice(0, end));
    if ('problem' in request) refuse(request.problem);
    else handle(request, answer, streamTo(socket, timers));
  });
}

function streamTo(socket: Socket, timers: Timers): StreamClient {
  let isWaiting = false;
  return {
    isReady: () => !isWaiting && !socket.destroyed,
    offer: (line) => {
      if (socket.destroyed) return;
      isWaiting = true;
      const cancel = timers.after(stalledMs, () => socket.destroy(), { unref: true });
      socket.write(`${line}\n`, () => {
        isWaiting = false;
        cancel();
      });
    },
    onLeft: (run) => void socket.once('close', run),
  };
}
