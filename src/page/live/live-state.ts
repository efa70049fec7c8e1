/**
 * What the live page knows: the bots of the machine, the chosen one, its newest status and whether
 * it is connected.
 *
 * Invariants: one stream per page, and none while the page is hidden; of the past nothing is kept
 * but the newest status, so a page that is open for days does not grow.
 */
import { computed, signal } from '@preact/signals';
import type {
  BackEvent,
  BotEntry,
  GoneEvent,
  StoredStatus,
} from '../../dashboard/api/bot-answers.ts';
import type { BotStatus } from '../../domain/bot-status.ts';
import { after, browserNowMs, every } from '../browser/browser-time.ts';
import { openStream, type Reply } from '../browser/request.ts';
import { afterAnswer, type Connection } from './connection.ts';
import { eventsPath, openSession, read, readBots } from './live-api.ts';

export type LiveState = ReturnType<typeof createLiveState>;

const botsEveryMs = 10_000;
const retryMs = 2_000;
/** A hidden page gives its stream back after this time: browsers allow six to a server. */
const hiddenMs = 15_000;

export function createLiveState() {
  const bots = signal<readonly BotEntry[]>([]);
  /** Whether the server asks for a token. */
  const needsToken = signal(false);
  const problem = signal<string | undefined>(undefined);
  const botId = signal<string | undefined>(botOfAddress());
  const bot = computed(() => bots.value.find(({ id }) => id === botId.value));
  const status = signal<BotStatus | undefined>(undefined);
  const stored = signal<StoredStatus | undefined>(undefined);
  const connection = signal<Connection>({ kind: 'connecting' });
  /** What happened while the page was not connected. */
  const happened = signal<string | undefined>(undefined);
  let closeStream: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;

  const isFine = <Answer>(
    reply: Reply<Answer>,
  ): reply is Extract<Reply<Answer>, { isOk: true }> => {
    if (reply.isOk) {
      problem.value = undefined;
      return true;
    }
    if (reply.status === 401) needsToken.value = true;
    else problem.value = reply.text;
    return false;
  };

  async function refreshBots(): Promise<void> {
    const reply = await readBots();
    if (!isFine(reply)) return;
    needsToken.value = false;
    bots.value = reply.answer.bots;
    if (bot.value === undefined) choose(reply.answer.bots[0]?.id);
  }

  async function refreshStatus(id: string): Promise<void> {
    const reply = await read('status', id);
    if (id !== botId.value || !isFine(reply)) return;
    stored.value = reply.answer.stored ?? undefined;
    const before = connection.peek();
    const next = afterAnswer(before, reply.answer, browserNowMs());
    if (next === before) return;
    if (reply.answer.status !== null) takeStatus(reply.answer.status);
    else connection.value = next;
  }

  function takeStatus(next: BotStatus): void {
    const before = status.peek();
    if (before !== undefined && before.bot === next.bot && before.run !== next.run)
      happened.value = `${next.bot} was started again: run ${next.run}.`;
    status.value = next;
    if (connection.peek().kind !== 'live') connection.value = { kind: 'live' };
  }

  function connect(): void {
    disconnect();
    const id = botId.peek();
    if (id === undefined || document.hidden) return;
    closeStream = openStream(eventsPath(id), {
      onOpen: () => void refreshStatus(id),
      onBreak: (isFinal) => {
        if (connection.peek().kind !== 'lost')
          connection.value = { kind: 'lost', sinceMs: browserNowMs(), text: lostText };
        if (!isFinal) return;
        closeStream?.();
        cancelRetry = after(retryMs, () => {
          void refreshBots();
          connect();
        });
      },
      on: {
        status: (data) => takeStatus(data as BotStatus),
        gone: (data) => {
          const { atMs, text } = data as GoneEvent;
          connection.value = { kind: 'ended', sinceMs: atMs, text };
          void refreshStatus(id);
          void refreshBots();
        },
        back: (data) => {
          happened.value = `${(data as BackEvent).bot.bot} runs again.`;
          void refreshBots();
        },
      },
    });
  }

  function disconnect(): void {
    closeStream?.();
    cancelRetry?.();
    closeStream = undefined;
  }

  function choose(id: string | undefined): void {
    if (id === undefined || id === botId.peek()) return;
    botId.value = id;
    status.value = undefined;
    stored.value = undefined;
    happened.value = undefined;
    connection.value = { kind: 'connecting' };
    history.replaceState(null, '', `#${new URLSearchParams({ bot: id })}`);
    connect();
  }

  async function login(token: string): Promise<string | undefined> {
    const reply = await openSession(token);
    if (!reply.isOk) return reply.text;
    needsToken.value = false;
    await refreshBots();
    connect();
    return undefined;
  }

  /** Connects the page; the result ends everything. */
  function start(): () => void {
    let cancelHiding: (() => void) | undefined;
    const onVisibility = (): void => {
      cancelHiding?.();
      if (document.hidden) cancelHiding = after(hiddenMs, disconnect);
      else if (closeStream === undefined) connect();
    };
    document.addEventListener('visibilitychange', onVisibility);
    const endPolling = every(botsEveryMs, () => {
      if (!document.hidden && !needsToken.peek()) void refreshBots();
    });
    const token = takeTokenOfAddress();
    void (token === undefined ? refreshBots().then(connect) : login(token));
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      endPolling();
      disconnect();
    };
  }

  return {
    ...{ bots, bot, botId, status, stored, connection, happened, needsToken, problem },
    ...{ choose, login, start },
  };
}

const lostText = 'The server of this page does not answer.';
/** The token that opened the page is not left in the address, where others could read it. */
function takeTokenOfAddress(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

function botOfAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('bot') ?? undefined;
}
