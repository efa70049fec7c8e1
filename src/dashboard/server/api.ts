/**
 * Answers the operations of the API: finds the operation, checks who asks and what, and calls what
 * knows the answer.
 *
 * Invariant: nothing of a bot is read before the view token or its cookie was right, and nothing is
 * commanded before its command token was.
 */
import type { ServerResponse } from 'node:http';
import type { SeenBot } from '../../control/bot-registry.ts';
import { askBot } from '../../control/control-client.ts';
import { controlPathOf } from '../../control/control-message.ts';
import type { BotStatus } from '../../domain/bot-status.ts';
import { MillraceError, StoreError } from '../../domain/errors.ts';
import type { Timers } from '../../runtime/timers.ts';
import { describeFailure, sqliteCodeOf } from '../../store/sqlite-failure.ts';
import { openStoreHistory, type StoreHistory } from '../../store/store-history.ts';
import type { PageAccess, ViewVerdict } from '../access/page-access.ts';
import { commandTokenPath, readToken } from '../access/token-file.ts';
import { type ApiOperation, commandTokenHeader, requestHeader } from '../api/api-operation.ts';
import { apiOperations, type OperationName } from '../api/api-operations.ts';
import { commandRequest, type StatusAnswer, sessionRequest } from '../api/bot-answers.ts';
import {
  daysQuery,
  historyQuery,
  logQuery,
  ordersQuery,
  pageQuery,
  refusalsQuery,
} from '../api/history-answers.ts';
import { pageApiDocument } from '../api/page-openapi.ts';
import { BotFeed, goneText } from '../bots/bot-feed.ts';
import type { KnownBots } from '../bots/known-bots.ts';
import { lastKnownStatusOf } from '../bots/last-known-status.ts';
import { fillsAnswerOf, historyAnswerOf } from '../history/chart-columns.ts';
import { dayRowsOf } from '../history/day-rows.ts';
import { logLines } from '../history/log-lines.ts';
import {
  commandsAnswerOf,
  incidentsAnswerOf,
  ordersAnswerOf,
  refusalsAnswerOf,
  storyAnswerOf,
} from '../history/record-rows.ts';
import { sendJson, sendProblem } from '../http/answer.ts';
import { EventStream } from '../http/event-stream.ts';
import type { PageRequest } from '../http/page-server.ts';
import { readJson } from '../http/request-body.ts';
import { sendCommand } from './command-sender.ts';
import { ReadQueue } from './read-queue.ts';
import { checked, RequestProblem } from './request-problem.ts';
import { routeOf } from './route.ts';

export type ApiOptions = {
  readonly access: PageAccess;
  readonly bots: KnownBots;
  /** The id of the bot that serves the page. */
  readonly own: string;
  readonly timers: Timers;
  readonly nowMs: () => number;
};

/** Streams of all pages together; a page needs one. */
const streamsMax = 48;
/** For how long a status that was asked for answers others too. */
const statusMs = 250;

/** What a handler needs of a request whose sender is known. */
type Asked = {
  readonly bot: SeenBot;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly hasLeft: () => boolean;
};

type Handler = (asked: Asked) => unknown;
/** Operations that answer with JSON and only read one bot. */
type ReadName = Exclude<OperationName, 'session' | 'bots' | 'events' | 'command' | 'openapi'>;

export class Api {
  readonly #options: ApiOptions;
  readonly #feeds = new Map<string, BotFeed>();
  /** Answers of bots that were asked a moment ago. */
  readonly #statuses = new Map<string, Promise<BotStatus | undefined>>();
  readonly #queue = new ReadQueue();
  #streams = 0;
  readonly #reads: Readonly<Record<ReadName, Handler>>;

