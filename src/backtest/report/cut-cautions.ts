/** Cautions about a scenario whose time bounds lie outside the recordings. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { timeText } from '../../recording/file/time-text.ts';
import type { PlayedData } from '../run/played-data.ts';

/** Smaller differences are ignored: bounds are often rounded to minutes. */
const cutMsMax = 60_000;

/** Returns a sentence for each bound that lies more than a minute outside the recordings. */
export function cutCautionsOf(
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
