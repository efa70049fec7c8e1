/**
 * The page of `millrace debug` and the answers behind it. Only this machine can read it, and only
 * who knows its address, which has a random key: other users of the machine do not.
 */
import type { ServerResponse } from 'node:http';
import type { DebugSession } from '../../bot/debug/debug-session.ts';
import { type MarkKind, markKinds } from '../../bot/debug/event-facts.ts';
import { sendJson, sendProblem } from '../../dashboard/http/answer.ts';
import { PageFiles } from '../../dashboard/http/page-files.ts';
import { type PageRequest, PageServer } from '../../dashboard/http/page-server.ts';
import { MillraceError, NotFoundError } from '../../domain/errors.ts';
import { randomToken } from '../../runtime/system-random.ts';

const host = '127.0.0.1';
/** Events around one that a list may ask for. */
const listedMax = 100;

export type DebugServerOptions = {
  readonly session: DebugSession;
  /** The event that the page shows first. */
  readonly first: number;
  /** Stops the debugger in the strategy at an event; undefined without `--inspect`. */
  readonly stopAt: ((number: number) => Promise<void>) | undefined;
  readonly onFault: (error: unknown) => void;
};

export class DebugServer {
  readonly #options: DebugServerOptions;
  readonly #key = randomToken(16);
  readonly #files: PageFiles;
  readonly #server: PageServer;

  constructor(options: DebugServerOptions) {
    this.#options = options;
    const { first, stopAt, onFault, session } = options;
    const content = { page: 'debug', first, hasDebugger: stopAt !== undefined };
    const title = `${session.facts.name} · millrace debug`;
    this.#files = new PageFiles({ title, content });
    this.#server = new PageServer({
      ...{ listen: host, hosts: [], hostAdvice: `open it as ${host} or localhost`, onFault },
      handle: (request, response) => this.#answer(request, response),
    });
  }

  /** Listens at `port`, or at a free one if it is taken; returns the page's address. */
  async listen(port: number): Promise<string> {
    return `http://${host}:${await this.#server.listenNear(port)}/${this.#key}/page`;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #answer(request: PageRequest, response: ServerResponse): Promise<void> {
    const base = `/${this.#key}`;
    if (!request.path.startsWith(`${base}/`)) {
      const text = 'there is nothing here; open the address that `millrace debug` printed';
      sendProblem(response, { status: 404, code: 'NOT_FOUND', text });
      return;
    }
    const path = request.path.slice(base.length);
    const file = path === '/page' ? '/' : path;
    if (this.#files.answer({ ...request, path: file }, response)) return;
    try {
      await this.#answerCall(request.method, path, request.query, response);
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      const status = error instanceof NotFoundError ? 404 : 400;
      sendProblem(response, { status, code: error.code, text: error.message });
    }
  }

  async #answerCall(
    method: PageRequest['method'],
    path: string,
    query: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const { session, stopAt } = this.#options;
    const call = `${method} ${path}`;
    if (call === 'GET /api/run') sendJson(response, 200, session.facts);
    else if (call === 'GET /api/event')
      sendJson(response, 200, await session.factsOf(numberIn(query, 'number')));
    else if (call === 'GET /api/events') {
      const from = numberIn(query, 'from');
      const to = Math.min(numberIn(query, 'to'), from + listedMax - 1);
      const facts = await session.factsBetween(from, to);
      const listed = facts.map(({ number, time, text, marks }) => ({ number, time, text, marks }));
      sendJson(response, 200, listed);
    } else if (call === 'GET /api/find')
      sendJson(response, 200, { number: session.find(markQueryOf(query)) ?? null });
    else if (call === 'GET /api/place')
      sendJson(response, 200, await placeOf(session, query.get('at') ?? ''));
    else if (call === 'POST /api/stop' && stopAt !== undefined) {
      await stopAt(numberIn(query, 'number'));
      sendJson(response, 200, {});
    } else sendProblem(response, { status: 404, code: 'NOT_FOUND', text: 'there is no such call' });
  }
}

/** Answers a request for an order or a time outside the run with text that the page shows. */
async function placeOf(session: DebugSession, at: string) {
  try {
    return { number: await session.numberOf(at) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return { number: null, problem: error.message };
  }
}

function numberIn(query: URLSearchParams, name: string): number {
  return Number.parseInt(query.get(name) ?? '', 10);
}

function markQueryOf(query: URLSearchParams) {
  const kind = query.get('kind');
  return {
    from: numberIn(query, 'from'),
    isBackward: query.get('backward') === 'true',
    kind: markKinds.find((one: MarkKind) => one === kind),
    strategyId: query.get('strategy') ?? undefined,
  };
}
