/** When and how often a notice says that a strategy does not trade, and what is stored. */
import { beforeEach, expect, test } from 'vitest';
import type { Notice } from '../../../src/domain/notice.ts';
import { storedTradingBlocks, tradingBlockName } from '../../../src/domain/trading-block.ts';
import type { TradingSituation } from '../../../src/engine/trading/trading-situation.ts';
import { TradingWatch } from '../../../src/engine/trading/trading-watch.ts';

const trades: TradingSituation = {
  ...{ pair: 'XBTZAR', nowMs: 0, stopping: undefined, ended: undefined, missing: undefined },
  ...{ closed: [], standstillMs: undefined, throttledUntilMs: 0, clockSkewMs: undefined },
  ...{ book: undefined, unreconciled: undefined, status: 'ACTIVE', isPostOnly: true },
  ...{
    feed: undefined,
    unknown: [],
    waiting: [],
    coolUntilMs: 0,
    refused: [],
    rejected: [],
    only: undefined,
    idle: undefined,
  },
  ...{ wantsOrders: true, askedMs: 0, hasAsked: true },
};
const halted = {
  closed: [{ scope: 'bot', state: 'HALTED', reason: 'news', atMs: 0 }],
} as const;

let notices: Notice[];
let stored: Map<string, string>;
let storedNames: readonly string[] = [];
let wakes: number;
let now: Partial<TradingSituation>;
const context = {
  nowMs: 0,
  hasOutputs: false,
  notice: (notice: Notice) => void notices.push(notice),
  keepRiskState: (name: string, state: string) => void stored.set(name, state),
  wakeAfter: () => void wakes++,
};

beforeEach(() => {
  [notices, stored, wakes, now, context.nowMs] = [[], new Map(), 0, {}, 0];
  context.hasOutputs = false;
});

function watchOf(pairs = ['XBTZAR']): TradingWatch {
  const situationOf = (_: string, pair: string) => ({
    ...{ ...trades, nowMs: context.nowMs, pair },
    ...now,
  });
  const strategies = [{ id: 'mm', pairs }];
  return new TradingWatch({ context, strategies, situationOf, storedNames });
}

/** Lets `seconds` pass, with a check every 100 ms. */
function pass(watch: TradingWatch, seconds: number): void {
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    context.nowMs += 100;
    watch.check(false);
  }
}

const blocksStored = () =>
  storedTradingBlocks([...stored].map(([name, state]) => ({ name, state }))).map(
    ({ kind, sinceMs }) => [kind, sinceMs],
  );

test('a block of an earlier run is removed at once', () => {
  const name = tradingBlockName('mm', 'XBTZAR');
  const block = { strategyId: 'mm', pair: 'XBTZAR', kind: 'stopping', sinceMs: 1 };
  stored.set(name, JSON.stringify({ ...block, reason: 'its time is over', ends: 'later' }));
  storedNames = [name];
  const watch = watchOf();
  storedNames = [];
  expect(blocksStored()).toHaveLength(1);
  watch.check(false);
  expect(blocksStored()).toEqual([]);
});

test('a strategy that trades causes no notice, record or wake-up', () => {
  pass(watchOf(), 60);
  expect([notices, [...stored], wakes]).toEqual([[], [], 0]);
});

test('a refused side is named, and a strategy whose other side rests is not said to not trade', () => {
  const watch = watchOf();
  const refused = [{ what: 'ask', codes: ['FUNDS'], text: 'FUNDS: too little' }];
  for (const only of ['ASK', 'BID', 'some', undefined] as const) {
    now = { refused, only };
    pass(watch, 70);
    now = {};
    pass(watch, 70);
  }
  expect(notices.map(({ text }) => text.split(/:| after/u)[0])).toEqual([
    ...['mm XBTZAR does not sell', 'mm XBTZAR may sell again'],
    ...['mm XBTZAR does not buy', 'mm XBTZAR may buy again'],
    ...['mm XBTZAR trades only in part', 'mm XBTZAR may place all its orders again'],
    ...['mm XBTZAR does not trade', 'mm XBTZAR may trade again'],
  ]);
});