  constructor(options: ApiOptions) {
    this.#options = options;
    const { timers, nowMs } = options;
    const context = () => ({ timers, nowMs: nowMs() });
    this.#reads = {
      status: (asked) => this.#status(asked),
      history: (asked) =>
        this.#reading(asked, (history) =>
          historyAnswerOf(history, checked(historyQuery, asked.query, 'query'), context()),
        ),
      fills: (asked) =>
        this.#reading(asked, (history) =>
          fillsAnswerOf(history, checked(historyQuery, asked.query, 'query'), context()),
        ),
      orders: (asked) =>
        this.#reading(asked, (history) =>
          ordersAnswerOf(history, checked(ordersQuery, asked.query, 'query')),
        ),
      story: (asked) =>
        this.#reading(asked, (history) => {
          const { intentId = '' } = asked.parameters;
          const isId = /^\d{1,15}$/u.test(intentId);
          const story = isId ? storyAnswerOf(history, Number.parseInt(intentId, 10)) : undefined;
          if (story !== undefined) return story;
          throw new RequestProblem(404, 'NOT_FOUND', `${asked.bot.bot} has no order ${intentId}`);
        }),
      incidents: (asked) =>
        this.#reading(asked, (history) =>
          incidentsAnswerOf(history, checked(pageQuery, asked.query, 'query')),
        ),
      refusals: (asked) =>
        this.#reading(asked, (history) =>
          refusalsAnswerOf(history, checked(refusalsQuery, asked.query, 'query'), nowMs()),
        ),
      commands: (asked) =>
        this.#reading(asked, (history) =>
          commandsAnswerOf(history, checked(pageQuery, asked.query, 'query')),
        ),
      days: (asked) =>
        this.#reading(asked, (history) =>
          dayRowsOf(history, checked(daysQuery, asked.query, 'query'), timers),
        ),
      log: ({ bot, query }) => ({ lines: logLines(bot, checked(logQuery, query, 'query')) }),
    };
  }

  /** Answers a request below the root of the API. */
  async answer(request: PageRequest, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (error instanceof RequestProblem) sendProblem(response, error.problem);
      else if (error instanceof MillraceError)
        sendProblem(response, { status: 503, code: error.code, text: error.message });
      else throw error;
    }
  }

  close(): void {
    for (const feed of this.#feeds.values()) feed.close();
  }

  async #answer(request: PageRequest, response: ServerResponse): Promise<void> {
    const { method, path, message } = request;
    const route = routeOf(method, path);
    if (route === undefined) throw new RequestProblem(404, 'NOT_FOUND', 'there is no such path');
    if (route === 'other')
      throw new RequestProblem(405, 'WRONG_METHOD', `${method} is not for ${path}`);
    const { name, parameters } = route;
    if (method === 'POST' && message.headers[requestHeader] === undefined)
      throw new RequestProblem(403, 'NO_HEADER', `a POST needs the header ${requestHeader}: 1`);
    if (name === 'session') {
      await this.#session(request, response);
      return;
    }
    requireRight(this.#options.access.viewOf(message.headers), 'view token', 401);
    if (name === 'openapi') sendJson(response, 200, pageApiDocument());
    else if (name === 'bots') sendJson(response, 200, { bots: this.#entries() });
    else {
      const bot = this.#bot(parameters['bot'] ?? '');
      if (name === 'events') this.#stream(bot, response);
      else if (name === 'command') await this.#command(bot, request, response);
      else {
        const operation: ApiOperation = apiOperations[name];
        const query = queryOf(request.query, operation);
        const hasLeft = () => response.destroyed;
        sendJson(response, 200, await this.#reads[name]({ bot, parameters, query, hasLeft }));
      }
    }
  }

  #entries() {
    const { bots } = this.#options;
    return bots.all().map((bot) => bots.entryOf(bot));
  }

  #bot(id: string): SeenBot {
    const bot = this.#options.bots.find(id);
    if (bot !== undefined) return bot;
    throw new RequestProblem(404, 'NOT_FOUND', 'there is no such bot; GET bots lists them');
  }

  async #session({ message }: PageRequest, response: ServerResponse): Promise<void> {
    const { access, own } = this.#options;
    const { token } = checked(sessionRequest, await bodyOf(message), 'body');
    requireRight(access.exchange(token), 'view token', 401);
    response.setHeader('set-cookie', access.cookie());
    sendJson(response, 200, { bot: own });
  }

  async #command(bot: SeenBot, { message }: PageRequest, response: ServerResponse): Promise<void> {
    const right = readToken(commandTokenPath(bot));
    if (right === undefined)
      throw new RequestProblem(
        403,
        'NO_COMMANDS',
        `${bot.bot} takes no commands from pages: it has no page of its own`,
      );
    const given = message.headers[commandTokenHeader];
    const token = typeof given === 'string' ? given : undefined;
    requireRight(this.#options.access.commandOf(bot.id, right, token), 'command token', 403);
    const request = checked(commandRequest, await bodyOf(message), 'body');
    sendJson(response, 200, await sendCommand(bot, request, this.#options.timers));
  }

  #stream(bot: SeenBot, response: ServerResponse): void {
    if (this.#streams >= streamsMax)
      throw new RequestProblem(503, 'TOO_MANY', `${streamsMax} pages are open already`);
    this.#streams++;
    const { id } = bot;
    const feed = this.#feedOf(bot);
    const onEnd = (): void => {
      this.#streams--;
      if (!feed.leave(stream)) this.#feeds.delete(id);
    };
    const stream = new EventStream(response, { timers: this.#options.timers, onEnd });
    feed.join(stream);
  }

  #feedOf(bot: SeenBot): BotFeed {
    const { id, store } = bot;
    let feed = this.#feeds.get(id);
    if (feed !== undefined) return feed;
    const { bots, timers, nowMs } = this.#options;
    feed = new BotFeed({
      path: controlPathOf(store),
      entry: () => bots.entryOf(bots.find(id) ?? { ...bot, isAlive: false }),
      note: (answers) => bots.note(id, answers),
      timers,
      nowMs,
    });
    this.#feeds.set(id, feed);
    return feed;
  }

  async #status(asked: Asked): Promise<StatusAnswer> {
    const { bot } = asked;
    const { bots } = this.#options;
    const status = this.#feeds.get(bot.id)?.status ?? (await this.#askStatus(bot));
    bots.note(bot.id, status !== undefined);
    const entry = bots.entryOf(bot);
    if (status !== undefined) return { bot: entry, status, stored: null, problem: null };
    try {
      const stored = await this.#reading(asked, ({ reports }) => lastKnownStatusOf(reports));
      return { bot: entry, status: null, stored, problem: goneText(entry) };
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      return { bot: entry, status: null, stored: null, problem: error.message };
    }
  }

  /** The trading loop composes each answer, so one serves all who ask within a moment. */
  #askStatus({ id, store }: SeenBot): Promise<BotStatus | undefined> {
    const known = this.#statuses.get(id);
    if (known !== undefined) return known;
    const { timers } = this.#options;
    const path = controlPathOf(store);
    const asked = path === undefined ? Promise.resolve(undefined) : statusFrom(path, timers);
    this.#statuses.set(id, asked);
    const forget = (): void => void this.#statuses.delete(id);
    void asked.then((status) => {
      if (status === undefined) forget();
      else timers.after(statusMs, forget, { unref: true });
    });
    return asked;
  }

  #reading<Answer>(
    { bot, hasLeft }: Asked,
    read: (history: StoreHistory) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return this.#queue.run(hasLeft, async () => {
      let history: StoreHistory | undefined;
      try {
        history = openStoreHistory(bot.store);
        return await read(history);
      } catch (error) {
        if (sqliteCodeOf(error) === undefined) throw error;
        throw new StoreError(`cannot read the database ${bot.store}: ${describeFailure(error)}`);
      } finally {
        history?.close();
      }
    });
  }
}

