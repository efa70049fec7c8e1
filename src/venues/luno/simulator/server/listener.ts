/**
 * The listening port of the simulated exchange: plain HTTP, or TLS, where anything else on the same
 * port gets the documented refusal.
 *
 *     connection ─▶ first byte ─ 0x16, a TLS handshake ─▶ the exchange
 *                               ├ anything else ────────▶ 403
 *                               └ nothing for 10 s ─────▶ closed
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createFrontServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { Timers } from '../../../../runtime/timers.ts';

export type TlsIdentity = { readonly key: string; readonly certificate: string };

export type Listener = {
  /** For websocket upgrades. */
  readonly server: Server;
  /** Listens on 127.0.0.1 and returns the port. Rejects if the port is taken. */
  listen(port: number): Promise<number>;
  /** Closes all connections and frees the port. */
  close(): Promise<void>;
};

const handshakeByte = 0x16;
const keepAliveTimeoutMs = 72_000;
const connectionsMax = 2_000;
/** Limit for the first byte of a connection, and then for its TLS handshake. */
const silenceMaxMs = 10_000;

/** Returns a listener that does not listen yet. With an identity it accepts only TLS. */
export function createListener(
  requests: RequestListener,
  tls: TlsIdentity | undefined,
  timers: Pick<Timers, 'after'>,
): Listener {
  return tls === undefined ? plainListener(requests) : secureListener(requests, tls, timers);
}

function plainListener(requests: RequestListener): Listener {
  const server = createServer(requests);
  server.keepAliveTimeout = keepAliveTimeoutMs;
  return {
    server,
    listen: (port) => listenOn(server, port),
    close: () => closeAll(server, [server]),
  };
}

function secureListener(
  requests: RequestListener,
  tls: TlsIdentity,
  timers: Pick<Timers, 'after'>,
): Listener {
  const server = createSecureServer(
    { key: tls.key, cert: tls.certificate, handshakeTimeout: silenceMaxMs },
    requests,
  );
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.on('tlsClientError', (_, socket) => socket.destroy());
  const refusals = createServer(refuse);
  const sockets = new Set<Socket>();
  const front = createFrontServer((socket) => {
    sockets.add(socket);
    const cancelTimeout = timers.after(silenceMaxMs, () => socket.destroy());
    socket.on('close', () => {
      cancelTimeout();
      sockets.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      cancelTimeout();
      socket.pause();
      socket.unshift(first);
      const isTls = first[0] === handshakeByte;
      (isTls ? server : refusals).emit('connection', socket);
      // TLS takes the data that was put back and then reads by itself. Plain HTTP needs the resume.
      if (!isTls) socket.resume();
    });
  });
  // Limits how many silent connections can wait at once.
  front.maxConnections = connectionsMax;
  return {
    server,
    listen: (port) => listenOn(front, port),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return closeAll(front, [server, refusals]);
    },
  };
}

const refuse: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end('Only HTTPS is accepted\n');
};

function listenOn(server: NetServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closeAll(
  listening: NetServer,
  servers: readonly Pick<Server, 'closeAllConnections'>[],
): Promise<void> {
  for (const server of servers) server.closeAllConnections();
  if (!listening.listening) return Promise.resolve();
  return new Promise((resolve) => {
    listening.close(() => resolve());
    for (const server of servers) server.closeAllConnections();
  });
}
