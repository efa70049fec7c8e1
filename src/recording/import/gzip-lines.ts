/** Reads the lines of a gzipped text file; one chunk at a time is in memory. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { DecodeError } from '../../domain/errors.ts';
import { TextLines } from './text-lines.ts';

/**
 * Yields the lines in batches, one for each decompressed chunk. Throws {@link DecodeError} that
 * names the file if it cannot be read, its compression is damaged, or a line is too long. Reads at
 * most `bytesMax` bytes of the file.
 */
export async function* readGzipLines(
  path: string,
  bytesMax = Infinity,
): AsyncGenerator<readonly string[], void> {
  const source = createReadStream(path, { highWaterMark: 1 << 18, end: Math.max(0, bytesMax - 1) });
  const inflated = createGunzip({ chunkSize: 1 << 18 });
  source.on('error', (error) => inflated.destroy(error));
  source.pipe(inflated);
  const text = new TextLines(path);
  try {
    for await (const chunk of inflated) yield text.take(chunk as Buffer);
  } catch (cause) {
    if (cause instanceof DecodeError) throw cause;
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    source.destroy();
    inflated.destroy();
  }
  if (text.rest() !== '') yield [text.rest()];
}
