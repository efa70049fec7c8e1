/** Runs the scenario of a shipped strategy, and looks for what no strategy may do. */
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { Decimal } from '../../src/domain/money.ts';
import type { FillRow, OrderRow } from '../../src/domain/records.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { packageRoot } from './package-root.ts';

/** Returns the file of a strategy's scenario: of its name, but `first` is that of simple-mm. */
function scenarioFile(name: string): string {
  const folder = join(packageRoot, 'backtests', name === 'simple-mm' ? 'first' : name);
  return join(folder, 'scenario.yaml');
}

/** What can be wrong with a run. */
export type ShippedPlant = 'crosses' | 'leaves' | 'exceeds' | 'other-run';

export type ShippedRun = {
  readonly hash: string;
  readonly orders: number;
  readonly fills: number;
  /** What it did that no strategy may do, as sentences. */
  readonly violations: readonly string[];
};

/** Runs it as the scenario says, or with an account that has only the counter currency. */
export async function runShipped(
  name: string,
  account: 'both' | 'counter only' = 'both',
  plant?: ShippedPlant,
): Promise<ShippedRun> {
  const { source: _, ...scenario } = loadScenario(scenarioFile(name));
  const { balances } = scenario;
  const given = account === 'both' ? balances : { ...balances, XBT: '0' };
  const { result, hash, run, stopped } = await runBacktest({
    scenario: { ...scenario, balances: given },
    dataFolder: '',
    strategiesFolder: join(packageRoot, 'strategies'),
  });
  const orders = [...run.store.orders()].map((order) =>
    plant === 'crosses' && order.side === 'BID' ? { ...order, price: '2000000' } : order,
  );
  const fills = [...run.store.fills()].map((fill, index) =>
    plant === 'exceeds' && index === 0 ? { ...fill, base: '10', counter: '10000000' } : fill,
  );
  run.store.close();
  const left = result.openOrdersAtExit + (plant === 'leaves' ? 1 : 0);
  const { expectedHash } = scenario;
  const isOther = expectedHash !== undefined && account === 'both' && hash !== expectedHash;
  const { gate, exchange } = result.refusals;
  const refused = [...Object.keys(gate), ...Object.keys(exchange)];
  return {
    ...{ hash, orders: orders.length, fills: fills.length },
    violations: [
      ...(isOther || plant === 'other-run' ? [`its hash is ${hash}, not ${expectedHash}`] : []),
      ...(fills.length === 0 ? ['it had no fill'] : []),
      ...stopped,
      ...refused
        .filter((code) => /FUNDS|funds|BUDGET|POSITION|SELF|self/u.test(code))
        .map((code) => `an order was refused: ${code}`),
      ...(left === 0 ? [] : [`${left} orders are left`]),
      ...crossings(orders),
      ...beyondBudget(scenario, fills),
    ],
  };
}

/** Finds a bid that was open at or above the price of an open ask. */
function crossings(orders: readonly OrderRow[]): readonly string[] {
  const live = orders.filter(({ state }) => state === 'filled' || state === 'cancelled');
  const asks = live.filter(({ side }) => side === 'ASK');
  return live
    .filter(({ side }) => side === 'BID')
    .flatMap((bid) =>
      asks
        .filter(
          (ask) =>
            ask.createdMs < (bid.completedMs ?? Infinity) &&
            bid.createdMs < (ask.completedMs ?? Infinity) &&
            new Decimal(bid.price).gte(ask.price),
        )
        .map((ask) => `bid ${bid.key} at ${bid.price} met ask ${ask.key} at ${ask.price}`),
    );
}

/** Finds the first fill after which more was bought or sold than the budget has. */
function beyondBudget(scenario: ScenarioSettings, fills: readonly FillRow[]): readonly string[] {
  const budget = scenario.strategies[0]?.budget ?? {};
  let [base, counter] = [new Decimal(0), new Decimal(0)];
  for (const fill of fills) {
    const sign = fill.side === 'BID' ? 1 : -1;
    base = base.plus(new Decimal(fill.base).times(sign)).minus(fill.feeBase);
    counter = counter.minus(new Decimal(fill.counter).times(sign)).minus(fill.feeCounter);
    if (base.plus(budget['XBT'] ?? 0).isNegative() || counter.plus(budget['ZAR'] ?? 0).isNegative())
      return [`after fill ${fill.sequence} it has used ${base} XBT and ${counter} ZAR`];
  }
  return [];
}
