/**
 * A feed from a file: whenever the file has changed, its last line is read. It may grow, as a table
 * that another program appends to, or be written anew. Only its ends are ever read.
 */
import { open, stat } from 'node:fs/promises';
import { DecodeError } from '../domain/errors.ts';
import type { Timers } from '../runtime/timers.ts';
import type { FeedIntake } from './feed-intake.ts';
import { valuesOfJson, valuesOfRow } from './message-values.ts';
import type { OpenFeed } from './open-feed.ts';

/** The first line of a table names its columns. */
const headerBytesMax = 4_096;

/** Opens the feed; `path` is that of the file. */
export function followFile(path: string, intake: FeedIntake, timers: Timers): OpenFeed {
  const { everyMs, ageMsMax, bytesMax } = intake.source;
  let seen = '';
  /** What was wrong with the line that was read last. */
  let problem: string | undefined;
  let isReading = false;
  let isClosed = false;

  const look = async (): Promise<void> => {
    const status = await stat(path);
    // Opening a pipe would wait for a writer.
    if (!status.isFile()) throw new DecodeError('the file is not a regular file');
    const version = `${status.ino} ${status.size} ${status.mtimeMs}`;
    if (version === seen) {
      if (intake.silentMs >= ageMsMax - everyMs) intake.fail(problem ?? 'the file has not changed');
      return;
    }
    const { header, line } = await endsOf(path, status.size, bytesMax);
    seen = version;
    if (isClosed) return;
    const isTable = path.endsWith('.csv');
    problem = intake.offer(() =>
      isTable ? valuesOfRow(header, line, intake.source) : valuesOfJson(line, intake.source),
    );
    if (problem !== undefined) intake.fail(problem);
  };
  const read = (): void => {
    if (isReading) return;
    isReading = true;
    void look()
      .catch((error: unknown) => {
        if (!isClosed) intake.fail(reasonOf(error));
      })
      .finally(() => {
        isReading = false;
      });
  };
  read();
  const cancel = timers.every(everyMs, read);
  return {
    close: async () => {
      isClosed = true;
      cancel();
    },
  };
}

/**
 * Returns the first line and the last whole one; a file without a line feed is one line. Throws
 * DecodeError for an empty file and for a line that is too long.
 */
async function endsOf(path: string, size: number, bytesMax: number) {
  const file = await open(path, 'r');
  try {
    const part = async (offset: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const offset = Math.max(0, size - bytesMax);
    const tail = await part(offset, size - offset);
    const end = tail.lastIndexOf('\n');
    const whole = end === -1 ? tail : tail.slice(0, end);
    const start = whole.lastIndexOf('\n');
    if (start === -1 && offset > 0)
      throw new DecodeError(`the last line is larger than ${bytesMax / 1_000} kB`);
    const line = whole.slice(start + 1).trim();
    if (line === '') throw new DecodeError('the last line is empty');
    const [header = ''] = (await part(0, Math.min(size, headerBytesMax))).split('\n');
    return { header: header.trim(), line };
  } finally {
    await file.close();
  }
}

/** Never the error's text, which has the path. */
function reasonOf(error: unknown): string {
  if (error instanceof DecodeError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
  return code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read: ${code}`;
}
