/**
 * Restricts the server to programs on this machine that address it by a loopback name. A web page
 * that reaches the port through another host name is refused.
 */
import type { IncomingMessage } from 'node:http';

const hostPattern = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/iu;
const originPattern = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?\/?$/iu;

/** Returns whether the Host of the request, and its Origin if it has one, name this machine. */
export function isLoopback(request: IncomingMessage): boolean {
  const { host, origin } = request.headers;
  if (host === undefined || !hostPattern.test(host)) return false;
  return origin === undefined || originPattern.test(origin);
}
