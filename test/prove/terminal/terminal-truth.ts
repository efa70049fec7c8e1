/** Compares what a terminal shows with what the bot's database has. */
import { formatAmount } from '../../../src/domain/amount.ts';
import { Decimal } from '../../../src/domain/money.ts';
import { baseOf, Positions, profitOf } from '../../../src/execution/fills/positions.ts';
import { openStoreReports } from '../../../src/store/sqlite-reports.ts';
import type { StoreReports } from '../../../src/store/store-reports.ts';
import type { PtyScreen } from '../../support/pty-screen.ts';
import type { Checks } from './terminal-place.ts';

/** Records reach the database a moment after the screen. */
const agreesWithinMs = 15_000;
const lookEveryMs = 200;

/** What both the screen and the database say. */
type Facts = {
  readonly orders: readonly string[];
  readonly position: string;
  readonly fills: string;
  readonly newestFills: readonly string[];
};

/** Waits until the screen agrees with the database about orders, position and fills. */
export async function agrees(screen: PtyScreen, store: string): Promise<string | undefined> {
  const reports = openStoreReports(store);
  try {
    let [seen, stored] = ['', 'nothing'];
    const untilMs = performance.now() + agreesWithinMs;
    while (performance.now() < untilMs) {
      const shown = shownFacts(screen);
      seen = JSON.stringify(shown);
      stored = JSON.stringify(storedFacts(reports, shown.newestFills.length));
      if (seen === stored) return undefined;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return `shown ${seen}, stored ${stored}`;
  } finally {
    reports.close();
  }
}

/** Notes whether the profit on the screen is that of the database at the mid on the screen. */
export function checkProfit(screen: PtyScreen, store: string, where: string, checks: Checks): void {
  const reports = openStoreReports(store);
  const text = screen.lines.join('\n');
  const holding = positionsOf(reports).entries()[0]?.holding;
  reports.close();
  const mid = /^XBTZAR +(?<mid>[\d.]+) /mu.exec(text)?.groups?.['mid'];
  const row = /^mm-xbt .* XBT +(?<profit>-?[\d.]+) ZAR(?<rest>.*)$/mu.exec(text)?.groups;
  const shown = row?.['profit'];
  if (holding === undefined || mid === undefined || shown === undefined) {
    checks.note(`${where}: there is a profit`, false, text);
    return;
  }
  const { profit, fees } = profitOf(holding, new Decimal(mid));
  const isNear = (a: Decimal, b: string) => a.minus(b).abs().lessThanOrEqualTo('0.006');
  checks.note(
    `${where}: the profit is that of the fills`,
    isNear(profit, shown),
    `shown ${shown}, of the fills ${profit.toFixed()}`,
  );
  const parts = /^ +(?<spread>-?[\d.]+) +(?<fees>-?[\d.]+) +(?<inventory>-?[\d.]+) /u.exec(
    row?.['rest'] ?? '',
  )?.groups;
  if (parts === undefined) return;
  const { spread = '', fees: paid = '', inventory = '' } = parts;
  checks.note(`${where}: the fees are those of the fills`, isNear(fees, paid), `shown ${paid}`);
  const sum = new Decimal(spread).minus(paid).plus(inventory);
  checks.note(
    `${where}: the parts of the profit add up`,
    sum.minus(shown).abs().lessThanOrEqualTo('0.03'),
    `${spread} - ${paid} + ${inventory} is not ${shown}`,
  );
}

function shownFacts(screen: PtyScreen): Facts {
  const text = screen.lines.join('\n');
  const orders = [
    ...text.matchAll(/^(?<side>ASK|BID) +(?<price>\d+) .*? (?<id>\d+)(?: {3,}.*)?$/gmu),
  ];
  const row = /^mm-xbt .*?(?<position>-?[\d.]+) XBT .*? (?<fills>\d+)(?: +\d+ %| *$| {3})/mu.exec(
    text,
  );
  const fills = [
    ...text.matchAll(
      /(?<time>\d\d:\d\d:\d\d) +(?<verb>bought|sold) +(?<volume>[\d.]+) .*?(?<price>\d{6,}) /gu,
    ),
  ];
  return {
    orders: orders
      .map(({ groups }) => `${groups?.['side']} ${groups?.['price']} ${groups?.['id']}`)
      .sort(),
    position: row?.groups?.['position'] ?? '0',
    fills: row?.groups?.['fills'] ?? '0',
    newestFills: fills
      .map(({ groups }) =>
        [groups?.['time'], groups?.['verb'], groups?.['volume'], groups?.['price']].join(' '),
      )
      .sort(),
  };
}

function storedFacts(reports: StoreReports, newest: number): Facts {
  const holding = positionsOf(reports).entries()[0]?.holding;
  const fills = newest === 0 ? [] : reports.recentFills('XBTZAR', newest);
  return {
    orders: reports
      .openOrders()
      .map(({ side, price, intentId }) => `${side} ${price} ${intentId}`)
      .sort(),
    position: holding === undefined ? '0' : formatAmount(baseOf(holding)),
    fills: String(holding?.fills ?? 0),
    newestFills: fills
      .map(({ tradedMs, side, volume, price }) => {
        const time = new Date(tradedMs).toISOString().slice(11, 19);
        const verb = side === 'BID' ? 'bought' : 'sold';
        return [time, verb, new Decimal(volume).toFixed(), new Decimal(price).toFixed()].join(' ');
      })
      .sort(),
  };
}

function positionsOf(reports: StoreReports): Positions {
  const positions = new Positions();
  for (const totals of reports.fillTotals()) positions.restore(totals);
  return positions;
}
