/** Whether a scenario can be played, without playing it. */
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { checkMarkets, openHistory } from './run-backtest.ts';

/**
 * Checks what a backtest checks of recordings before it plays them: that they are there, whole
 * where they begin, and what the scenario says of them. Throws as `runBacktest` does.
 */
export async function checkPlayable(scenario: ScenarioSettings, dataFolder: string): Promise<void> {
  const history = await openHistory(scenario, dataFolder, undefined);
  try {
    checkMarkets(
      scenario,
      history.markets.map(({ market }) => market),
    );
  } finally {
    history.close();
  }
}
