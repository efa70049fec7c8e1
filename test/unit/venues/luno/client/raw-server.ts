/**
 * A server on loopback that answers with exact bytes and records the requests. It has no HTTP
 * implementation, so it can break every rule of HTTP.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export type SeenRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type RawServer = {
  readonly url: string;
  readonly port: number;
  readonly requests: SeenRequest[];
  /** The number of connections opened so far. */
  connectionCount: number;
  /** Handles the next request; it may write to the socket and end it. */
  answer: (socket: Socket, request: SeenRequest) => void;
  readonly close: () => Promise<void>;
};

/** Starts the server; with `tls`, it encrypts. */
export async function startRawServer(tls?: { key: string; cert: string }): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    server.connectionCount++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const request = readRequest(received);
      if (request === undefined) return;
      received = '';
      server.requests.push(request);
      server.answer(socket, request);
    });
  };
  const listening: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  listening.on('tlsClientError', () => {});
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const server: RawServer = {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    port,
    requests: [],
    connectionCount: 0,
    answer: (socket) => socket.destroy(),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      listening.close();
      await once(listening, 'close');
    },
  };
  return server;
}

/** Returns the request in `received` once it is complete. */
function readRequest(received: string): SeenRequest | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = received.slice(0, end).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = received.slice(end + 4);
  const length = Number.parseInt(headers['content-length'] ?? '0', 10);
  return body.length < length ? undefined : { method, target, headers, body };
}

/** Returns the bytes of a valid answer; `headers` are added to the required ones. */
export function httpAnswer(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const length = status === 204 ? {} : { 'content-length': String(bytes.length) };
  const all = { ...length, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, bytes]);
}
