/** Stored fills as the page shows them, with the currency of each fee. */
import type { FillState } from '../../domain/bot-status.ts';
import { decimalOf } from '../../domain/money.ts';
import type { FillRow } from '../../domain/records.ts';
import { currenciesOf } from '../../settings/pair-currencies.ts';
import type { StoreReports } from '../../store/store-reports.ts';

export function fillStates(
  reports: Pick<StoreReports, 'ledgerLatest'>,
  fills: readonly FillRow[],
): FillState[] {
  const currencies = new Set(reports.ledgerLatest().map(({ currency }) => currency));
  return fills.map((fill) => {
    const { strategyId, pair, side, price, volume, intentId, tradedMs } = fill;
    const names = currenciesOf(pair, currencies) ?? { base: 'base', counter: 'counter' };
    const isInBase = decimalOf(fill.feeCounter).isZero();
    return {
      ...{ strategyId, pair, side, price, volume, intentId, tradedMs },
      fee: isInBase ? fill.feeBase : fill.feeCounter,
      feeCurrency: isInBase ? names.base : names.counter,
      isMaker: fill.maker,
    };
  });
}
