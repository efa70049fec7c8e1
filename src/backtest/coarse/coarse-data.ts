/**
 * Backtests over recordings of trades and of candles: which model decides fills, what the report
 * says of it, and whether recording and scenario suit each other.
 */
import { assert, ConfigError } from '../../domain/errors.ts';
import { type Market, parseTicks } from '../../domain/market.ts';
import type { FillModelSettings } from '../../domain/scenario-settings.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { Grade } from '../../recording/file/flow-item.ts';
import type { Recording } from '../../recording/file/recording.ts';
import { BarFillRule } from '../../replay-exchange/fill-models/bar-fill-rule.ts';
import { CoarseFillModel } from '../../replay-exchange/fill-models/coarse-fill-model.ts';
import type { CreateFillModel } from '../../replay-exchange/fill-models/fill-model.ts';
import { TradeFillRule } from '../../replay-exchange/fill-models/trade-fill-rule.ts';
import { SyntheticFlow } from './synthetic-flow.ts';

type CoarseGrade = Exclude<Grade, 'order'>;

/** What a report says before all else. */
export type CoarseDataReport = {
  readonly grade: CoarseGrade;
  /** Of candles: how long a bar is; nothing is known of what happened within it. */
  readonly intervalSeconds?: number;
  readonly caution: string;
  readonly rules: readonly string[];
};

export type CoarseModel = {
  readonly report: CoarseDataReport;
  readonly createFillModel: CreateFillModel;
  /** Makes the recording's blocks into what the model reads. */
  readonly flow: SyntheticFlow;
  /** How much later than its row a message is told. */
  readonly lateMicros: number;
};

/**
 * Returns the model for recordings of a market that follow each other, undefined for those order by
 * order. Throws ConfigError if the scenario does not say what the model needs, or says what is not
 * so.
 */
export async function coarseModelOf(
  recordings: readonly Recording[],
  market: Market,
  settings: FillModelSettings | undefined,
): Promise<CoarseModel | undefined> {
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
  if (grade === 'candles') await checkInterval(recordings, intervalMicros);
  return {
    report: {
      grade,
      ...(intervalMs === undefined ? {} : { intervalSeconds: intervalMs / 1_000 }),
      caution: cautionOf(grade),
      rules: rulesOf(grade, settings, market),
    },
    createFillModel: (options) =>
      new CoarseFillModel(options, (market) =>
        grade === 'trades'
          ? new TradeFillRule(market, { millionths })
          : new BarFillRule(market, { millionths, halfSpread, intervalMicros }),
      ),
    flow: new SyntheticFlow({ path: pathsOf(recordings), halfSpread, intervalMicros }),
    lateMicros: grade === 'candles' ? intervalMicros - 1 : 0,
  };
}

/** Of recordings that follow each other there is one grade. */
function gradeOf(recordings: readonly Recording[]): Pick<Recording, 'path'> & { grade: Grade } {
  const [first, ...others] = recordings;
  assert(first !== undefined, 'a market must have a recording');
  const { path, header } = first;
  const other = others.find((one) => one.header.grade !== header.grade);
  if (other === undefined) return { path, grade: header.grade };
  throw new ConfigError(
    `${other.path}: is of grade ${other.header.grade}, ${path} of ${header.grade}; recordings of one pair must be of one grade: play them apart`,
  );
}

/** A bar that is told before its end would be a look at what is to come. */
async function checkInterval(
  recordings: readonly Recording[],
  intervalMicros: number,
): Promise<void> {
  const cursor = new FlowCursor();
  let least = Infinity;
  let before: number | undefined;
  for (const recording of recordings)
    for await (const block of recording.blocks()) {
      cursor.load(block);
      while (cursor.next()) {
        if (before !== undefined) least = Math.min(least, cursor.atMicros - before);
        before = cursor.atMicros;
      }
    }
  if (least === Infinity || least === intervalMicros) return;
  throw new ConfigError(
    `${pathsOf(recordings)}: the closest bars begin ${least / 1e6} s apart, but ` +
      `fillModel.interval is ${intervalMicros / 1e6} s; it must be the length of a bar`,
  );
}

function pathsOf(recordings: readonly Recording[]): string {
  return recordings.map(({ path }) => path).join(', ');
}

function cautionOf(grade: CoarseGrade): string {
  const unknown = grade === 'trades' ? 'the queue and' : 'the queue, the order of events and';
  return `${unknown} the spread are not in the data, fills follow stated rules, and a profit proves little`;
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
      `the book is made up: a bid and an ask ${spread} from the last trade, each as large as that`,
      'a resting order fills at its limit when a taker of the other side trades strictly beyond it, at most as much as that trade',
      'a trade at the price of a resting order fills nothing',
      `a taker pays the made-up price and gets at most ${share} of the last trade's volume`,
    ];
  return [
    `the book is made up: a bid and an ask ${spread} from the last close, each as large as the bar`,
    `a bar of ${intervalMs / 1_000} s is known at its end, and decides then what became of our orders in it`,
    `all our orders together get at most ${share} of a bar's volume, takers first`,
    'a resting order fills at its limit if the bar trades strictly beyond it',
    'one that came or was cancelled within the bar fills only if that loses by the close; a cancel is done at the end of the bar',
    'if both sides would fill, only the one that is worse off by the close does',
    `a taker pays the worst price of the bar in which it came and ${spread} more; or its limit, where that is nearer and loses by the close`,
  ];
}
