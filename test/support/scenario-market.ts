/** The market of a scenario that has one, and the same scenario over another recording. */
import type { Market } from '../../src/domain/market.ts';
import { marketOfRules } from '../../src/domain/market-rules.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../src/domain/scenario-settings.ts';

/** Returns the market with all its rules, which the scenario must say. */
export function onlyMarketOf(scenario: Pick<ScenarioSettings, 'markets'>): {
  readonly settings: ScenarioMarket;
  readonly market: Market;
} {
  const [settings] = scenario.markets;
  const market = settings && marketOfRules(settings.pair, settings.rules);
  if (settings === undefined || market === undefined || scenario.markets.length > 1)
    throw new RangeError('the scenario must have one market with all its rules');
  return { settings, market };
}

/** Returns the scenario over a recording beside it, with other settings of its market. */
export function overRecording<Scenario extends Pick<ScenarioSettings, 'markets'>>(
  scenario: Scenario,
  recording: string,
  part: Partial<ScenarioMarket> = {},
): Scenario {
  const { settings } = onlyMarketOf(scenario);
  const data = { kind: 'recording', set: undefined, recordings: [recording] } as const;
  return { ...scenario, markets: [{ ...settings, data, ...part }] };
}