test('a halt is reported at once, once, with the command that ends it; its end is reported once', () => {
  const watch = watchOf();
  pass(watch, 1);
  now = halted;
  pass(watch, 30);
  expect(notices).toEqual([
    {
      ...{ level: 'warn', topic: 'state', remedy: { command: 'resume', scope: 'bot' } },
      text: 'mm XBTZAR does not trade: bot is HALTED: news; ends when a person resumes it',
    },
  ]);
  expect(blocksStored()).toEqual([['halted', 0]]);
  expect(watch.blocks).toMatchObject([{ kind: 'halted', strategyId: 'mm', pair: 'XBTZAR' }]);
  now = {};
  pass(watch, 5);
  expect(notices.slice(1).map(({ level, text }) => `${level} ${text}`)).toEqual([
    expect.stringMatching(
      /^info mm XBTZAR may trade again after 3\d s; the cause was: bot is HAL/u,
    ),
  ]);
  expect(blocksStored()).toEqual([]);
  expect(watch.blocks).toEqual([]);
});

test('one notice names all pairs that have the same cause', () => {
  now = halted;
  pass(watchOf(['XBTZAR', 'ETHZAR']), 1);
  expect(notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^mm XBTZAR, mm ETHZAR do not trade: bot is HALTED/u),
  ]);
  expect(blocksStored()).toHaveLength(2);
});

test('a block that ends within its grace period is neither reported nor stored', () => {
  const watch = watchOf();
  now = { book: 'a frame was lost' };
  pass(watch, 0.9);
  now = {};
  pass(watch, 10);
  expect([notices, [...stored]]).toEqual([[], []]);
});

test('a block that comes and goes is reported once a minute, and status shows it each time', () => {
  const watch = watchOf();
  let shown = 0;
  for (let round = 0; round < 5; round++) {
    now = { book: `silent since frame ${round}` };
    pass(watch, 4);
    shown += watch.blocks.length;
    now = {};
    pass(watch, 4);
  }
  expect(shown).toBe(5);
  const beginnings = notices.map(({ text }) => text.split(/[:;]/u)[0]);
  expect(beginnings).toEqual(['mm XBTZAR does not trade', 'mm XBTZAR may trade again after 5 s']);
});

test('a reason whose numbers change is stored once', () => {
  const watch = watchOf();
  let writes = 0;
  const { keepRiskState } = context;
  context.keepRiskState = (name, state) => {
    writes++;
    keepRiskState(name, state);
  };
  for (let lag = 3; lag < 9; lag++) {
    now = { book: `its stream is ${lag} s behind` };
    pass(watch, 2);
  }
  context.keepRiskState = keepRiskState;
  expect(writes).toBe(1);
  expect(notices).toHaveLength(1);
});

test('idling by choice is shown and stored, without a warning', () => {
  const watch = watchOf();
  now = { idle: 'the spread is too small', wantsOrders: false };
  pass(watch, 5);
  expect(notices).toEqual([]);
  expect(blocksStored()).toEqual([['idle', expect.any(Number)]]);
});

test('while a block lasts, the engine is woken to notice its end', () => {
  now = halted;
  pass(watchOf(), 1);
  expect(wakes).toBe(1);
});

test('a change between two checks is noticed even if no other event follows', () => {
  const watch = watchOf();
  pass(watch, 0.1);
  context.hasOutputs = true;
  pass(watch, 0.2);
  expect(wakes).toBe(1);
});

test('a cause that flickers counts as one block', () => {
  const watch = watchOf();
  for (let round = 0; round < 20; round++) {
    now = round % 2 === 0 ? { clockSkewMs: 10_800_000 } : {};
    pass(watch, round === 0 ? 4 : 0.7);
  }
  expect(notices).toHaveLength(1);
  expect(watch.blocks).toMatchObject([{ kind: 'clock' }]);
});

test('the end of the last strategy is reported at once, since the bot stops at once', () => {
  const watch = watchOf();
  watch.check(false);
  [context.nowMs, now] = [100, { ended: 'invalid-intent: quote crosses itself' }];
  watch.check(false);
  expect(watch.blocks).toEqual([]);
  watch.check(true);
  expect(watch.blocks.map(({ kind }) => kind)).toEqual(['strategy-ended']);
  expect(stored.size).toBe(1);
});
