/**
 * A bot, an exchange with a market of its own and the hostile proxy between them, on ports of their
 * own, and the faults that they go through one after another.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { askBot } from '../../../src/control/control-client.ts';
import { controlPathOf } from '../../../src/control/control-message.ts';
import { createTimers } from '../../../src/runtime/timers.ts';
import { packageRoot } from '../../support/package-root.ts';
import { BotProcess, newHome } from '../../support/process-bot.ts';
import { judgeHome, type Verdict } from '../crash-judge.ts';
import { answerInstead, answerOf, type Deed, to } from './deeds.ts';
import type { Fault } from './fault.ts';
import { HostileProxy } from './hostile-proxy.ts';
import { type Finding, LaneBooks } from './lane-books.ts';
import { claimsRecovery } from './network-plants.ts';

const main = join(packageRoot, 'src', 'main.ts');
const script = join(import.meta.dirname, 'network-bot.ts');

const lookEveryMs = 400;
const steadyWithinMs = 60_000;
const strikesWithinMs = 25_000;
const lastsMsDefault = 4_000;
const recoversMs = 15_000;
/** That an order did not arrive takes longer to be certain. */
const recoversFromLossMs = 30_000;
const stopWithinMs = 60_000;
/** An order that may never have arrived is unknown for two minutes. */
const unknownWithinMs = 150_000;

export type Played = {
  readonly fault: string;
  readonly strikes: number;
  /** From the end of the fault to trading again; of a halt, from the resumption. */
  readonly recoveryMs: number | undefined;
  /** Why the bot halted, with what was halted. */
  readonly halt: string | undefined;
  readonly incidents: readonly string[];
  readonly violations: readonly string[];
  readonly duplicates: number;
  /** Whether the fault loses orders on their way. */
  readonly isLosing: boolean;
  /** Whether the bot has ended. */
  readonly hasEnded: boolean;
};

type Parts = {
  readonly home: string;
  readonly plant: string | undefined;
  readonly proxy: HostileProxy;
  readonly exchange: BotProcess;
  readonly bot: BotProcess;
  readonly books: LaneBooks;
};

export class NetworkLane {
  readonly #parts: Parts;
  /** What was wrong already, so that it counts against the fault in which it was seen first. */
  readonly #known = new Set<string>();
  #incidentsSeen = 0;

