/**
 * History that diverges after a given time. What a strategy does before that time must not change;
 * otherwise it looks ahead.
 *
 * Invariant: the altered history is as consistent as the original: messages stay whole, and no
 * order trades or is resized beyond its volume.
 */
import {
  endFlag,
  type FlowBlock,
  kindMask,
  rowKind,
  sliceBlock,
  volumesOf,
} from '../../market/flow/flow-block.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';

export type Alteration = {
  /** Rows after this are altered. */
  readonly cutMicros: number;
  /** `ends`: no rows follow; `later`: rows are delayed; `larger`: new orders are larger. */
  readonly kind: 'ends' | 'later' | 'larger';
};

const laterMicros = 7_777_777;
const times = 3;

export async function* alterBlocks(
  blocks: AsyncIterable<FlowBlock>,
  { cutMicros, kind }: Alteration,
): AsyncGenerator<FlowBlock, void> {
  const made = new Set<number>();
  let isAfter = false;
  for await (const block of blocks) {
    const first = isAfter ? 0 : firstAfter(block, cutMicros);
    if (first > 0) yield first === block.rows ? block : sliceBlock(block, 0, first);
    if (first === block.rows) continue;
    isAfter = true;
    if (kind === 'ends') return;
    const rest = first === 0 ? block : sliceBlock(block, first, block.rows);
    if (kind === 'later') yield { ...rest, startMicros: rest.startMicros + laterMicros };
    else yield { ...rest, volumes: largerVolumes(rest, made) };
  }
}

/** Returns the first row of the first message that begins after the cut. */
function firstAfter(block: FlowBlock, cutMicros: number): number {
  const cursor = new FlowCursor();
  cursor.load(block);
  let first = 0;
  for (let row = 0; cursor.next(); row++) {
    if (cursor.atMicros > cutMicros) return first;
    if (((block.meta[row] as number) & endFlag) !== 0) first = row + 1;
  }
  return block.rows;
}

function largerVolumes(block: FlowBlock, made: Set<number>): Float64Array {
  const volumes = Float64Array.from(block.volumes);
  let at = 0;
  for (let row = 0; row < block.rows; row++) {
    const meta = block.meta[row] as number;
    const slot = block.slots[row] as number;
    const kind = meta & kindMask;
    if (kind === rowKind.create) made.add(slot);
    if (kind === rowKind.delete) made.delete(slot);
    if (volumesOf(meta) === 0) continue;
    // A trade without an order and a bar may have any volume.
    const hasNoOrder = slot === 0 && (kind === rowKind.trade || kind === rowKind.candle);
    if (made.has(slot) || hasNoOrder) volumes[at] = (volumes[at] as number) * times;
    at++;
  }
  return volumes;
}
