/** `millrace compile` and `millrace import`: convert captures and external data to recordings. */
import { ConfigError } from '../../domain/errors.ts';
import { openCaptures } from '../../recording/capture/capture-source.ts';
import { type Coverage, coverageOf, doubtOf } from '../../recording/file/coverage.ts';
import {
  type FlowSource,
  type WrittenRecording,
  writeRecording,
} from '../../recording/file/flow-source.ts';
import { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { type ImportRequest, openImport } from '../../recording/import/import-format.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { interruptible } from '../interruptible.ts';
import { checkOutputFile } from '../output-file.ts';

export type CompileVerbOptions = {
  readonly captures: readonly string[];
  readonly pair: string | undefined;
  readonly out: string;
  readonly output: Output;
};

/** Compiles captures, oldest first; returns the exit code. */
export async function runCompileVerb(options: CompileVerbOptions): Promise<number> {
  const { captures, pair, out, output } = options;
  checkOutputFile({ out, inputs: captures, kind: 'recording' });
  const onWarning = (message: string): void => output.line(`! ${message}`);
  return write(await openCaptures(captures, { pair, onWarning }), out, output);
}

export type ImportVerbOptions = Omit<ImportRequest, 'base' | 'counter'> & {
  /** Base and counter currency, as `XBT/ZAR`. */
  readonly market: string;
  readonly out: string;
  readonly output: Output;
};

/** Imports one file or folder; returns the exit code. */
export async function runImportVerb(options: ImportVerbOptions): Promise<number> {
  const [, base, counter] =
    /^([A-Z][A-Z0-9]{1,9})\/([A-Z][A-Z0-9]{1,9})$/u.exec(options.market) ?? [];
  if (base === undefined || counter === undefined || base === counter)
    throw new ConfigError(
      `--market must be two different currencies in capitals, like XBT/ZAR, was "${options.market}"`,
    );
  checkOutputFile({ out: options.out, inputs: [options.path], kind: 'recording' });
  const source = await openImport({ ...options, base, counter });
  return write(source, options.out, options.output);
}

async function write(source: FlowSource, path: string, output: Output): Promise<number> {
  const written = await interruptible({ out: path, output }, () => writeRecording(source, path));
  const { index, header, notes } = written;
  const coverage = readCoverage(path);
  const { counts, hash, bytes, sideBytes } = index;
  const { messages } = counts;
  const perMessage = (size: number) => Math.round((size / Math.max(1, messages)) * 1000) / 1000;
  const figures = {
    path,
    ...coverage,
    ...counts,
    ...notes,
    bytesPerMessage: perMessage(bytes),
    bytesPerMessageWithIds: perMessage(bytes + sideBytes),
    hash,
  };
  output.result(figures, linesOf(written, figures));
  const { scalesChangedMicros } = header;
  if (scalesChangedMicros !== undefined)
    output.line(
      `! the market's scales changed at ${timeText(scalesChangedMicros)}: a backtest refuses this recording; ` +
        'compile the captures from before and after that time separately',
    );
  const warning = doubtOf(coverage);
  if (warning !== undefined) output.line(`! ${warning}`);
  return exitCodes.ok;
}

function readCoverage(path: string): Coverage {
  const recording = new Recording(path);
  try {
    return coverageOf(recording);
  } finally {
    recording.close();
  }
}

type Figures = Readonly<Record<string, number | string | null>>;

function linesOf({ header }: WrittenRecording, figures: Figures): readonly string[] {
  const scales = `prices with ${header.market.priceScale} decimals, volumes with ${header.market.volumeScale}`;
  return [
    `${header.market.pair}, grade ${header.grade}, ${scales}`,
    ...Object.entries(figures).map(([name, value]) => `${name.padEnd(22)} ${value ?? 'none'}`),
  ];
}
