/** `millrace export`: a recording as comma-separated text. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportCsv } from '../recording/export-csv.ts';
import { Recording } from '../recording/recording.ts';
import { exitCodes } from './exit-code.ts';
import type { Output } from './output.ts';

export type ExportVerbOptions = {
  readonly recording: string;
  readonly out: string;
  readonly output: Output;
};

/** Writes the text; returns the exit code. */
export async function runExportVerb(options: ExportVerbOptions): Promise<number> {
  const { out, output } = options;
  const recording = new Recording(options.recording);
  try {
    const text = Readable.from(exportCsv(recording));
    const file = createWriteStream(out);
    if (out.endsWith('.gz')) await pipeline(text, createGzip(), file);
    else await pipeline(text, file);
    const { rows } = recording.index.counts;
    output.result({ path: out, rows }, [
      `${rows} rows of ${recording.header.market.pair} in ${out}`,
    ]);
    return exitCodes.ok;
  } finally {
    recording.close();
  }
}
