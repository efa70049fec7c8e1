/** Verbs of recordings: made, checked, brought in from outside, and written for other programs. */
import { resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { importFormats } from '../../recording/import/import-format.ts';
import { type Common, type DeclareVerb, finish, place, span } from '../command.ts';
import { userPath } from '../user-path.ts';

type ImportFlags = {
  readonly output: string;
  readonly market: string;
  readonly priceScale?: number;
  readonly volumeScale?: number;
};

type ExportFlags = { readonly output: string; readonly format?: 'csv' | 'parquet' };

/** Adds them to the command line. */
export function addRecordingVerbs(verb: DeclareVerb): void {
  verb('record <pairs...>', 'keep the market streams of pairs as they are received')
    .option('--venue <name>', 'a file in config/venues', 'simulator')
    .option('--for <span>', 'stop after this, like 60s', span)
    .option(
      '--out <dir>',
      'where captures are kept; unless given, captures/ of the home',
      place('folder', 'written'),
    )
    .action((pairs: string[], options: Common & { venue: string; for?: number; out?: string }) =>
      finish(options.json, async (out) => {
        const { runRecordVerb } = await import('../commands/record-command.ts');
        return runRecordVerb({
          pairs,
          venue: options.venue,
          folder: resolve(options.out ?? resolve(options.home, 'captures')),
          forMs: options.for,
          output: out,
        });
      }),
    );

  verb(
    'verify <files...>',
    'whether captures and recordings are whole: checksums, order, gaps',
  ).action((files: string[], options: Common) =>
    finish(options.json, async (out) => {
      const { runVerifyVerb } = await import('../commands/verify-command.ts');
      return runVerifyVerb(
        files.map((file) => userPath(file)),
        out,
      );
    }),
  );

  verb('compile <captures...>', 'captures, oldest first, to a recording that backtests play')
    .requiredOption('-o, --output <file>', 'the recording', place('file', 'written'))
    .option('--pair <pair>', 'which market, if the captures hold several')
    .action((captures: string[], options: Common & { output: string; pair?: string }) =>
      finish(options.json, async (out) => {
        const { runCompileVerb } = await import('../commands/compile-command.ts');
        const { output, pair } = options;
        const paths = captures.map((capture) => userPath(capture));
        return runCompileVerb({ captures: paths, pair, out: resolve(output), output: out });
      }),
    );

  verb('import', 'data from outside to a recording')
    .addArgument(new Argument('<format>', 'what it is').choices(importFormats))
    .argument('<path>', 'the file; of ndjson its folder')
    .requiredOption('-o, --output <file>', 'the recording', place('file', 'written'))
    .requiredOption('--market <base/counter>', 'what was traded against what, like XBT/ZAR')
    .option(
      '--price-scale <decimals>',
      'of prices; those that the data needs unless given',
      decimals,
    )
    .option('--volume-scale <decimals>', 'of volumes, likewise', decimals)
    .action((format: string, path: string, options: Common & ImportFlags) =>
      finish(options.json, async (out) => {
        const { runImportVerb } = await import('../commands/compile-command.ts');
        const { market, priceScale, volumeScale } = options;
        const request = { format, path: resolve(userPath(path)), market, priceScale, volumeScale };
        return runImportVerb({ ...request, out: resolve(options.output), output: out });
      }),
    );

  verb('export <recording>', 'a recording as a table, for other programs')
    .requiredOption(
      '-o, --output <file>',
      'the table: .parquet, .csv, or .csv.gz compressed',
      place('file', 'written'),
    )
    .addOption(
      new Option('--format <format>', 'what to write, whatever the file is called').choices([
        'csv',
        'parquet',
      ]),
    )
    .action((recording: string, options: Common & ExportFlags) =>
      finish(options.json, async (out) => {
        const { runExportVerb } = await import('../commands/export-command.ts');
        const { output, format } = options;
        const path = userPath(recording);
        return runExportVerb({ recording: path, out: resolve(output), format, output: out });
      }),
    );
}

function decimals(text: string): number {
  if (!/^\d{1,2}$/u.test(text) || Number.parseInt(text, 10) > 18)
    throw new InvalidArgumentError('must be 0 to 18');
  return Number.parseInt(text, 10);
}
