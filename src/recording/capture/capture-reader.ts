/** Reads captures block by block; one block at a time is in memory. */
import { DecodeError } from '../../domain/errors.ts';
import { BlockFile, fileMark, fileMarkBytes, TornBlockError } from '../file/block-file.ts';
import { type CaptureEntry, decodeCaptureEntry } from './capture-entry.ts';
import { captureBlock } from './capture-writer.ts';

/** A block of lines and its place in the file. */
export type CaptureLines = {
  readonly lines: readonly string[];
  /** The beginning of error messages: file and offset. */
  readonly where: string;
};

/**
 * Yields the blocks of the capture at `path`. A torn block at its end, which a killed recorder
 * leaves, is dropped and reported to `onTorn`. Throws NotFoundError, or DecodeError with file and
 * offset for damage anywhere else. Reads at most `bytesMax` bytes of the file.
 */
export function* captureLines(
  path: string,
  onTorn: (message: string) => void,
  bytesMax = Infinity,
): Generator<CaptureLines, void> {
  const file = BlockFile.open(path, fileMark.capture, bytesMax);
  try {
    for (let offset = fileMarkBytes; ; ) {
      const block = file.blockAt(offset);
      if (block === undefined) return;
      if (block.kind !== captureBlock)
        throw file.damage(offset, `a capture cannot have a block of kind ${block.kind}`);
      const lines = file.inflate(block).toString('utf8').split('\n');
      if (lines.pop() !== '') throw file.damage(offset, 'the last line has no line feed');
      yield { lines, where: `${path}: offset ${offset}` };
      offset = block.nextOffset;
    }
  } catch (error) {
    if (!(error instanceof TornBlockError)) throw error;
    onTorn(`${error.message}; the incomplete block is dropped`);
  } finally {
    file.close();
  }
}

/** Yields the entries of a block. Throws DecodeError for a bad line or a time that goes back. */
export function* captureEntries(
  { lines, where }: CaptureLines,
  notBefore = 0,
): Generator<CaptureEntry, void> {
  let lastMicros = notBefore;
  for (const [index, line] of lines.entries()) {
    const entry = decodeCaptureEntry(line, `${where}, line ${index + 1}`);
    if (entry.atMicros < lastMicros)
      throw new DecodeError(
        `${where}, line ${index + 1}: time must not go back from ${lastMicros}, was ${entry.atMicros}`,
      );
    lastMicros = entry.atMicros;
    yield entry;
  }
}
