/** The terminal view as lines: what it says, and that it fits any size. */
import { describe, expect, test } from 'vitest';
import type { BotStatus } from '../../../src/domain/bot-status.ts';
import { cellsOf } from '../../../src/terminal/view/cells.ts';
import { RecentNotes } from '../../../src/terminal/view/recent-notes.ts';
import { lineCells } from '../../../src/terminal/view/styled-line.ts';
import { viewLines } from '../../../src/terminal/view/view-lines.ts';
import { sampleMarket, sampleMs, sampleOrder, sampleStatus } from '../../support/view-status.ts';

const texts = {
  page: 'http://127.0.0.1:7420/',
  log: '.millrace/log/demo.log',
  commandOf: () => ': millrace resume demo --reason WHY',
};

function notesOf(...lines: readonly string[]): RecentNotes {
  const notes = new RecentNotes((text) => text);
  for (const line of lines) notes.addLine(line);
  return notes;
}

function shown(
  status: BotStatus,
  { columns = 80, rows = 24, notes = notesOf() } = {},
): readonly string[] {
  return viewLines(status, notes.all, { columns, rows }, texts).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
}

const halted = sampleStatus({
  state: 'HALTED',
  states: [{ scope: 'bot', state: 'HALTED', reason: 'the news', sinceMs: sampleMs - 132_000 }],
  notTrading: [
    {
      ...{ strategyId: 'mm-xbt', pair: 'XBTZAR', kind: 'halted', sinceMs: sampleMs - 132_000 },
      ...{ reason: 'bot is HALTED: the news', ends: 'when a person resumes it' },
      remedy: { command: 'resume', scope: 'bot' },
    },
  ],
});

test('at 80 × 24 it has everything that an operator looks for', () => {
  const lines = shown(sampleStatus(), { notes: notesOf('! the disk is nearly full') });
  const text = lines.join('\n');
  expect(lines).toHaveLength(24);
  expect(lines[0]).toMatch(/^demo {2}ACTIVE {2}trades {2}.* up 12m 31s {2}14:20:33$/u);
  expect(text).toMatch(/^XBTZAR +1000204\.5 +11\.4 bps +999633 +1000776 .* 0\.2s old$/mu);
  expect(text).toMatch(/^ASK +1002205 +0\.01 +first +open +ask +mm-xbt +18$/mu);
  expect(text).toMatch(/^BID +998204 +0\.01 +0\.0523 in 3 +open +bid +mm-xbt +17$/mu);
  expect(text).toMatch(/^mm-xbt +-0\.02 XBT +12\.35 ZAR +240\.10 +60\.10 +-167\.65 +12 +98 %$/mu);
  expect(text).toMatch(/^\[\|{9} \] +90 % +pairs\.XBTZAR\.positionBaseMax +0\.18 of 0\.2 XBT$/mu);
  expect(text).toMatch(/^calls 214 of 278 a minute left, orders that wait: none$/mu);
  expect(text).toMatch(/^14:20:32 +sold +0\.01 +XBTZAR +1002205 +5\.011025 ZAR +maker/mu);
  expect(text).toMatch(/^ {9}! the disk is nearly full$/mu);
  expect(lines[23]).toMatch(/^http:\/\/127\.0\.0\.1:7420\/ \| log .*demo\.log \| Ctrl-C stops it/u);
});

test('a paper bot says that no order leaves', () => {
  const paper = sampleStatus({ mode: 'paper', ordersGoTo: 'replay' });
  expect(shown(paper)[0]).toContain('paper, no order leaves ');
});

