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

const botsEveryMs = 10_000;
const retryMs = 2_000;
/** A hidden page gives its stream back after this time: browsers allow six to a server. */
const hiddenMs = 15_000;

export class LiveState {
  readonly bots = signal<readonly BotEntry[]>([]);
  /** Whether the server asks for a token. */
  readonly needsToken = signal(false);
  readonly problem = signal<string | undefined>(undefined);
  readonly botId = signal<string | undefined>(botOfAddress());
  readonly bot = computed(() => this.bots.value.find(({ id }) => id === this.botId.value));
  readonly status = signal<BotStatus | undefined>(undefined);
  readonly stored = signal<StoredStatus | undefined>(undefined);
  readonly connection = signal<Connection>({ kind: 'connecting' });
  /** What happened while the page was not connected. */
  readonly happened = signal<string | undefined>(undefined);
  #closeStream: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  /** Connects the page; the result ends everything. */
  start(): () => void {
    let cancelHiding: (() => void) | undefined;
    const onVisibility = (): void => {
      cancelHiding?.();
      if (document.hidden) cancelHiding = after(hiddenMs, () => this.#disconnect());
      else if (this.#closeStream === undefined) this.#connect();
    };
    document.addEventListener('visibilitychange', onVisibility);
    const endPolling = every(botsEveryMs, () => {
      if (!document.hidden && !this.needsToken.peek()) void this.#refreshBots();
    });
    const token = takeTokenOfAddress();
    void (token === undefined
      ? this.#refreshBots().then(() => this.#connect())
      : this.login(token));
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      endPolling();
      this.#disconnect();
    };
  }

  choose(id: string | undefined): void {
    if (id === undefined || id === this.botId.peek()) return;
    this.botId.value = id;
    this.status.value = undefined;
    this.stored.value = undefined;
    this.happened.value = undefined;
    this.connection.value = { kind: 'connecting' };
    history.replaceState(null, '', `#${new URLSearchParams({ bot: id })}`);
    this.#connect();
  }

  async login(token: string): Promise<string | undefined> {
    const reply = await openSession(token);
    if (!reply.isOk) return reply.text;
    this.needsToken.value = false;
    await this.#refreshBots();
    this.#connect();
    return undefined;
  }

  #connect(): void {
    this.#disconnect();
    const id = this.botId.peek();
    if (id === undefined || document.hidden) return;
    this.#closeStream = openStream(eventsPath(id), {
      onOpen: () => void this.#refreshStatus(id),
      onBreak: (isFinal) => this.#noteBreak(isFinal),
      on: {
        status: (data) => this.#takeStatus(data as BotStatus),
        gone: (data) => {
          const { atMs, text } = data as GoneEvent;
          this.connection.value = { kind: 'ended', sinceMs: atMs, text };
          void this.#refreshStatus(id);
          void this.#refreshBots();
        },
        back: (data) => {
          this.happened.value = `${(data as BackEvent).bot.bot} runs again.`;
          void this.#refreshBots();
        },
      },
    });
  }

  #disconnect(): void {
    this.#closeStream?.();
    this.#cancelRetry?.();
    this.#closeStream = undefined;
  }

  #noteBreak(isFinal: boolean): void {
    if (this.connection.peek().kind !== 'lost')
      this.connection.value = { kind: 'lost', sinceMs: browserNowMs(), text: lostText };
    if (!isFinal) return;
    this.#closeStream?.();
    this.#cancelRetry = after(retryMs, () => {
      void this.#refreshBots();
      this.#connect();
    });
  }

  async #refreshBots(): Promise<void> {
    const reply = await readBots();
    if (!this.#isFine(reply)) return;
    this.needsToken.value = false;
    this.bots.value = reply.answer.bots;
    if (this.bot.value === undefined) this.choose(reply.answer.bots[0]?.id);
  }

  async #refreshStatus(id: string): Promise<void> {
    const reply = await read('status', id);
    if (id !== this.botId.value || !this.#isFine(reply)) return;
    this.stored.value = reply.answer.stored ?? undefined;
    const before = this.connection.peek();
    const next = afterAnswer(before, reply.answer, browserNowMs());
    if (next === before) return;
    if (reply.answer.status !== null) this.#takeStatus(reply.answer.status);
    else this.connection.value = next;
  }

  #takeStatus(next: BotStatus): void {
    const before = this.status.peek();
    if (before !== undefined && before.bot === next.bot && before.run !== next.run)
      this.happened.value = `${next.bot} was started again: run ${next.run}.`;
    this.status.value = next;
    if (this.connection.peek().kind !== 'live') this.connection.value = { kind: 'live' };
  }

  #isFine<Answer>(reply: Reply<Answer>): reply is Extract<Reply<Answer>, { isOk: true }> {
    if (reply.isOk) {
      this.problem.value = undefined;
      return true;
    }
    if (reply.status === 401) this.needsToken.value = true;
    else this.problem.value = reply.text;
    return false;
  }
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
