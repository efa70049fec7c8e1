/**
 * Checks the path that a command writes: it may never overwrite its own input, and only replace an
 * older file of the same kind. A shell expands `-o *.cap` to `-o a.cap b.cap`, which would destroy
 * a capture.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { ConfigError, StoreError } from '../domain/errors.ts';
import { fileMark } from '../recording/file/block-file.ts';
import { partialPathsOf } from '../runtime/partial-file.ts';
import { statusOf } from './file-status.ts';

/** The first bytes of each kind of file. */
const marks = {
  capture: fileMark.capture,
  recording: fileMark.recording,
  parquet: 'PAR1',
  gzip: '\x1f\x8b',
  csv: 'time_us,',
  table: 'pair,',
} as const;
export type OutputKind = Exclude<keyof typeof marks, 'capture'>;

const names: Readonly<Record<keyof typeof marks, string>> = {
  capture: 'a capture',
  recording: 'a recording',
  parquet: 'a Parquet file',
  gzip: 'a compressed file',
  csv: 'an exported table',
  table: 'a table of a result',
};

export type OutputFile = {
  readonly out: string;
  readonly inputs: readonly string[];
  readonly kind: OutputKind;
};

/**
 * Throws ConfigError, before anything is read or written, if the output would destroy another file,
 * and StoreError if the file at the output path cannot be read.
 */
export function checkOutputFile({ out, inputs, kind }: OutputFile): void {
  // Writing `out` also removes the partial files that killed processes left.
  for (const path of [out, ...partialPathsOf(out)]) {
    const input = inputs.find((one) => isSame(path, one));
    if (input !== undefined)
      throw new ConfigError(`-o ${out} would overwrite its own input ${input}: give another path`);
  }
  const status = statusOf(out);
  if (status === undefined) return;
  const [from, ...more] = inputs;
  const source = more.length === 0 ? from : `${from} and ${more.length} more`;
  if (!status.isFile())
    throw new ConfigError(
      `-o ${out} exists and is not a file, so ${names[kind]} made from ${source} cannot be written: give the path of a file`,
    );
  if (status.size === 0n) return;
  const found = kindOf(out);
  if (found === kind) return;
  const what = found === undefined ? `not ${names[kind]}` : names[found];
  const hint =
    found === 'capture'
      ? `; the shell expands -o *${extname(out)}, and its first file becomes the output`
      : '';
  throw new ConfigError(
    `-o ${out} exists and is ${what}: ${names[kind]} made from ${source} would overwrite it; ` +
      `give another name, or remove ${basename(out)} first${hint}`,
  );
}

function isSame(path: string, other: string): boolean {
  const [one, two] = [statusOf(path), statusOf(other)];
  return one !== undefined && one.dev === two?.dev && one.ino === two.ino;
}

function kindOf(path: string): keyof typeof marks | undefined {
  const file = openedAt(path);
  try {
    const bytes = Buffer.alloc(8);
    const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
    return (Object.keys(marks) as (keyof typeof marks)[]).find((kind) =>
      text.startsWith(marks[kind]),
    );
  } finally {
    closeSync(file);
  }
}

function openedAt(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new StoreError(
      `-o ${path} exists and cannot be read: ${(cause as Error).message}; give another name`,
      { cause },
    );
  }
}
