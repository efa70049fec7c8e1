/**
 * The page of `millrace dev`: the report of the last run, which replaces itself after each run.
 * Scroll position, range of the charts and opened parts stay.
 *
 * Invariant: only this machine can read it, also by a name that a foreign page made for 127.0.0.1.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { send, sendText } from '../../dashboard/http/answer.ts';
import { EventStream } from '../../dashboard/http/event-stream.ts';
import { type PageRequest, PageServer } from '../../dashboard/http/page-server.ts';
import { contentPolicy } from '../../dashboard/http/security-headers.ts';
import { createTimers } from '../../runtime/timers.ts';
import { devScript } from './dev-script.ts';

const host = '127.0.0.1';

/** Shows the report of `/report` in a frame, which has a policy of its own. */
const frame = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>millrace dev</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<body><script>${devScript}</script></body></html>
`;

const ownPolicy = contentPolicy({
  scripts: `'sha256-${createHash('sha256').update(devScript).digest('base64')}'`,
  styles: "'unsafe-inline'",
});
const policy = `${ownPolicy}; frame-src 'self'`;

/** The report's own element says what it may load: nothing. */
const reportPolicy = "frame-ancestors 'self'";

export class DevPage {
  readonly #server = new PageServer({
    listen: host,
    hosts: [],
    hostAdvice: `open it as ${host} or localhost`,
    handle: (request, response) => this.#answer(request, response),
    onFault: (error) => this.fail(String(error)),
  });
  readonly #timers = createTimers();
  readonly #readers = new Set<EventStream>();
  #report = '<!doctype html><title>millrace dev</title><body><p>The first run is not done.</p>';
  /** What the page shows above the last report; undefined if the last run was fine. */
  #problem: string | undefined;
  #run = 0;

  /** Listens at `port`, or at a free one if it is taken; returns the page's address. */
  async listen(port: number): Promise<string> {
    return `http://${host}:${await this.#server.listenNear(port)}`;
  }

  show(report: string): void {
    this.#report = report;
    this.#tell(undefined);
  }

  /** Shows why a run has no report, above the last one. */
  fail(problem: string): void {
    this.#tell(problem);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #tell(problem: string | undefined): void {
    this.#problem = problem;
    this.#run += 1;
    for (const reader of this.#readers) this.#send(reader);
  }

  #send(reader: EventStream): void {
    reader.state('message', JSON.stringify({ run: this.#run, problem: this.#problem ?? null }));
  }

  #answer({ method, path }: PageRequest, response: ServerResponse): void {
    if (method !== 'GET') {
      sendText(response, 405, 'this page is only read');
    } else if (path === '/events') {
      const onEnd = () => void this.#readers.delete(reader);
      const reader = new EventStream(response, { timers: this.#timers, onEnd });
      this.#readers.add(reader);
      this.#send(reader);
    } else if (path !== '/' && path !== '/report') {
      sendText(response, 404, 'the page is at /');
    } else {
      response.setHeader('content-security-policy', path === '/' ? policy : reportPolicy);
      send(response, 200, 'text/html; charset=utf-8', path === '/' ? frame : this.#report);
    }
  }
}
