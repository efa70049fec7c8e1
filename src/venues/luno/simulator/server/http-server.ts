/**
 * The HTTP server: passes every request to the simulator and sends its answer unchanged.
 *
 * It uses no framework: the simulator routes requests itself, and the router of a framework took
 * half of the time of each request.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Operation } from '../../api/operation.ts';
import { operations } from '../../api/operations.ts';
import type { SimulatorRequest, SimulatorResponse } from '../core/simulator-request.ts';
import { routeOf } from '../world/operation-route.ts';
import { refusalBodyOf } from '../world/refusal-body.ts';
import { type HttpBody, simulatorRequestOf } from './http-request.ts';
import { isLoopback } from './loopback.ts';

const bodyBytesMax = 64 * 1024;
const formType = 'application/x-www-form-urlencoded';

export type RequestHandlers = {
  /** Answers one request. If it throws, the connection is closed without an answer. */
  readonly answer: (request: SimulatorRequest) => SimulatorResponse;
  /** Answers a request to the control interface, or returns undefined for any other request. */
  readonly answerControl?: (
    request: ControlRequest,
  ) => { readonly status: number; readonly body: ControlBody } | undefined;
  /** Calls `send` now, or as soon as the answer may leave. */
  readonly deliver: (send: () => void) => void;
};

/** A text, or the pieces of a long one, which are taken as fast as the client reads. */
export type ControlBody = string | Iterable<string>;

export type ControlRequest = {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: HttpBody | undefined;
};

/** Returns the request listener for a server of `node:http` or `node:https`. */
export function createRequestListener(handlers: RequestHandlers): RequestListener {
  return (request, response) => {
    response.sendDate = false;
    // A client that disconnects before its answer needs no handling.
    response.on('error', () => {});
    if (!isLoopback(request)) {
      // The rest of its request is not read.
      sendText(response, 403, 'Forbidden\n');
      return;
    }
    const { method = '' } = request;
    if (method === 'GET' || method === 'HEAD') {
      request.resume();
      respond(handlers, request, response, undefined);
    } else readBody(request, response, (body) => respond(handlers, request, response, body));
  };
}

function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  done: (body: HttpBody | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount > bodyBytesMax) {
      if (byteCount - chunk.length <= bodyBytesMax) {
        response.setHeader('connection', 'close');
        send(response, 413, jsonHeaders, tooLargeBodyOf(request));
      }
      return;
    }
    chunks.push(chunk);
  });
  request.on('end', () => {
    if (byteCount > bodyBytesMax) return;
    if (byteCount === 0) done(undefined);
    else done({ kind: bodyKindOf(request), text: Buffer.concat(chunks).toString('utf8') });
  });
}

/** Returns the refusal of a body that is too large, in the format of the API of the operation. */
function tooLargeBodyOf({ method = '', url = '/' }: IncomingMessage): string {
  const route = routeOf(method, url.split('?')[0] as string);
  const document = route === undefined ? 'exchange' : operations[route.name].document;
  const code = document === 'wallet' ? 'ErrRequestBodyFormat' : 'ErrInvalidParameters';
  const message = `The body may have at most ${bodyBytesMax} bytes`;
  const isAuthenticated =
    route !== undefined && (operations[route.name] as Operation).authentication !== 'none';
  return refusalBodyOf({ document, isAuthenticated }, { code, message }).body;
}

function bodyKindOf({ headers }: IncomingMessage): HttpBody['kind'] {
  const type = headers['content-type'] ?? '';
  if (type.startsWith(formType)) return 'form';
  const plain = type.toLowerCase();
  if (plain.startsWith(formType)) return 'form';
  return /^application\/json *(?:;|$)/u.test(plain) ? 'json' : 'other';
}

function respond(
  handlers: RequestHandlers,
  request: IncomingMessage,
  response: ServerResponse,
  body: HttpBody | undefined,
): void {
  const { url = '/' } = request;
  // HEAD is GET without the body, which Node leaves out.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  const { authorization } = request.headers;
  try {
    const control = handlers.answerControl?.({ method, url, authorization, body });
    if (control !== undefined) {
      const { status, body: answer } = control;
      handlers.deliver(() => {
        if (typeof answer === 'string') send(response, status, jsonHeaders, answer);
        else sendPieces(response, status, answer[Symbol.iterator]());
      });
      return;
    }
    const address = request.socket.remoteAddress ?? '';
    const answer = handlers.answer(
      simulatorRequestOf({ method, url, address, authorization, headers: request.headers, body }),
    );
    handlers.deliver(() => send(response, answer.status, answer.headers, answer.body ?? ''));
  } catch {
    request.socket.destroy();
  }
}

const jsonHeaders = { 'content-type': 'application/json' };

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Sends a body piece by piece; the next one is made when the client has taken the last. */
function sendPieces(response: ServerResponse, status: number, pieces: Iterator<string>): void {
  response.writeHead(status, jsonHeaders);
  const proceed = (): void => {
    for (;;) {
      const { value, done } = pieces.next();
      if (done === true) {
        response.end();
        return;
      }
      if (!response.write(value)) break;
    }
    response.once('drain', proceed);
  };
  proceed();
}

function sendText(response: ServerResponse, status: number, body: string): void {
  send(response, status, { 'content-type': 'text/plain; charset=utf-8' }, body);
}
