/** Prices and volumes of a table in ticks and lots, exact or rounded to a stated scale. */

import { type Market, parseLots, parseTicks } from '../../domain/market.ts';
import { formatScaled, type Lots, parseDecimal, type Ticks } from '../../domain/money.ts';
import type { CsvRow } from './csv-file.ts';

/** The scales that decide about an amount. */
type ScaleName = 'price' | 'volume';

export class CsvAmounts {
  rounded = 0;
  readonly #market: Market;
  readonly #isRounded: boolean;
  readonly #why: Readonly<Record<ScaleName, string>>;

  /** `why` names the cell that decides a scale which is taken from the data; else it is empty. */
  constructor(
    market: Market,
    options: {
      readonly isRounded: boolean;
      readonly why: Readonly<Record<ScaleName, string>>;
    },
  ) {
    this.#market = market;
    this.#isRounded = options.isRounded;
    this.#why = options.why;
  }

  /** Throws DecodeError for a text that is not a price of the market. */
  price(row: CsvRow, name: string): Ticks {
    const text = row.text(name);
    const { priceScale } = this.#market;
    return (
      parseTicks(text, this.#market) ??
      parseTicks(this.#roundedText(text, priceScale), this.#market) ??
      this.#refuse(row, name, 'price')
    );
  }

  /** Throws DecodeError for a text that is not a volume of the market. */
  volume(row: CsvRow): Lots {
    const text = row.text('volume');
    const { volumeScale } = this.#market;
    return (
      parseLots(text, this.#market) ??
      parseLots(this.#roundedText(text, volumeScale), this.#market) ??
      this.#refuse(row, 'volume', 'volume')
    );
  }

  #refuse(row: CsvRow, name: string, scale: ScaleName): never {
    const text = row.text(name);
    const decimals = this.#market[`${scale}Scale`];
    const why = this.#why[scale];
    const cause =
      why === '' || decimals === 0
        ? ''
        : `; these ${decimals} decimals come from ${why}: if that is noise, set --${scale}-scale and --round`;
    throw row.wrong(name, `${allowedAmount(text, decimals, `--${scale}-scale`)}${cause}`);
  }

  /** Returns the nearest decimal of the scale; a half becomes the even neighbour. */
  #roundedText(text: string, scale: number): string {
    const value = this.#isRounded ? parseDecimal(text) : undefined;
    if (value === undefined) return '';
    this.rounded++;
    return value.toDecimalPlaces(scale).toFixed();
  }
}

/**
 * Returns what is allowed instead of `text`, which is not an amount of `scale` decimals. `option`
 * is the command-line option that sets the scale.
 */
function allowedAmount(text: string, scale: number, option: string): string {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text))
    return 'a decimal in plain digits, like 1234.5, without an exponent';
  const decimals = (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
  if (decimals > scale)
    return `a number with at most ${scale} decimals, the limit set by ${option}; --round rounds to it`;
  const most = formatScaled(Number.MAX_SAFE_INTEGER, scale);
  return `at most ${most}: with ${scale} decimals, an amount must be below 2^53 of its smallest steps`;
}
