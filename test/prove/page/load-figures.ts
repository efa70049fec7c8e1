/** What open pages cost the bot, how fast a long history appears, and whether a page grows. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { longHistory } from '../../support/page-records.ts';
import { openPageWorld } from '../../support/page-world.ts';
import { millrace } from '../../support/process-bot.ts';
import { firstPaintMs, nextFrame } from './in-page.mjs';
import { openLivePage, openPage } from './opened-page.ts';
import type { PageBot } from './page-bot.ts';

const pages = 3;
/** Early, in the middle and late in the sample, and the decision about a late order. */
const reachedPlaces = ['12:01', '12:27', '12:53:30', '2300'];
const scenario = 'first';
const windowMs = 8_000;
/** Times of a process are in ticks of this length. */
const tickMs = 10;

export type LoadFigures = {
  /** CPU time of the bot's main thread for three pages, as a share of time. */
  readonly loopShare: number;
  readonly loopShareWithPages: number;
  readonly loopShareWithout: number;
};

/** The process has the id of its main thread, which runs the trading loop. */
function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

async function shareOver(pid: number, ms: number): Promise<number> {
  const [beganMs, usedMs] = [performance.now(), mainThreadMs(pid)];
  await new Promise((resolve) => setTimeout(resolve, ms));
  return (mainThreadMs(pid) - usedMs) / (performance.now() - beganMs);
}

/** In turns without and with pages, because the market is never the same twice. */
export async function loadFigures(
  browser: Browser,
  bot: PageBot,
  rounds: number,
): Promise<LoadFigures> {
  const shares = { without: [] as number[], with: [] as number[] };
  const measureWithout = async (): Promise<void> => {
    shares.without.push(await shareOver(bot.process.pid, windowMs));
  };
  for (let turn = 0; turn < rounds; turn++) {
    // A bot trades less and less at first, so neither may always be measured first.
    if (turn % 2 === 0) await measureWithout();
    const opened = await Promise.all(
      Array.from({ length: pages }, () => openLivePage(browser, bot.address, { plant: undefined })),
    );
    shares.with.push(await shareOver(bot.process.pid, windowMs));
    await Promise.all(opened.map(({ close }) => close()));
    if (turn % 2 === 1) await measureWithout();
  }
  const mean = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0) / all.length;
  const [without, withPages] = [mean(shares.without), mean(shares.with)];
  return {
    loopShare: round(Math.max(0, withPages - without)),
    loopShareWithPages: round(withPages),
    loopShareWithout: round(without),
  };
}

export type PaintFigures = {
  readonly fillsOfHistory: number;
  readonly secondsToFirstPaint: number;
  /** Until the charts of the whole history are drawn. */
  readonly secondsToCharts: number;
  readonly historyBytes: number;
};

/** A page over a history of many fills, in a browser that has not seen it before. */
export async function paintFigures(browser: Browser, fills: number): Promise<PaintFigures> {
  const world = await openPageWorld({ records: longHistory(fills), name: 'long' });
  try {
    const opened = await openPage(browser, world.open.address, { plant: undefined });
    const { page } = opened;
    await page.locator('.chart canvas').first().waitFor();
    const firstPaint = await page.evaluate(firstPaintMs);
    await page.locator('[data-panel=charts] .chart-readout').first().waitFor();
    const beganMs = performance.now();
    const answered = Promise.all(
      ['/history?', '/fills?'].map((part) =>
        page.waitForResponse((response) => response.url().includes(part)),
      ),
    );
    await page.getByRole('button', { name: 'All', exact: true }).click();
    const bodies = await Promise.all((await answered).map((one) => one.body()));
    await page.evaluate(nextFrame);
    const secondsToCharts = (performance.now() - beganMs) / 1_000;
    await opened.close();
    return {
      fillsOfHistory: fills,
      secondsToFirstPaint: round(firstPaint / 1_000),
      secondsToCharts: round(secondsToCharts),
      historyBytes: bodies.reduce((sum, body) => sum + body.length, 0),
    };
  } finally {
    await world.close();
  }
}

/** By how many bytes the heap of an open page grows in a minute, after collections of garbage. */
export async function heapGrowth(browser: Browser, bot: PageBot, seconds: number): Promise<number> {
  const opened = await openLivePage(browser, bot.address, { plant: undefined });
  const session = await opened.page.context().newCDPSession(opened.page);
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await opened.page.waitForTimeout(5_000);
  const first = await heap();
  await opened.page.waitForTimeout(seconds * 1_000);
  const last = await heap();
  await opened.close();
  return Math.round(((last - first) * 60) / seconds);
}

function round(value: number): number {
  return Number(value.toFixed(4));
}

export type ReachFigures = {
  /** How long `millrace debug` takes to show an event of the sample; the slowest of four. */
  readonly secondsToEvent: number;
  /** The same as a ratio to `millrace backtest` of the same sample. */
  readonly eventToBacktest: number;
};

/** In turns, and the fastest of each: the machine may be busy. */
export async function reachFigures(rounds: number): Promise<ReachFigures> {
  const commands = [
    ['backtest', scenario, '--json'],
    ...reachedPlaces.map((at) => ['debug', scenario, '--at', at, '--json']),
  ];
  const best = commands.map(() => Infinity);
  for (let turn = 0; turn < rounds; turn++)
    for (const [index, words] of commands.entries())
      best[index] = Math.min(best[index] as number, await secondsOf(words));
  const [backtest, ...reached] = best;
  const secondsToEvent = Math.max(...reached);
  return {
    secondsToEvent: round(secondsToEvent),
    eventToBacktest: round(secondsToEvent / (backtest as number)),
  };
}

async function secondsOf(words: readonly string[]): Promise<number> {
  const beganMs = performance.now();
  const asked = millrace([...words]);
  const { code } = await asked.ended;
  if (code !== 0) throw new Error(`millrace ${words.join(' ')}: code ${code}: ${asked.stderr}`);
  return (performance.now() - beganMs) / 1_000;
}
