/** The text of an error about an amount that does not fit its scale. */
import { formatScaled } from '../../domain/money.ts';

/**
 * Returns what is allowed instead of `text`, which is not an amount of `scale` decimals. `option`
 * is the command-line option that sets the scale.
 */
export function allowedAmount(text: string, scale: number, option: string): string {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(text))
    return 'a decimal in plain digits, like 1234.5, without an exponent';
  const decimals = (text.split('.')[1] ?? '').replace(/0+$/u, '').length;
  if (decimals > scale)
    return `a number with at most ${scale} decimals, the limit set by ${option}; --round rounds to it`;
  const most = formatScaled(Number.MAX_SAFE_INTEGER, scale);
  return `at most ${most}: with ${scale} decimals, an amount must be below 2^53 of its smallest steps`;
}
