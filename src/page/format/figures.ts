/**
 * Figures as people read them: rounded, grouped, with their sign. What is rounded is shown exactly
 * on hover, so nothing is lost.
 */

/** Returns a decimal as a number to draw it; null stays null. */
export function drawn(text: string): number;
export function drawn(text: string | null): number | null;
export function drawn(text: string | null): number | null {
  // Not money: a position on the screen.
  return text === null ? null : Number(text);
}

export type RoundOptions = {
  readonly decimals: number;
  /** All `decimals` are shown, also zeros at the end. */
  readonly isFixed?: boolean;
  /** A plus for what is above zero. */
  readonly isSigned?: boolean;
};

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat('en-US', options);
  formats.set(key, format);
  return format;
}

/**
 * Returns a decimal rounded and in groups of thousands, with a true minus sign. What would round to
 * zero keeps two digits instead. A text that is no decimal is returned as it is.
 */
export function roundedText(value: string | number, options: RoundOptions): string {
  const { decimals, isFixed = false, isSigned = false } = options;
  const size = Math.abs(typeof value === 'number' ? value : drawn(value));
  if (!Number.isFinite(size)) return String(value);
  const isTiny = size > 0 && size < 0.5 * 10 ** -decimals;
  const format = formatOf({
    ...(isTiny
      ? { maximumSignificantDigits: 2 }
      : { maximumFractionDigits: decimals, minimumFractionDigits: isFixed ? decimals : 0 }),
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  });
  // The format takes decimals as text and rounds them exactly.
  return format.format(value as Intl.StringNumericLiteral).replace('-', '\u2212');
}

/** Returns a decimal with its digits in groups, not rounded. */
export function exactText(value: string | number): string {
  if (!Number.isFinite(typeof value === 'number' ? value : drawn(value))) return String(value);
  const decimals = String(value).split('.')[1]?.length ?? 0;
  return roundedText(value, { decimals: Math.min(decimals, 100), isFixed: true });
}

/** Returns a floating-point number without the digits in which it is not exact. */
export function numberText(value: number): string {
  return exactText(String(parseFloat(value.toPrecision(12)))); // Not money: a drawn value.
}

/** Returns a share from 0 to 1 in percent. */
export function percentText(share: number, decimals = 1): string {
  return `${roundedText(share * 100, { decimals })} %`;
}

/** Returns a figure for an axis or a short place: 1.2 k, 3.4 M. */
export function shortText(value: number): string {
  return formatOf({ notation: 'compact', maximumSignificantDigits: 3 })
    .format(value)
    .replace('-', '\u2212');
}
