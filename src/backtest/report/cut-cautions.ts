/** Whether the bounds of time that a scenario gives lie within what was recorded. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { PlayedData } from '../run/played-data.ts';

/** People round their bounds to minutes. */
const cutMsMax = 60_000;

/** Returns a sentence for each bound that was cut by more than a minute. */
export function cutCautionsOf(
  { fromMs, toMs, markets }: Pick<ScenarioSettings, 'fromMs' | 'toMs' | 'markets'>,
  played: PlayedData,
): readonly string[] {
  const cautions: string[] = [];
  if (fromMs !== undefined && Date.parse(played.from) - fromMs > cutMsMax)
    cautions.push(
      `the run began at ${played.from}, where what is recorded begins: from says ${timeText(fromMs * 1_000)}`,
    );
  const endMs = Math.min(
    ...played.markets.map(({ recordings }, index) => {
      const ends = recordings.map(({ to }) => (to === null ? Infinity : Date.parse(to)));
      // A bar's time is when it begins.
      return Math.max(...ends) + (markets[index]?.fillModel?.intervalMs ?? 0);
    }),
  );
  if (toMs !== undefined && toMs - endMs > cutMsMax)
    cautions.push(
      `the run ended at ${played.to}, where what is recorded ends: to says ${timeText(toMs * 1_000)}`,
    );
  return cautions;
}
