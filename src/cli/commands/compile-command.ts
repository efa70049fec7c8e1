/** `millrace compile` and `millrace import`: convert captures and external data to recordings. */
import { ConfigError } from '../../domain/errors.ts';
import { openCaptures } from '../../recording/capture/capture-source.ts';
import { missingBarsOf } from '../../recording/file/bar-distances.ts';
import { type Coverage, coverageOf, timeWarningOf } from '../../recording/file/coverage.ts';
import {
  type FlowSource,
  type WrittenRecording,
  writeRecording,
} from '../../recording/file/flow-source.ts';
import { misfitTexts } from '../../recording/file/misfits.ts';
import { Recording } from '../../recording/file/recording.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { type ImportRequest, openImport } from '../../recording/import/import-format.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { marketFramesOf } from '../../venues.ts';
import { interruptible } from '../interruptible.ts';
import { checkOutputFile } from '../output-file.ts';

export type CompileCommandOptions = {
  readonly captures: readonly string[];
  readonly pair: string | undefined;
  readonly out: string;
  readonly output: Output;
};

/** Compiles captures, oldest first; returns the exit code. */
export async function runCompileCommand(options: CompileCommandOptions): Promise<number> {
  const { captures, pair, out, output } = options;
  checkOutputFile({ out, inputs: captures, kind: 'recording' });
  const onWarning = (message: string): void => output.line(`! ${message}`);
  return write(
    await openCaptures(captures, { pair, onWarning, framesOf: marketFramesOf }),
    out,
    output,
  );
}

export type ImportCommandOptions = Omit<ImportRequest, 'base' | 'counter'> & {
  /** Base and counter currency, as `XBT/ZAR`. */
  readonly market: string;
  readonly out: string;
  readonly output: Output;
};

/** Imports one file or folder; returns the exit code. */
export async function runImportCommand(options: ImportCommandOptions): Promise<number> {
  const [, base, counter] =
    /^([A-Z][A-Z0-9]{1,9})\/([A-Z][A-Z0-9]{1,9})$/u.exec(options.market) ?? [];
  if (base === undefined || counter === undefined || base === counter)
    throw new ConfigError(
      `--market must be two different currencies in capitals, like XBT/ZAR, was "${options.market}"`,
    );
  checkOutputFile({ out: options.out, inputs: [options.path], kind: 'recording' });
  const { format, priceScale, volumeScale } = options;
  const isTable = format.startsWith('csv');
  if (options.round && (!isTable || priceScale === undefined || volumeScale === undefined))
    throw new ConfigError(
      '--round rounds the amounts of CSV tables to stated decimals: also give --price-scale and --volume-scale',
    );
  const source = await openImport({ ...options, base, counter });
  return write(source, options.out, options.output);
}

async function write(source: FlowSource, path: string, output: Output): Promise<number> {
  const written = await interruptible({ out: path, output }, () => writeRecording(source, path));
  const { index, header, notes } = written;
  const { coverage, missing } = readCoverage(path);
  const { counts, hash, bytes, sideBytes } = index;
  const { messages } = counts;
  const perMessage = (size: number) => Math.round((size / Math.max(1, messages)) * 1000) / 1000;
  const figures = {
    path,
    ...coverage,
    ...counts,
    ...notes,
    ...missing,
    bytesPerMessage: perMessage(bytes),
    bytesPerMessageWithIds: perMessage(bytes + sideBytes),
    hash,
  };
  const misfits = misfitTexts(index);
  const { readings } = index.feeds ?? {};
  const lines = [...linesOf(written, figures), ...feedLines(readings)];
  output.result({ ...figures, misfits, ...(readings && { feeds: readings }) }, lines);
  const { scalesChangedMicros } = header;
  if (scalesChangedMicros !== undefined)
    output.line(
      `! the market's scales changed at ${timeText(scalesChangedMicros)}: a backtest refuses this recording; ` +
        'compile the captures from before and after that time separately',
    );
  const warning = timeWarningOf(coverage);
  if (warning !== undefined) output.line(`! ${warning}`);
  if (missing !== undefined && missing.missingCandles > 0)
    output.line(
      `! ${missing.missingCandles} candles of ${missing.candleSeconds} s are missing in ${missing.holes} holes, the longest ${missing.longestHole}: ` +
        'a backtest fills nothing there, and its shares of time leave them out',
    );
  for (const [name, text] of noteTexts) {
    const count = notes[name] ?? 0;
    if (count > 0) output.line(`! ${count} ${text}`);
  }
  for (const text of misfits) output.line(`! ${text}`);
  return exitCodes.ok;
}

function feedLines(readings: Readonly<Record<string, number>> = {}): readonly string[] {
  return Object.entries(readings).map(
    ([name, count]) => `${`feed ${name}`.padEnd(22)} ${count} values`,
  );
}

/** The notes of a source that change values, in words. */
const noteTexts = [
  ['roundedAmounts', 'amounts were rounded, as --round asks'],
  ['nanosecondsCut', 'times have nanoseconds; a recording has microseconds, so these were cut off'],
] as const;

type MissingCandles = {
  /** The usual distance of candles; null with fewer than two. */
  readonly candleSeconds: number | null;
  readonly missingCandles: number;
  readonly holes: number;
  readonly longestHole: string | null;
};

function readCoverage(path: string): {
  readonly coverage: Coverage;
  readonly missing: MissingCandles | undefined;
} {
  const recording = new Recording(path);
  try {
    const coverage = coverageOf(recording);
    const missing = coverage.grade === 'candles' ? missingCandlesOf(recording) : undefined;
    return { coverage, missing };
  } finally {
    recording.close();
  }
}

function missingCandlesOf(recording: Recording): MissingCandles {
  const { usualMicros, missing, holes, longest } = missingBarsOf(recording);
  return {
    candleSeconds: usualMicros === undefined ? null : usualMicros / 1e6,
    missingCandles: missing,
    holes,
    longestHole: longest
      ? `from ${timeText(longest.fromMicros)} to ${timeText(longest.toMicros)}`
      : null,
  };
}

type Figures = Readonly<Record<string, number | string | null>>;

function linesOf({ header }: WrittenRecording, figures: Figures): readonly string[] {
  const scales = `prices with ${header.market.priceScale} decimals, volumes with ${header.market.volumeScale}`;
  return [
    `${header.market.pair}, grade ${header.grade}, ${scales}`,
    ...Object.entries(figures).map(([name, value]) => `${name.padEnd(22)} ${value ?? 'none'}`),
  ];
}
