/** Reasons to doubt the figures of a whole run. */
import { anyTrades } from '../../domain/bot-settings.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { sharedSpans } from '../../market/flow/time-spans.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { EnteredState } from '../../store/store-reports.ts';
import { type SendingFigures, sendingCaution } from '../metrics/sending-sums.ts';
import type { PlayedData } from '../run/played-data.ts';
import type { Backtest } from '../run/run-backtest.ts';
import { lacksVolume } from './coarse-cautions.ts';

/** How many codes are named if the gate refused every order. */
const codesNamed = 5;

/** Returns one sentence for each caution, the most serious first. */
export function runCautionsOf(
  {
    result,
    run,
    stopped,
    startMicros,
    endMicros,
    played: data,
    recorders,
    coarse,
    idleReasons,
  }: Backtest,
  scenario: ScenarioSettings,
  sending: SendingFigures,
): readonly string[] {
  const { partial, orders, refusals } = result;
  const { lastRowMicros, port, store } = run;
  const { answers } = port;
  const unwatched = sharedSpans(recorders.map((recorder) => recorder.unwatched));
  const watched = unwatched.outside(startMicros, endMicros);
  const cautions = store.restrictions.map((state) => {
    const since = unwatched.outside(state.atMs * 1_000, endMicros);
    return restrictionText(state, watched === 0 ? 0 : Math.max(0, since / watched));
  });
  if (partial !== undefined)
    cautions.push(
      // After a strategy was stopped, the recording is still played to its end.
      partial === stopped.join('; ')
        ? `partial: ${partial}`
        : `partial, played up to ${timeText(lastRowMicros)}: ${partial}`,
    );
  cautions.push(...cutCautionsOf(scenario, data), ...misfitCautionsOf(data));
  if (answers.late > 0 && answers.inTime === 0)
    cautions.push(
      `the bot never became ready: all ${answers.late} answers came after its timeout, so it never read its accounts; check latencies`,
    );
  else if (answers.late > 0)
    cautions.push(
      `${answers.late} of ${answers.late + answers.inTime} answers came after the bot's timeout; check latencies`,
    );
  const gate = mostFirst(refusals.gate);
  const { refusedCount } = store;
  const hasNoTrades = coarse.every((one) => one !== undefined && lacksVolume(one.blocks));
  if (orders === 0) {
    if (anyTrades(scenario.strategies)) cautions.push(noOrderText(gate, hasNoTrades, idleReasons));
  } else if (refusedCount > orders)
    cautions.push(
      `the gate refused ${refusedCount} of ${refusedCount + orders} requested orders, mostly with ${gate[0]}`,
    );
  const { sent } = sending;
  const counts = Object.fromEntries(port.refusals.place);
  const refused = Object.values(counts).reduce((total, count) => total + count, 0);
  if (refused > sent / 2)
    cautions.push(
      `the exchange refused ${refused} of ${sent} sent orders, mostly with ${mostFirst(counts)[0]}`,
    );
  const throttled = sendingCaution(sending);
  if (throttled !== undefined) cautions.push(throttled);
  return cautions;
}

function misfitCautionsOf({ markets }: Backtest['played']): readonly string[] {
  return markets.flatMap(({ recordings }) =>
    recordings.flatMap(({ path, misfits }) => misfits.map((text) => `${path}: ${text}`)),
  );
}

/** Nobody resumes trading in a backtest, so a halt lasts until its end. */
function restrictionText({ scope, state, atMs, reason }: EnteredState, share: number): string {
  const who = scope === 'bot' ? 'the bot' : scope.replace(':', ' ');
  const span = `for the last ${(share * 100).toFixed(1)} % of the run`;
  return `${who} was ${state} from ${timeText(atMs * 1_000)} on, ${span}: ${reason}`;
}

function mostFirst(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code);
}

/** `codes`: the strategy and code of each kind of refusal, most frequent first. */
function noOrderText(
  codes: readonly string[],
  hasNoTrades: boolean,
  idle: readonly string[],
): string {
  if (codes.length === 0 && hasNoTrades)
    return 'there were no orders: no candle has a volume, so there was no trade for a strategy that waits for one';
  if (codes.length === 0)
    return `there were no orders: no strategy requested one${idle.length === 0 ? '' : `; at the end, ${idle.join('; ')}`}`;
  const named = codes.slice(0, codesNamed).join(', ');
  return `there were no orders: the gate refused every request, with ${named}`;
}

/** Smaller differences are ignored: bounds are often rounded to minutes. */
const cutMsMax = 60_000;

/** Returns a sentence for each bound that lies more than a minute outside the recordings. */
function cutCautionsOf(
  { fromMs, toMs, markets }: Pick<ScenarioSettings, 'fromMs' | 'toMs' | 'markets'>,
  played: PlayedData,
): readonly string[] {
  const cautions: string[] = [];
  if (fromMs !== undefined && Date.parse(played.from) - fromMs > cutMsMax)
    cautions.push(
      `the run began at ${played.from}, where the recordings begin; the scenario's from is ${timeText(fromMs * 1_000)}`,
    );
  const endMs = Math.min(
    ...played.markets.map(({ recordings }, index) => {
      const ends = recordings.map(({ to }) => (to === null ? Infinity : Date.parse(to)));
      // The time of a bar is its beginning.
      return Math.max(...ends) + (markets[index]?.fillModel?.intervalMs ?? 0);
    }),
  );
  if (toMs !== undefined && toMs - endMs > cutMsMax)
    cautions.push(
      `the run ended at ${played.to}, where the recordings end; the scenario's to is ${timeText(toMs * 1_000)}`,
    );
  return cautions;
}
