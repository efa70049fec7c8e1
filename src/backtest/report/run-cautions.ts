/** What a reader should know of a run as a whole before believing any of its figures. */

import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { EnteredState } from '../../store/store-reports.ts';
import { sendingCaution } from '../metrics/sending-sums.ts';
import type { Backtest } from '../run/run-backtest.ts';
import { cutCautionsOf } from './cut-cautions.ts';

/** How many of the gate's codes are named where it refused everything. */
const codesTold = 5;

/** Returns a sentence each, the gravest first. */
export function runCautionsOf(
  { result, run, stopped, endMicros, played: data }: Backtest,
  scenario: ScenarioSettings,
): readonly string[] {
  const { partial, orders, refusals, virtualSeconds } = result;
  const { lastRowMicros, port, store } = run;
  const { answers } = port;
  const played = { endMs: endMicros / 1_000, spanMs: virtualSeconds * 1_000 };
  const cautions = store.restrictions.map((one) => restrictionText(one, played));
  if (partial !== undefined)
    cautions.push(
      // A recording goes on to its end without a strategy that was stopped.
      partial === stopped.join('; ')
        ? `partial: ${partial}`
        : `partial, played up to ${timeText(lastRowMicros)}: ${partial}`,
    );
  cautions.push(...cutCautionsOf(scenario, data));
  if (answers.late > 0 && answers.inTime === 0)
    cautions.push(
      `the bot never became ready: all ${answers.late} answers came later than it waits for one, so it never read its accounts; see latencies`,
    );
  else if (answers.late > 0)
    cautions.push(
      `${answers.late} of ${answers.late + answers.inTime} answers came later than the bot waits for one; see latencies`,
    );
  const gate = mostFirst(refusals.gate);
  const { refusedCount } = store;
  if (orders === 0) cautions.push(noOrderText(gate));
  else if (refusedCount > orders)
    cautions.push(
      `the gate refused ${refusedCount} of ${refusedCount + orders} orders that were asked for, mostly for ${gate[0]}`,
    );
  const { sent } = store.sending;
  const counts = Object.fromEntries(port.refusals.postorder);
  const refused = Object.values(counts).reduce((total, count) => total + count, 0);
  if (refused > sent / 2)
    cautions.push(
      `the exchange refused ${refused} of ${sent} orders that were sent, mostly with ${mostFirst(counts)[0]}`,
    );
  const throttled = sendingCaution(store.sending);
  if (throttled !== undefined) cautions.push(throttled);
  return cautions;
}

/** Nobody resumes in a backtest: what was halted stayed so to its end. */
function restrictionText(
  { scope, state, atMs, reason }: EnteredState,
  { endMs, spanMs }: { readonly endMs: number; readonly spanMs: number },
): string {
  const who = scope === 'bot' ? 'the bot' : scope.replace(':', ' ');
  const share = spanMs === 0 ? 0 : Math.max(0, (endMs - atMs) / spanMs);
  const left = `for the last ${(share * 100).toFixed(1)} % of the run`;
  return `${who} was ${state} from ${timeText(atMs * 1_000)} on, ${left}: ${reason}`;
}

function mostFirst(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([code]) => code);
}

/** `codes`: what the gate refused for, by strategy and code. */
function noOrderText(codes: readonly string[]): string {
  if (codes.length === 0) return 'there was no order: no strategy asked for one';
  const most = codes.slice(0, codesTold).join(', ');
  return `there was no order: the gate refused every one that was asked for, for ${most}`;
}