describe('an address of the page that is long', () => {
  const page = `http://127.0.0.1:7410/#token=${'t'.repeat(32)}`;
  const footer = (columns: number, rows: number) =>
    viewLines(sampleStatus(), [], { columns, rows }, { ...texts, page })
      .slice(-2)
      .map((line) =>
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      );

  test('has a line of its own, where it can be read and opened', () => {
    expect(footer(80, 24)).toEqual([
      page,
      'log .millrace/log/demo.log | Ctrl-C stops it and cancels its orders',
    ]);
    expect(footer(200, 60)[1]).toContain(`${page} | log`);
  });

  test('loses its token where it does not fit', () => {
    expect(footer(60, 24)).toEqual(['http://127.0.0.1:7410/', expect.stringContaining('Ctrl-C')]);
    expect(footer(40, 12)[1]).toBe('http://127.0.0.1:7410/ | Ctrl-C stops it');
  });
});

test('no id of an order is shown', () => {
  const text = shown(sampleStatus(), { columns: 200, rows: 60 }).join('\n');
  expect(text).not.toContain('BX2T95O6AW0KOY6');
  expect(text).not.toContain('b1-demo');
});

test('a bot that does not trade says why, since when, what ends it and how', () => {
  const lines = shown(halted);
  expect(lines[0]).toContain('HALTED  0 of 1 trade');
  expect(`${lines[1]} ${lines[2]}`).toBe(
    'mm-xbt XBTZAR does not trade since 14:18:21 (2m 12s): bot is HALTED: the news; ends when a ' +
      'person resumes it: millrace resume demo --reason WHY',
  );
});

test('a strategy of which one side is refused trades, and the line says which side it lacks', () => {
  const refused = {
    ...({ strategyId: 'mm-xbt', pair: 'XBTZAR', kind: 'refused', only: 'BID' } as const),
    ...{ sinceMs: sampleMs - 5_000, reason: 'bid is refused: FUNDS', ends: 'by itself' },
  };
  const lines = shown(sampleStatus({ notTrading: [refused] }));
  expect(lines[0]).toContain('ACTIVE  trades');
  expect(lines[1]).toContain('mm-xbt XBTZAR does not buy since 14:20:28 (5s): bid is refused');
});

test('own orders show their level or key, and the stop that they wait for', () => {
  const stop = { direction: 'BELOW', price: '990000', isAwaiting: true } as const;
  const markets = [
    sampleMarket({
      ownOrders: [
        sampleOrder({ level: 'maker/bid' }),
        sampleOrder({ side: 'ASK', level: null, key: 'exit', price: '989000', stop }),
      ],
    }),
  ];
  const text = shown(sampleStatus({ markets })).join('\n');
  expect(text).toMatch(/BID +998204 .* open +maker\/bid/u);
  expect(text).toMatch(/ASK +989000 .* stop 990000 +exit/u);
});

test('a halted scope without a strategy that it stops is shown all the same', () => {
  const text = shown({ ...halted, notTrading: [] }).join(' ');
  expect(text).toContain('bot is HALTED since 14:18:21 (2m 12s): the news; to resume: millrace');
});

test('a stale feed is shown, once, also while orders are placed', () => {
  const problem = 'feed reference is stale: no value for 31s: HTTP 500';
  const feeds = [
    { name: 'reference', values: { value: '1' }, receivedMs: 1, problem },
    { name: 'spread', values: { value: '1' }, receivedMs: 1, problem: null },
  ];
  expect(shown({ ...sampleStatus(), feeds })[1]).toBe(problem);
  const block = { strategyId: 'mm-xbt', pair: 'XBTZAR', kind: 'feed', sinceMs: 0 } as const;
  const reason = 'feed reference is stale: no value for 30s: HTTP 500';
  const ends = 'by itself';
  const text = shown({ ...sampleStatus(), feeds, notTrading: [{ ...block, reason, ends }] }).join(
    ' ',
  );
  expect(text.split('feed reference is stale')).toHaveLength(2);
  expect(text).not.toContain('feed spread');
});

