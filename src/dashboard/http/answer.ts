/** Sends whole answers. */
import type { ServerResponse } from 'node:http';

export type Problem = { readonly status: number; readonly code: string; readonly text: string };

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, status, 'text/plain; charset=utf-8', `${text}\n`);
}

export function sendProblem(response: ServerResponse, { status, code, text }: Problem): void {
  sendJson(response, status, { error: { code, text } });
}

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  // The client may have gone, or another answer may have begun.
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
