/** Reads the page of a result, which holds everything that a comparison shows. */
import { existsSync, readFileSync } from 'node:fs';
import { type BacktestPageData, pageFormat } from '../backtest/report/page-data.ts';
import { ConfigError, NotFoundError } from '../domain/errors.ts';

const dataPattern = /<script type="application\/json" id="page">(?<data>.*?)<\/script>/su;

/** Whether a word of a command line names the file or the page of a result. */
export function isResultName(word: string): boolean {
  return /\.(?:json|html)$/u.test(word);
}

/**
 * Returns the data of the page at `path`, or of the page beside the JSON file at `path`. Throws
 * NotFoundError if it is not there, and ConfigError if this version cannot read it.
 */
export function readResultPage(path: string): BacktestPageData {
  const page = path.replace(/\.json$/u, '.html');
  if (!existsSync(page))
    throw new NotFoundError(
      existsSync(path)
        ? `${path} has no page ${page} beside it, which a comparison reads; run its backtest again, which writes both`
        : `there is no result ${path}; name a page that a backtest has written, such as backtests/first/results/0123456789abcdef.html`,
    );
  const data = dataPattern.exec(readFileSync(page, 'utf8'))?.groups?.['data'];
  if (data === undefined)
    throw new ConfigError(
      `${page} is no page of a backtest that this version can read: it holds no data, like those of older versions; run its backtest again`,
    );
  const read = parsed(data);
  if (read === undefined)
    throw new ConfigError(`${page} is damaged: its data are no JSON; run its backtest again`);
  const { page: kind, format, program } = read;
  if (kind !== 'backtest')
    throw new ConfigError(
      `${page} shows a ${String(kind)}, not a backtest; name the page of a backtest`,
    );
  if (format !== pageFormat)
    throw new ConfigError(
      `${page} was written by Millrace ${String(program)} in format ${String(format)}, ` +
        `but this version reads format ${pageFormat}; run its backtest again`,
    );
  return read as BacktestPageData;
}

type Head = { readonly page?: unknown; readonly format?: unknown; readonly program?: unknown };

function parsed(text: string): Head | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a sentence for each recording of a result that is gone; `name` is A or B. */
export function goneRecordings(name: string, { recordings }: BacktestPageData): readonly string[] {
  return recordings
    .filter(({ path }) => !existsSync(path))
    .map(({ path }) => `the recording ${path} of ${name} is gone, so ${name} cannot be run again`);
}
