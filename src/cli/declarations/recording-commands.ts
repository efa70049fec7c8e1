/** Declares the commands that make, check, import and export recordings. */
import { resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { type ResultTable, resultTables } from '../../backtest/report/result-tables.ts';
import { importColumnsText, importFormats } from '../../recording/import/format-names.ts';
import { type Cli, type CommonOptions, parseDuration } from '../command.ts';

type ImportFlags = {
  readonly output: string;
  readonly market: string;
  readonly priceScale?: number;
  readonly volumeScale?: number;
  readonly round?: boolean;
};

type ExportFlags = {
  readonly output: string;
  readonly format?: 'csv' | 'parquet';
  readonly table?: ResultTable;
};

export function addRecordingCommands(cli: Cli): void {
  declareRecord(cli);
  declareVerify(cli);
  declareCompile(cli);
  declareImport(cli);
  declareExport(cli);
}

function declareRecord(cli: Cli): void {
  cli
    .declare('record', 'record the market streams of pairs as they are received')
    .argument('<pairs...>', 'the pairs, like XBTZAR')
    .option('--venue <name>', 'the exchange: the name of a file in config/venues', 'simulator')
    .option(
      '--for <span>',
      'stop after this duration, like 60s; by default run until Ctrl-C',
      parseDuration,
    )
    .option(
      '--out <dir>',
      'folder for the captures; by default captures/ in the home',
      cli.path('folder', 'written'),
    )
    .action(
      (pairs: string[], options: CommonOptions & { venue: string; for?: number; out?: string }) =>
        cli.run(options.json, async (out) => {
          const { runRecordCommand } = await import('../commands/record-command.ts');
          return runRecordCommand({
            pairs,
            venue: options.venue,
            folder: resolve(options.out ?? resolve(options.home, 'captures')),
            forMs: options.for,
            workspace: cli.workspace,
            output: out,
          });
        }),
    );
}

function declareVerify(cli: Cli): void {
  cli
    .declare('verify', 'check that captures and recordings are intact: checksums, order, gaps')
    .argument('<files...>', 'the captures and recordings')
    .action((files: string[], options: CommonOptions) =>
      cli.run(options.json, async (out) => {
        const { runVerifyCommand } = await import('../commands/verify-command.ts');
        return runVerifyCommand(
          files.map((file) => cli.userPath(file)),
          out,
        );
      }),
    );
}

function declareCompile(cli: Cli): void {
  cli
    .declare('compile', 'compile captures into a recording for backtests')
    .argument('<captures...>', 'the captures, oldest first')
    .requiredOption('-o, --output <file>', 'the recording to write', cli.path('file', 'written'))
    .option('--pair <pair>', 'the pair to compile; needed if the captures contain several')
    .action((captures: string[], options: CommonOptions & { output: string; pair?: string }) =>
      cli.run(options.json, async (out) => {
        const { runCompileCommand } = await import('../commands/compile-command.ts');
        const { output, pair } = options;
        const paths = captures.map((capture) => cli.userPath(capture));
        return runCompileCommand({ captures: paths, pair, out: resolve(output), output: out });
      }),
    );
}

function declareImport(cli: Cli): void {
  cli
    .declare('import', 'convert market data from other sources to a recording')
    .addArgument(new Argument('<format>', 'the format of the data').choices(importFormats))
    .argument('<path>', 'the file to import; for ndjson, the folder')
    .requiredOption('-o, --output <file>', 'the recording to write', cli.path('file', 'written'))
    .requiredOption('--market <base/counter>', 'base and counter currency, like XBT/ZAR')
    .option(
      '--price-scale <decimals>',
      'decimals of prices, 0 to 18; by default as many as the data needs',
      parseDecimals,
    )
    .option(
      '--volume-scale <decimals>',
      'decimals of volumes, 0 to 18; by default as many as the data needs',
      parseDecimals,
    )
    .option(
      '--round',
      'round amounts of tables that have more decimals than --price-scale and --volume-scale',
    )
    .addHelpText('after', importColumnsText)
    .action((format: string, path: string, options: CommonOptions & ImportFlags) =>
      cli.run(options.json, async (out) => {
        const { runImportCommand } = await import('../commands/compile-command.ts');
        const { market, priceScale, volumeScale, round } = options;
        const scales = { priceScale, volumeScale, round };
        const request = { format, path: resolve(cli.userPath(path)), market, ...scales };
        return runImportCommand({ ...request, out: resolve(options.output), output: out });
      }),
    );
}

function declareExport(cli: Cli): void {
  cli
    .declare('export', 'export a recording, or the result of a backtest, as a table')
    .argument('<file>', 'a recording, or the JSON file of a result')
    .requiredOption(
      '-o, --output <file>',
      'the table to write: .parquet, .csv, or .csv.gz for compressed CSV',
      cli.path('file', 'written'),
    )
    .addOption(
      new Option(
        '--format <format>',
        "format of the table; by default the one of the file's extension",
      ).choices(['csv', 'parquet']),
    )
    .addOption(
      new Option(
        '--table <table>',
        'of a result: its orders, its fills, the series of its strategies, the profit over time (equity), or the figures by tag; by default the orders',
      ).choices(resultTables),
    )
    .action((file: string, options: CommonOptions & ExportFlags) =>
      cli.run(options.json, async (out) => {
        const { runExportCommand } = await import('../commands/export-command.ts');
        const { output, format, table } = options;
        const source = cli.userPath(file);
        return runExportCommand({ source, table, out: resolve(output), format, output: out });
      }),
    );
}

/** Parses a number of decimals, 0 to 18. */
function parseDecimals(text: string): number {
  if (!/^\d{1,2}$/u.test(text) || Number.parseInt(text, 10) > 18)
    throw new InvalidArgumentError('must be a whole number, 0 to 18');
  return Number.parseInt(text, 10);
}