async function statusFrom(path: string, timers: Timers) {
  const request = { command: 'status', reason: '' } as const;
  // A bot that is blocked, or ends while it is asked, has no status.
  const answer = await askBot(path, request, { timers, onProgress: () => {} }).catch(
    () => undefined,
  );
  return answer?.status;
}

async function bodyOf(message: PageRequest['message']): Promise<unknown> {
  const body = await readJson(message);
  if ('value' in body) return body.value;
  const { status, code, text } = body.problem;
  throw new RequestProblem(status, code, text);
}

function queryOf(
  given: URLSearchParams,
  { query }: ApiOperation,
): Readonly<Record<string, string>> {
  const names = [...given.keys()];
  const known = Object.keys(query?.shape ?? {});
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new RequestProblem(
      400,
      'WRONG_VALUE',
      `the query has an unknown parameter; it may have ${known.join(', ') || 'none'}`,
    );
  return Object.fromEntries(given);
}

/** Where the tokens are. */
const tokenAdvice = {
  'view token': 'it is in page/BOT.view-token in the home of the bot that serves the page',
  'command token': 'it is in page/BOT.command-token in the home of the bot',
} as const;

function requireRight(verdict: ViewVerdict, what: keyof typeof tokenAdvice, status: number): void {
  if (verdict === 'right') return;
  if (verdict === 'too-many')
    throw new RequestProblem(
      429,
      'TOO_MANY_TOKENS',
      `too many wrong tokens: wait a minute, or give the right ${what}`,
    );
  throw new RequestProblem(status, 'NO_TOKEN', `the ${what} is ${verdict}: ${tokenAdvice[what]}`);
}
