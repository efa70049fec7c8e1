/** Results of real backtests for the page's proof, and a page with very many fills. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunEvents } from '../../../src/backtest/metrics/run-events.ts';
import { marksOf } from '../../../src/backtest/report/market-chart.ts';
import type { BacktestPageData } from '../../../src/backtest/report/page-data.ts';
import type { FillRow } from '../../../src/domain/records.ts';
import type { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { selfContainedPage } from '../../../src/runtime/page-document.ts';
import { pageContentIn } from '../../support/page-content.ts';

const root = join(import.meta.dirname, '../../..');

export type ResultFile = {
  /** What `backtest --json` printed. */
  readonly told: ToldResult;
  readonly page: string;
};

type Figures = Readonly<Record<string, string | number | null>>;

export type ToldResult = {
  readonly hash: string;
  readonly fills: number;
  readonly orders: number;
  readonly results: string;
  readonly report: string;
  readonly profit: string;
  readonly position: string;
  readonly metrics: {
    readonly trader: Figures;
    readonly returns: Figures;
    readonly position: Figures;
    readonly holding: Figures;
    readonly maker: {
      readonly fees: string;
      readonly markouts: readonly (Figures & { readonly bid: Figures; readonly ask: Figures })[];
      readonly queuePlaces: readonly Figures[];
    };
    readonly days: readonly Figures[];
    readonly cautions: readonly string[];
  };
  readonly limits: readonly Figures[];
};

export type ResultFolder = {
  readonly folder: string;
  readonly near: ResultFile;
  readonly far: ResultFile;
  /** The page of a comparison of both. */
  readonly comparison: string;
};

/** Runs the first backtest twice, with other quotes the second time, and compares both. */
export function writeResults(): ResultFolder {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-page-results-'));
  const first = join(root, 'backtests/first');
  const scenario = readFileSync(join(first, 'scenario.yaml'), 'utf8');
  const near = backtest(join(folder, 'near'), first, scenario);
  const far = backtest(join(folder, 'far'), first, scenario.replace('"20bps"', '"30bps"'));
  const { report } = millrace(['compare', near.page, far.page]) as { readonly report: string };
  return { folder, near, far, comparison: report };
}

function backtest(folder: string, from: string, scenario: string): ResultFile {
  mkdirSync(folder);
  cpSync(join(from, 'recording.mrec'), join(folder, 'recording.mrec'));
  writeFileSync(join(folder, 'scenario.yaml'), scenario.replace(/^expect:.*$/mu, ''));
  const told = millrace(['backtest', join(folder, 'scenario.yaml')]) as ToldResult;
  return { told, page: told.report };
}

function millrace(words: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'src/main.ts'), ...words, '--json'],
    { encoding: 'utf8', cwd: root, maxBuffer: 2 ** 28 },
  );
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`${words.join(' ')}: ${stderr}`);
  return JSON.parse(last);
}

/** Writes a page as another one, with every text of a name or reason changed. */
export function writeChanged(
  path: string,
  from: ResultFile,
  change: (data: BacktestPageData) => BacktestPageData,
): string {
  const content = change(pageContentIn(from.page));
  const title = `Backtest ${content.scenario}`;
  writeFileSync(path, selfContainedPage({ title, content }, { hasCandles: false }));
  return path;
}

/** The lowest and the highest price are each reached once. */
export const extremes = { low: '900000', high: '1100000' } as const;

/** Writes a page with `count` fills, a quarter as many orders, and refusals. */
export function writeManyFills(path: string, from: ResultFile, count: number): string {
  return writeChanged(path, from, (data) => {
    const [market] = data.markets;
    if (market === undefined) throw new Error('the page must have a market');
    const fromMs = market.chart.times[0] ?? 0;
    const toMs = market.chart.times.at(-1) ?? 0;
    const events = new RunEvents();
    for (let index = 0; index < count; index++) {
      const tradedMs = Math.round(fromMs + ((toMs - fromMs) * index) / count);
      const usual = 1_000_000 + Math.round(8_000 * Math.sin(index / 900)) + (index % 700);
      const price =
        index === 33_333 ? extremes.low : index === 77_777 ? extremes.high : String(usual);
      const side = index % 2 === 0 ? 'BID' : 'ASK';
      const order = orderOf(index, { side, price, createdMs: tradedMs - 900, endMs: tradedMs });
      events.noteFill(fillOf(index, { side, price, tradedMs }), order);
      if (index % 4 === 0) events.noteOrder(order);
      if (index % 1_000 === 0)
        events.noteRefusal({
          ...{ kind: 'decision', atMs: tradedMs, strategyId: 'mm-xbt', pair: 'XBTZAR', key: '' },
          ...{ intentId: undefined, verdict: 'refused', inputs: '', limitsHash: '' },
          refusals: '[{"code":"POSITION","observed":"0.21","limit":"0.2","unit":"XBT"}]',
        });
    }
    return { ...data, markets: [{ ...market, marks: marksOf(events.of('XBTZAR'), 1) }] };
  });
}

type Made = { readonly side: 'BID' | 'ASK'; readonly price: string };

function fillOf(index: number, made: Made & { readonly tradedMs: number }): FillRow {
  return {
    ...{ pair: 'XBTZAR', sequence: String(index), orderId: `o${index}`, intentId: index },
    ...{ strategyId: 'mm-xbt', volume: '0.01', base: '0.01', counter: '1', maker: true },
    ...{ feeBase: '0', feeCounter: '0.5', ...made },
  };
}

function orderOf(
  index: number,
  { side, price, createdMs, endMs }: Made & { readonly createdMs: number; readonly endMs: number },
): TrackedOrder {
  return {
    ...{ intentId: index, strategyId: 'mm-xbt', pair: 'XBTZAR', terms: { side } },
    ...{ priceText: price, volumeText: '0.01', state: 'filled', createdMs, completedMs: endMs },
    reason: `quote number ${index} around the mid of that moment`,
  } as unknown as TrackedOrder;
}
