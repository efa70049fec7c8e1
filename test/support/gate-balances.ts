/** Draws the balances that the account of the gate's proof reports. */
import { decimalText } from './gate-rules.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Decimals, as the exchange sends them. */
type BalanceText = { readonly balance: string; readonly available: string };

const usual: Readonly<Record<string, number>> = { XBT: 0.1, ZAR: 100_000, ETH: 2 };

export class DrawnBalances {
  readonly #last = new Map<string, BalanceText>();
  /** Whether the account owns only the currency that all others are priced in. */
  readonly #ownsOnlyZar: boolean;

  constructor(random: SeededRandom) {
    this.#ownsOnlyZar = random.integer(1, 5) === 1;
  }

  /** Returns a new balance; sometimes the last one again, as if nothing had happened since. */
  next(random: SeededRandom, currency: string): BalanceText {
    if (this.#ownsOnlyZar && currency !== 'ZAR') return { balance: '0', available: '0' };
    const last = this.#last.get(currency);
    if (last !== undefined && random.integer(1, 3) === 1) return last;
    const rich = random.integer(1, 3) > 1 ? 20 : 1;
    const thousandths = Math.round(random.integer(200, 1_000) * (usual[currency] ?? 1) * 10 * rich);
    const drawn = {
      balance: decimalText(thousandths, 4),
      available: decimalText(Math.floor((thousandths * random.integer(2, 4)) / 4), 4),
    };
    this.#last.set(currency, drawn);
    return drawn;
  }
}
