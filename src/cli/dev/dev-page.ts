/**
 * The page of `millrace dev`: the report of the last run, which replaces itself after each run.
 * Scroll position, size of the charts and opened parts stay.
 *
 * Invariant: only this machine can read it, also by a name that a foreign page made for 127.0.0.1.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { devScript } from './dev-script.ts';

const host = '127.0.0.1';

/** Shows the report of `/report`, whose own policy allows no script. */
const frame = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>millrace dev</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<body><script>${devScript}</script></body></html>
`;

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(devScript).digest('base64')}'`,
  "connect-src 'self'",
].join('; ');

export class DevPage {
  readonly #server = createServer((request, response) => this.#answer(request, response));
  readonly #readers = new Set<ServerResponse>();
  #report = '<!doctype html><title>millrace dev</title><body><p>The first run is not done.</p>';
  /** What the page shows above the last report; undefined if the last run was fine. */
  #problem: string | undefined;
  /** Number of the last run. */
  #run = 0;

  /** Listens at `port`, or at a free one if it is taken; returns the page's address. */
  async listen(port: number): Promise<string> {
    for (const wanted of [port, 0]) {
      const { promise, resolve } = Promise.withResolvers<Error | undefined>();
      this.#server.once('error', resolve).listen(wanted, host, () => resolve(undefined));
      const error = await promise;
      this.#server.removeAllListeners('error');
      if (error === undefined) break;
      if (wanted === 0) throw error;
    }
    return `http://${host}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Shows the report of a run. */
  show(report: string): void {
    this.#report = report;
    this.#tell(undefined);
  }

  /** Shows why a run has no report, above the last one. */
  fail(problem: string): void {
    this.#tell(problem);
  }

  close(): Promise<void> {
    for (const reader of this.#readers) reader.end();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #tell(problem: string | undefined): void {
    this.#problem = problem;
    this.#run += 1;
    for (const reader of this.#readers) reader.write(this.#event());
  }

  #event(): string {
    return `data: ${JSON.stringify({ run: this.#run, problem: this.#problem ?? null })}\n\n`;
  }

  #answer({ headers, method, url }: IncomingMessage, response: ServerResponse): void {
    const name = (headers.host ?? '').replace(/:\d+$/u, '');
    if (name !== host && name !== 'localhost') {
      response.writeHead(403).end(`open this page as ${host} or localhost, not as ${name}\n`);
      return;
    }
    if (method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end();
      return;
    }
    if (url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      this.#readers.add(response);
      response.on('close', () => this.#readers.delete(response));
      response.write(this.#event());
      return;
    }
    if (url !== '/' && url !== '/report') {
      response.writeHead(404).end('the page is at /\n');
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
    });
    response.end(url === '/' ? frame : this.#report);
  }
}
