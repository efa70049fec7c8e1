/**
 * Rows of a source that contradict its own book: how many, where the first one is, and what that
 * means for a backtest.
 */
import type { MisfitKind, MisfitPlace, RecordingIndex } from './recording-header.ts';
import { timeText } from './time-text.ts';

/** The count of each kind of misfit, with what it means for trust in the data. */
const meanings = {
  unknownOrders: [
    'the row changes, deletes or trades an order that is not in the book',
    'rows before it are missing, so queues and volumes are uncertain',
  ],
  repeatedIds: [
    'the row creates an order whose id is already in the book, and is left out',
    'the end of the first order is missing, so the book may show volume that was gone',
  ],
  excessVolumes: [
    'the trade is larger than the resting order',
    'the book showed too little volume there, so our orders behind it may be filled too early',
  ],
  otherPrices: [
    'the trade has another price than its resting order',
    'the book or the trade is wrong there, so fills and profit are uncertain',
  ],
  otherSides: [
    'the trade names another side than that of its resting order, which is kept',
    "if many do, the side column probably has the taker's side",
  ],
  timesWentBack: [
    'the time is before that of the row before, and becomes equal to it',
    'the order of events is uncertain there',
  ],
} as const satisfies Record<MisfitKind, readonly [string, string]>;

/** Returns one sentence for each kind of misfit that a recording has. */
export function misfitTexts({
  counts,
  firstMisfits = {},
}: Pick<RecordingIndex, 'counts' | 'firstMisfits'>): readonly string[] {
  const kinds = Object.keys(meanings) as MisfitKind[];
  return kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => {
      const [what, meaning] = meanings[kind];
      const where = placeText(firstMisfits[kind]);
      return `${kind}, ${counts[kind]} of ${counts.rows} rows${where}: ${what}; ${meaning}`;
    });
}

/** A recording of an earlier version does not have the place. */
function placeText(place: MisfitPlace | undefined): string {
  if (place === undefined) return '';
  const { row, micros } = place;
  return micros === undefined
    ? ', the first in the book at the start'
    : `, the first is row ${row} at ${timeText(micros)}`;
}