  /** Starts the three, and resolves when the bot has reconciled. */
  static async open(seed: number, plant?: string): Promise<NetworkLane> {
    const home = newHome();
    const wanted = ['--home', home, '--port', '0', '--seed', String(seed), '--json', '--control'];
    const exchange = start([main, 'exchange', ...wanted]);
    await exchange.sees(/"baseUrl"/u);
    const { baseUrl } = JSON.parse(exchange.stdout) as { readonly baseUrl: string };
    const proxy = new HostileProxy(Number.parseInt(new URL(baseUrl).port, 10));
    await proxy.open();
    const environment = plant === undefined ? {} : { MILLRACE_PLANT: plant };
    const bot = start([script, home, proxy.baseUrl], environment);
    await bot.sees(/reconciled: /u);
    const books = new LaneBooks({ home, baseUrl, store: storeOf(home) });
    return new NetworkLane({ home, plant, proxy, exchange, bot, books });
  }

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Plays one fault from a bot that trades to a bot that trades again. */
  async play(fault: Fault): Promise<Played> {
    const { proxy, books, bot } = this.#parts;
    const violations: string[] = [];
    const found = { duplicates: 0, halt: undefined as string | undefined };
    const note = (finding: Finding): void => {
      for (const text of finding.wrong) {
        if (!this.#known.has(text)) violations.push(text);
        this.#known.add(text);
      }
      found.duplicates = Math.max(found.duplicates, finding.duplicates);
    };
    const steady = await this.#until(isSteady, { withinMs: steadyWithinMs, note });
    if (!steady.isTrue) violations.push(`no steady trade before it: ${stateText(steady.finding)}`);
    const struck = proxy.begin(fault.hooks());
    const hasStruck = await Promise.race([struck.then(() => true), limit(strikesWithinMs)]);
    if (hasStruck !== true) violations.push(`it did nothing within ${strikesWithinMs} ms`);
    await sleep(fault.lastsMs ?? lastsMsDefault);
    const { strikes } = proxy;
    await proxy.end();
    if (this.#parts.plant === claimsRecovery) void proxy.begin(to(['postorder'], pretendToTake()));

    const withinMs = fault.isLosing === true ? recoversFromLossMs : recoversMs;
    const { timeMs } = await books.compare();
    const isBack = (finding: Finding): boolean =>
      isSteady(finding) && finding.newestOrderMs > timeMs;
    let back = await this.#until((one) => isBack(one) || one.closed.length > 0, { withinMs, note });
    if (back.finding.closed.length > 0) {
      found.halt = back.finding.closed
        .map(({ scope, state, reason }) => `${scope} ${state}: ${reason}`)
        .join('; ');
      if (fault.halts?.test(found.halt) !== true) violations.push(`it halted: ${found.halt}`);
      await this.#resume(back.finding);
      back = await this.#until(isBack, { withinMs, note });
    }
    if (!back.isTrue)
      violations.push(`no trade within ${withinMs} ms after it: ${stateText(back.finding)}`);
    if (bot.hasEnded) violations.push(`the bot ended: ${bot.text.slice(-1_000)}`);
    const incidents = back.finding.incidents.slice(this.#incidentsSeen);
    this.#incidentsSeen = back.finding.incidents.length;
    return {
      fault: fault.name,
      strikes,
      recoveryMs: back.isTrue ? back.afterMs : undefined,
      ...found,
      isLosing: fault.isLosing === true,
      hasEnded: bot.hasEnded,
      incidents: incidents.map(({ code, text }) => `${code}: ${text}`),
      violations,
    };
  }

  /** Everything that the bot has printed. */
  get said(): string {
    return this.#parts.bot.text;
  }

  /** Ends everything without a judgement. */
  async abandon(): Promise<void> {
    const { books, proxy, bot, exchange } = this.#parts;
    books.close();
    await Promise.all([bot.kill(), exchange.kill()]);
    await proxy.close();
  }

  /** Stops bot and exchange in order and judges what they leave; returns what is wrong. */
  async close(): Promise<{ readonly verdict: Verdict; readonly violations: readonly string[] }> {
    const { home, proxy, bot, exchange, books } = this.#parts;
    const violations: string[] = [];
    await this.#until((finding) => finding.unknownOrders === 0, { withinMs: unknownWithinMs });
    books.close();
    bot.signal('SIGTERM');
    const ended = await Promise.race([bot.ended, limit(stopWithinMs)]);
    if (ended === undefined) {
      violations.push(`the bot does not stop: ${bot.text.slice(-500)}`);
      await bot.kill();
    } else if (ended.code !== 0)
      violations.push(`the bot ended with ${ended.code}: ${bot.text.slice(-1_000)}`);
    await proxy.close();
    exchange.signal('SIGTERM');
    await exchange.ended;
    const verdict = await judgeHome(home, storeOf(home));
    // Each fault answers for its own incidents.
    const lasting = verdict.violations.filter((text) => !text.startsWith('incident '));
    return { verdict, violations: [...violations, ...lasting] };
  }

  async #until(
    isTrue: (finding: Finding) => boolean,
    { withinMs, note }: { readonly withinMs: number; readonly note?: (one: Finding) => void },
  ): Promise<{ readonly isTrue: boolean; readonly finding: Finding; readonly afterMs: number }> {
    const startedMs = performance.now();
    for (;;) {
      const finding = await this.#parts.books.compare();
      note?.(finding);
      const afterMs = performance.now() - startedMs;
      if (isTrue(finding)) return { isTrue: true, finding, afterMs };
      if (afterMs > withinMs || this.#parts.bot.hasEnded)
        return { isTrue: false, finding, afterMs };
      await sleep(lookEveryMs);
    }
  }

  /** Does what a person would do who has looked at the reason. */
  async #resume({ closed }: Finding): Promise<void> {
    const path = controlPathOf(storeOf(this.#parts.home)) ?? '';
    for (const { scope } of closed) {
      const request = { command: 'resume', reason: 'the prover looked', scope } as const;
      await askBot(path, request, { timers: createTimers(), onProgress: () => {} });
    }
  }
}

/**
 * Whether everything is as without a fault. An order that a fault has left unknown is none: the one
 * that it replaces may still rest, and its side would be empty in the time of the next fault.
 */
function isSteady({ sides, differences, closed, wrong, unknownOrders }: Finding): boolean {
  const isQuoted = sides.includes('BUY') && sides.includes('SELL');
  const isClear = differences.length === 0 && closed.length === 0 && wrong.length === 0;
  return isQuoted && isClear && unknownOrders === 0;
}

function stateText({ sides, differences, closed, unknownOrders }: Finding): string {
  return [
    `orders on ${sides.join(' and ') || 'no side'}`,
    ...(unknownOrders === 0 ? [] : [`${unknownOrders} unknown`]),
    ...closed.map(({ scope, state, reason }) => `${scope} ${state} (${reason})`),
    ...differences.slice(0, 3),
  ].join(', ');
}

/** Answers each order with an id of its own. */
function pretendToTake(): Deed {
  let count = 0;
  return answerInstead(() =>
    answerOf(200, JSON.stringify({ order_id: `BXCLAIMED${String(++count).padStart(6, '0')}` })),
  );
}

function storeOf(home: string): string {
  return join(home, 'network.sqlite');
}

function start(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): BotProcess {
  const child = spawn(process.execPath, commandLine, {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  return new BotProcess(child);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** As {@link sleep}, for a race that may be over earlier. */
function limit(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());
}
