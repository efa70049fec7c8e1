/** Stored fills as the page shows them, with the currency of each fee. */
import type { FillState } from '../../domain/bot-status.ts';
import { fillStateOf } from '../../domain/fill-state.ts';
import type { FillRow } from '../../domain/records.ts';
import { currenciesOf } from '../../settings/pair-currencies.ts';
import type { StoreReports } from '../../store/store-reports.ts';

export function fillStates(
  reports: Pick<StoreReports, 'ledgerLatest'>,
  fills: readonly FillRow[],
): FillState[] {
  const currencies = new Set(reports.ledgerLatest().map(({ currency }) => currency));
  return fills.map((fill) => fillStateOf(fill, currenciesOf(fill.pair, currencies)));
}
