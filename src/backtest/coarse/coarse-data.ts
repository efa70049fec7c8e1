/**
 * Backtests over recordings of trades or candles: the model that decides fills, its description for
 * the report, and the check that recording and scenario match.
 */
import { assert, ConfigError } from '../../domain/errors.ts';
import { type Market, parseTicks } from '../../domain/market.ts';
import type { FillModelSettings } from '../../domain/scenario-settings.ts';
import type { Grade } from '../../recording/file/flow-item.ts';
import type { Recording } from '../../recording/file/recording.ts';
import { BarFillModel } from '../../replay-exchange/fill-models/bar-fill-model.ts';
import type { ReplayData } from '../../replay-exchange/fill-models/replay-market.ts';
import { TradeFillModel } from '../../replay-exchange/fill-models/trade-fill-model.ts';
import { checkInterval } from './bar-interval.ts';
import { CoarseBlocks } from './coarse-blocks.ts';

type CoarseGrade = Exclude<Grade, 'order'>;

/** Describes how fills were decided; the first part of a report. */
export type CoarseDataReport = {
  readonly grade: CoarseGrade;
  /** For candles, the length of a bar; the order of events within it is unknown. */
  readonly intervalSeconds?: number;
  readonly caution: string;
  readonly rules: readonly string[];
};

export type CoarseModel = {
  readonly report: CoarseDataReport;
  /** What decides fills. */
  readonly data: Exclude<ReplayData, { kind: 'orders' }>;
  /** Turns the recordings' blocks into those that are played. */
  readonly blocks: CoarseBlocks;
  /** Returns the same for the time before the run. */
  readonly createBlocks: () => CoarseBlocks;
};

/**
 * Returns the model for consecutive recordings of a market, or undefined for order-by-order
 * recordings. Throws ConfigError if the scenario's fill model is missing, superfluous or does not
 * match the recordings.
 */
export function coarseModelOf(
  recordings: readonly Recording[],
  market: Market,
  settings: FillModelSettings | undefined,
): CoarseModel | undefined {
  const { grade, path } = gradeOf(recordings);
  if (grade === 'order') {
    if (settings === undefined) return undefined;
    throw new ConfigError(
      `${path}: records every order, so fills need no assumptions; remove fillModel from the scenario`,
    );
  }
  const example = `{ halfSpread: "…", volumeShare: "10%"${grade === 'candles' ? ', interval: "1m"' : ''} }`;
  if (settings === undefined)
    throw new ConfigError(
      `${path}: holds only ${grade}, which cannot prove a fill; add fillModel: ${example} to the scenario`,
    );
  const { volumeShareMillionths: millionths, intervalMs } = settings;
  const halfSpread = parseTicks(settings.halfSpread, market);
  if (halfSpread === undefined)
    throw new ConfigError(
      `${path}: fillModel.halfSpread was "${settings.halfSpread}"; allowed: at most ${market.priceScale} decimals, like prices of the market`,
    );
  if ((intervalMs === undefined) === (grade === 'candles'))
    throw new ConfigError(
      `${path}: holds ${grade}; fillModel must be ${example}, ${grade === 'candles' ? 'with' : 'without'} interval`,
    );
  const intervalMicros = (intervalMs ?? 0) * 1_000;
  if (grade === 'candles') checkInterval(recordings, intervalMicros);
  const createBlocks = () => new CoarseBlocks({ grade, intervalMicros, recordings });
  const blocks = createBlocks();
  return {
    report: {
      grade,
      ...(intervalMs === undefined ? {} : { intervalSeconds: intervalMs / 1_000 }),
      caution: cautionOf(grade),
      rules: rulesOf(grade, settings, market),
    },
    data: {
      kind: grade === 'trades' ? 'trades' : 'bars',
      ...{ halfSpread, unwatched: blocks.unwatched },
      createModel: (own, history) =>
        grade === 'trades'
          ? new TradeFillModel(own, history, { millionths })
          : new BarFillModel(own, history, {
              ...{ millionths, halfSpread, intervalMicros, longBars: blocks },
            }),
    },
    ...{ blocks, createBlocks },
  };
}

/** Returns the grade of consecutive recordings. Throws ConfigError if they differ in grade. */
function gradeOf(recordings: readonly Recording[]): Pick<Recording, 'path'> & { grade: Grade } {
  const [first, ...others] = recordings;
  assert(first !== undefined, 'a market must have a recording');
  const { path, header } = first;
  const other = others.find((recording) => recording.header.grade !== header.grade);
  if (other === undefined) return { path, grade: header.grade };
  throw new ConfigError(
    `${other.path}: has grade ${other.header.grade}, but ${path} has ${header.grade}; ` +
      'recordings of one pair must have the same grade: play them in separate scenarios',
  );
}

function cautionOf(grade: CoarseGrade): string {
  const missing = grade === 'trades' ? 'the queue and' : 'the queue, the order of events and';
  return `the data lack ${missing} the spread; fills follow the rules below, and a profit proves little`;
}

function rulesOf(
  grade: CoarseGrade,
  settings: FillModelSettings,
  market: Market,
): readonly string[] {
  const { volumeShareMillionths, intervalMs = 0 } = settings;
  const spread = `${settings.halfSpread} ${market.counter}`;
  const share = `${volumeShareMillionths / 10_000} %`;
  if (grade === 'trades')
    return [
      `the book is synthetic: a bid and an ask ${spread} from the last trade, each with its volume`,
      'a resting order fills at its limit when a taker on the other side trades strictly beyond it, up to the volume of that trade',
      'a trade at the price of a resting order fills nothing',
      `a taker pays the synthetic price and gets at most ${share} of the last trade's volume`,
    ];
  return [
    `the book is synthetic: a bid and an ask ${spread} from the last close, each with the bar's volume`,
    `a bar of ${intervalMs / 1_000} s is known at its end, which decides the fills of our orders in it`,
    `all our orders together get at most ${share} of a bar's volume, takers first`,
    'a resting order fills at its limit if the bar trades strictly beyond it',
    'an order that arrived or was cancelled within the bar fills only if the fill loses by the close; a cancel takes effect at the end of the bar',
    'if both sides would fill, only the side that is worse off by the close fills',
    `a taker pays the worst price of the bar in which it arrived, plus ${spread}; or its limit, if that is closer and loses by the close`,
  ];
}
