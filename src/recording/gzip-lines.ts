/** Reads the lines of a gzipped text file one after the other, with memory for one chunk. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { DecodeError } from '../domain/errors.ts';

/**
 * Yields the lines in batches, as they come out of the decompressor. Throws {@link DecodeError}
 * naming the file if it cannot be read or its compression is damaged.
 */
export async function* readGzipLines(path: string): AsyncGenerator<readonly string[], void> {
  const source = createReadStream(path, { highWaterMark: 1 << 18 });
  const inflated = createGunzip({ chunkSize: 1 << 18 });
  source.on('error', (error) => inflated.destroy(error));
  source.pipe(inflated);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of inflated) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield lines;
    }
  } catch (cause) {
    throw new DecodeError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    source.destroy();
    inflated.destroy();
  }
  if (rest !== '') yield [rest];
}
