/**
 * The websocket server: upgrades, frames in both directions, pings, and disconnecting slow or dead
 * clients.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type SessionOutput, streamSubjectOf } from '../world/stream-sessions.ts';
import { isLoopback } from './loopback.ts';

const frameBytesMax = 16 * 1024;
const socketsMax = 200;
/** A client with more unsent bytes than this is disconnected. */
const bufferedBytesMax = 32 * 1024 * 1024;

/** Opens a session at a path. Returns undefined if there is no stream at the path. */
export type OpenSession = (
  path: string,
  output: (output: SessionOutput) => void,
) => { readonly receive: (frame: string) => void; readonly close: () => void } | undefined;

export type StreamServer = {
  /** Pings every client and disconnects those that have not answered the last two pings. */
  ping(): void;
  /** Disconnects all clients. */
  close(): void;
};

/**
 * Handles the websocket upgrades of `server`. Real clients negotiate no compression, so none is
 * offered.
 */
export function serveStreams(server: Server, openSession: OpenSession): StreamServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: frameBytesMax,
    perMessageDeflate: false,
  });
  const unanswered = new Map<WebSocket, number>();

  const accept = (socket: WebSocket, path: string): void => {
    const session = openSession(path, (output) => send(socket, output));
    if (session === undefined) {
      socket.terminate();
      return;
    }
    unanswered.set(socket, 0);
    socket.on('pong', () => unanswered.set(socket, 0));
    socket.on('message', (data, isBinary) => {
      if (isBinary) socket.close(1003);
      else session.receive(String(data));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      unanswered.delete(socket);
      session.close();
    });
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const path = (request.url ?? '/').split('?')[0] as string;
    if (!isLoopback(request)) return refuse(socket, '403 Forbidden');
    if (streamSubjectOf(path) === undefined) return refuse(socket, '404 Not Found');
    if (unanswered.size >= socketsMax) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (opened) => accept(opened, path));
  });

  return {
    ping: () => {
      for (const [socket, count] of unanswered) {
        if (count >= 2) {
          socket.terminate();
          continue;
        }
        unanswered.set(socket, count + 1);
        socket.ping();
      }
    },
    close: () => {
      for (const socket of unanswered.keys()) socket.terminate();
      sockets.close();
    },
  };
}

function send(socket: WebSocket, output: SessionOutput): void {
  if (output.kind === 'close') socket.close(output.code);
  else if (socket.bufferedAmount > bufferedBytesMax) socket.terminate();
  else socket.send(output.text, () => {});
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
