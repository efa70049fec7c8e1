/** `millrace export`: writes a recording, or the result of a backtest, as a table. */
import { createWriteStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { csvOf, type ResultTable, rowsOfTable } from '../../backtest/report/result-tables.ts';
import { ConfigError } from '../../domain/errors.ts';
import { fileKindOf } from '../../domain/file-kind.ts';
import { exportCsv } from '../../recording/export/export-csv.ts';
import { exportParquet } from '../../recording/export/export-parquet.ts';
import { Recording } from '../../recording/file/recording.ts';
import { fileHeadOf } from '../../runtime/file-head.ts';
import { writeFileAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { statusOf } from '../file-status.ts';
import { interruptible } from '../interruptible.ts';
import { checkOutputFile } from '../output-file.ts';

type ExportFormat = 'csv' | 'parquet';

export type ExportCommandOptions = {
  /** A recording, or the JSON file of a result. */
  readonly source: string;
  /** Which table of a result; undefined writes its orders. */
  readonly table?: ResultTable | undefined;
  readonly out: string;
  /** Undefined derives the format from the extension of `out`. */
  readonly format: ExportFormat | undefined;
  readonly output: Output;
};

/**
 * Writes the table; returns the exit code. Throws ConfigError if the extension of `out` is unknown
 * and no format is given, or for a table that the source does not have.
 */
export async function runExportCommand(options: ExportCommandOptions): Promise<number> {
  const { source, table } = options;
  if (statusOf(source)?.isFile() === true && fileKindOf(fileHeadOf(source)) === 'result')
    return exportResult(options);
  if (table !== undefined)
    throw new ConfigError(
      `--table ${table} needs the JSON file of a backtest's result, which ${source} is not`,
    );
  return exportRecording(options);
}

async function exportResult(options: ExportCommandOptions): Promise<number> {
  const { source, out, output, table = 'orders' } = options;
  if ((options.format ?? formatOf(out)) === 'parquet')
    throw new ConfigError(`-o ${out}: tables of a result are text; name the file .csv or .csv.gz`);
  const isGzip = out.endsWith('.gz');
  checkOutputFile({ out, inputs: [source], kind: isGzip ? 'gzip' : 'table' });
  const rows = rowsOfTable(JSON.parse(readFileSync(source, 'utf8')), table);
  if (rows === undefined)
    throw new ConfigError(`${source} has no ${table}: it is of an older version; run it again`);
  await interruptible({ out, output }, () =>
    writeFileAtomically(out, (partial) => writeText(csvOf(rows), partial, isGzip)),
  );
  output.result({ path: out, format: 'csv', table, rows: rows.length }, [
    `${rows.length} rows of ${table} in ${out}`,
  ]);
  return exitCodes.ok;
}

async function exportRecording(options: ExportCommandOptions): Promise<number> {
  const { out, output } = options;
  const format = options.format ?? formatOf(out);
  const kind = format === 'csv' && out.endsWith('.gz') ? 'gzip' : format;
  checkOutputFile({ out, inputs: [options.source], kind });
  const recording = new Recording(options.source);
  try {
    await interruptible({ out, output }, () =>
      writeFileAtomically(out, (partial) =>
        format === 'parquet'
          ? exportParquet(recording, partial)
          : writeText(exportCsv(recording), partial, out.endsWith('.gz')),
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

async function writeText(slices: Iterable<string>, path: string, isGzip: boolean): Promise<void> {
  // One slice at a time: by default sixteen would wait.
  const text = Readable.from(slices, { highWaterMark: 1 });
  const file = createWriteStream(path);
  if (isGzip) await pipeline(text, createGzip(), file);
  else await pipeline(text, file);
}
