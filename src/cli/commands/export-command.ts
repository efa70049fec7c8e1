/** `millrace export`: writes a recording as a table for other programs. */
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ConfigError } from '../../domain/errors.ts';
import { exportCsv } from '../../recording/export/export-csv.ts';
import { exportParquet } from '../../recording/export/export-parquet.ts';
import { Recording } from '../../recording/file/recording.ts';
import { writeFileAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { interruptible } from '../interruptible.ts';
import { checkOutputFile } from '../output-file.ts';

type ExportFormat = 'csv' | 'parquet';

export type ExportCommandOptions = {
  readonly recording: string;
  readonly out: string;
  /** Undefined derives the format from the extension of `out`. */
  readonly format: ExportFormat | undefined;
  readonly output: Output;
};

/**
 * Writes the table; returns the exit code. Throws ConfigError if the extension of `out` is unknown
 * and no format is given.
 */
export async function runExportCommand(options: ExportCommandOptions): Promise<number> {
  const { out, output } = options;
  const format = options.format ?? formatOf(out);
  const kind = format === 'csv' && out.endsWith('.gz') ? 'gzip' : format;
  checkOutputFile({ out, inputs: [options.recording], kind });
  const recording = new Recording(options.recording);
  try {
    await interruptible({ out, output }, () =>
      writeFileAtomically(out, (partial) =>
        format === 'parquet'
          ? exportParquet(recording, partial)
          : writeText(recording, partial, out.endsWith('.gz')),
      ),
    );
    const { rows } = recording.index.counts;
    output.result({ path: out, format, rows }, [
      `${rows} rows of ${recording.header.market.pair} in ${out}`,
    ]);
    return exitCodes.ok;
  } finally {
    recording.close();
  }
}

function formatOf(path: string): ExportFormat {
  if (path.endsWith('.parquet')) return 'parquet';
  if (/\.csv(?:\.gz)?$/u.test(path)) return 'csv';
  throw new ConfigError(
    `${basename(path)}: unknown extension; name the file .parquet, .csv or .csv.gz, or give --format`,
  );
}

async function writeText(recording: Recording, path: string, isGzip: boolean): Promise<void> {
  // One slice at a time: by default sixteen would wait.
  const text = Readable.from(exportCsv(recording), { highWaterMark: 1 });
  const file = createWriteStream(path);
  if (isGzip) await pipeline(text, createGzip(), file);
  else await pipeline(text, file);
}
