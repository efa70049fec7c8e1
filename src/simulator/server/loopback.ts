/**
 * Who may talk to the server: programs on this machine that name it as such. A page in a browser
 * that reaches the port through a foreign name is turned away.
 */
import type { IncomingMessage } from 'node:http';

const hostPattern = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/iu;
const originPattern = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?\/?$/iu;

/** Returns whether the request's Host, and its Origin if it has one, are this machine. */
export function isLoopback(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host === undefined || !hostPattern.test(host)) return false;
  return origin === undefined || originPattern.test(origin);
}
