/** A capture of one market, made without a stream: rules, a book, and one order per second. */
import { writeFileSync } from 'node:fs';
import { encodeCaptureEntry } from '../../src/recording/capture/capture-entry.ts';
import { captureBlock } from '../../src/recording/capture/capture-writer.ts';
import { codec, encodeBlock, fileMark } from '../../src/recording/file/block-file.ts';

const rules = {
  ...{ pair: 'ABCEUR', base: 'ABC', counter: 'EUR', priceScale: 2, volumeScale: 0, feeScale: 8 },
  ...{ priceMin: '0.01', priceMax: '1000', volumeMin: '1', volumeMax: '1000', status: 'ACTIVE' },
};

/**
 * Writes a capture that begins at `startMs` and has an order in each of the next `seconds`. `alter`
 * can change the text of each frame; the first frame is the book.
 */
export function writeCapture(
  path: string,
  startMs: number,
  seconds: number,
  alter: (text: string, number: number) => string = (text) => text,
  begin: Readonly<Record<string, string>> = { venue: 'test' },
): void {
  const book = {
    ...{ sequence: '1', asks: [{ id: `a${startMs}`, price: '100.25', volume: '5' }], bids: [] },
    ...{ status: 'ACTIVE', timestamp: startMs },
  };
  const creates = Array.from({ length: seconds }, (_, second) => ({
    ...{ sequence: String(second + 2), trade_updates: [], delete_update: null },
    create_update: { order_id: `b${startMs}-${second}`, type: 'BID', price: '100', volume: '5' },
    timestamp: startMs + (second + 1) * 1_000,
  }));
  const lines = [
    { atMs: startMs, pair: '-', kind: 'begin', text: JSON.stringify(begin) } as const,
    { atMs: startMs, pair: rules.pair, kind: 'market', text: JSON.stringify(rules) } as const,
    ...[book, ...creates].map((frame, number) => {
      const text = alter(JSON.stringify(frame), number);
      return { atMs: frame.timestamp, pair: rules.pair, kind: 'frame', text } as const;
    }),
  ].map(({ atMs, ...entry }) => `${encodeCaptureEntry({ atMicros: atMs * 1_000, ...entry })}\n`);
  const block = encodeBlock(captureBlock, Buffer.from(lines.join('')), codec.deflate);
  writeFileSync(path, Buffer.concat([Buffer.from(fileMark.capture, 'latin1'), block]));
}
