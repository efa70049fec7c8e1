/** What is said of amounts that cannot be read with the decimals of their scale. */
import { formatScaled } from '../../domain/money.ts';

/** Returns what `text` must be, which is no amount of `scale` decimals; `option` sets the scale. */
export function amountAllowed(text: string, scale: number, option: string): string {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text))
    return 'a decimal in plain digits, like 1234.5, without an exponent';
  const decimals = (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
  if (decimals > scale) return `a decimal of at most ${scale} decimals, as ${option} says`;
  const most = formatScaled(Number.MAX_SAFE_INTEGER, scale);
  return `at most ${most}: with ${scale} decimals, an amount is below 2^53 of its smallest steps`;
}