test('at 40 × 12 it keeps state, price, orders, position, the newest note and how to stop', () => {
  const notes = notesOf('! first warning', '! second warning', 'the newest line');
  const lines = shown(sampleStatus(), { columns: 40, rows: 12, notes });
  const text = lines.join('\n');
  expect(lines[0]).toContain('demo  ACTIVE  trades');
  for (const part of ['1000204.5', '0.0523 in 3', '-0.02 XBT', '12.35 ZAR', 'the newest line'])
    expect(text).toContain(part);
  expect(text).toMatch(/notes; older warnings: 2/u);
  expect(lines[11]).toContain('Ctrl-C stops it');
});

test('at 200 × 60 a second column has more fills and notes, and every limit is there', () => {
  const notes = notesOf(...Array.from({ length: 60 }, (_, index) => `note ${index}.`));
  const lines = shown(sampleStatus(), { columns: 200, rows: 60, notes });
  expect(lines[1]).toMatch(/^market .* fills +volume/u);
  const text = lines.join('\n');
  for (const key of ['account.ordersOpenMax', 'account.openNotionalMax.ZAR', 'answered in 3.2 ms'])
    expect(text).toContain(key);
  expect(text).not.toContain('orderBaseMax');
  expect(text).toContain('note 59.');
  expect(text).toContain('note 20.');
});

test('the newest notes stay, however many there are and however long', () => {
  const long = notesOf('! old', 'x '.repeat(2_000), `! the last ${'y'.repeat(3_000)}`);
  const text = shown(sampleStatus(), { notes: long }).join('\n');
  expect(text).toContain('! the last');
  expect(text).toContain('older warnings: 1');
  const many = notesOf(...Array.from({ length: 5_000 }, (_, index) => `! warning ${index}.`));
  expect(many.all.length).toBeLessThanOrEqual(400);
  expect(shown(sampleStatus(), { notes: many }).join('\n')).toContain('warning 4999.');
});

test('notices about quotes, orders and fills are no notes, unless they warn', () => {
  const notes = notesOf();
  notes.addNotice({ level: 'info', topic: 'quote', text: 'wants' }, sampleMs);
  notes.addNotice({ level: 'warn', topic: 'order', text: 'odd' }, sampleMs);
  notes.addNotice({ level: 'info', topic: 'print', text: 'said' }, sampleMs);
  expect(notes.all.map(({ text }) => text)).toEqual(['odd', 'said']);
  expect(notes.since(1).map(({ text }) => text)).toEqual(['said']);
  expect(notes.since(2)).toEqual([]);
});

describe('any size and any text fit', () => {
  const hostile = '\u001b[2J\u202e你好e\u0301😀\n\tend '.repeat(20);
  const strange = sampleStatus({
    bot: hostile,
    stopping: hostile,
    markets: [
      sampleMarket({ isUsable: false, unusableReason: hostile, bid: null, ask: null, mid: null }),
      sampleMarket({ pair: 'ETHZAR', spreadBps: null, lastTrade: null, ownOrders: [] }),
      sampleMarket({
        ownOrders: Array.from({ length: 40 }, (_, index) =>
          sampleOrder({ intentId: index, strategyId: hostile, aheadVolume: null }),
        ),
      }),
    ],
    notTrading: [{ ...(halted.notTrading[0] as BotStatus['notTrading'][number]), reason: hostile }],
  });
  const notes = notesOf(hostile, `! ${hostile}`);

  test.each([
    [80, 24],
    [200, 60],
    [40, 12],
    [140, 10],
    [20, 5],
    [1, 1],
    [3, 2],
    [500, 200],
  ])('%d × %d', (columns, rows) => {
    for (const status of [sampleStatus(), halted, strange, sampleStatus({ markets: [] })]) {
      const lines = viewLines(status, notes.all, { columns, rows }, texts);
      expect(lines).toHaveLength(rows);
      for (const line of lines) {
        expect(lineCells(line)).toBeLessThanOrEqual(columns);
        for (const { text } of line) {
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          expect(cellsOf(text)).toBeGreaterThanOrEqual(0);
        }
      }
    }
  });
});
