/**
 * Which requests a page of this machine accepts, by the headers that a browser sets and no page can
 * forge. It is asked before anything else is read.
 *
 * The Host check is what helps against DNS rebinding: a foreign name that resolves to 127.0.0.1
 * reaches the port, but carries its own name.
 */
import type { IncomingHttpHeaders } from 'node:http';

export type AllowedHosts = {
  /** Names of this machine with this port. */
  readonly port: number;
  /** Further values of the Host header, with or without a port; without one, any port. */
  readonly more: readonly string[];
  /** What helps whoever uses another host, as a clause. */
  readonly hostAdvice: string;
};

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
const withPort = /^(?<name>\[[0-9a-f:]+\]|[a-z0-9.-]+)(?::(?<port>\d{1,5}))?$/u;
const httpPort = '80';

/** Returns why the request is refused, as a sentence for its sender, or undefined. */
export function foreignRequest(
  headers: IncomingHttpHeaders,
  allowed: AllowedHosts,
): string | undefined {
  const host = headers.host?.toLowerCase();
  if (host === undefined || !isAllowed(host, allowed))
    return `this page is not served for the host ${quotedName(host)}; ${allowed.hostAdvice}`;
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return 'this request comes from another page';
  return isFromOtherSite(headers) ? 'this request comes from another site' : undefined;
}

function isAllowed(host: string, { port, more }: AllowedHosts): boolean {
  const { name, port: given = httpPort } = withPort.exec(host)?.groups ?? {};
  if (name === undefined) return false;
  if (loopbackNames.includes(name) && given === String(port)) return true;
  return more.some((one) => one === host || one === name);
}

/** A link on another site may open the page itself, which has no data, but nothing else. */
function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

/** A host for a message: only characters that any terminal shows as they are. */
function quotedName(host: string | undefined): string {
  if (host === undefined) return 'that is missing';
  return `"${host.slice(0, 100).replaceAll(/[^\x20-\x7e]/gu, '?')}"`;
}
