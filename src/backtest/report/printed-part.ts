/** What strategies printed, as a part of the page of a backtest. */
import { escapeText } from './chart.ts';

/** `leftOut` is the number of further lines. */
export type PrintedLinesOfRun = { readonly lines: readonly string[]; readonly leftOut: number };

/** Returns the part; nothing if nothing was printed. */
export function printedPart({ lines, leftOut }: PrintedLinesOfRun): string {
  if (lines.length === 0) return '';
  const more = leftOut === 0 ? [] : [`${leftOut} more lines are left out`];
  const text = escapeText([...lines, ...more].join('\n'));
  return `<details><summary>Printed by strategies</summary><pre>${text}</pre></details>`;
}
