/** The formats of foreign data that can be imported as a recording. */
import { ConfigError } from '../../domain/errors.ts';
import type { FlowSource } from '../file/flow-source.ts';
import { importFormats } from './format-names.ts';
import { importCsv } from './import-csv.ts';
import { importDbn } from './import-dbn.ts';
import { type ImportOptions, importNdjson } from './import-ndjson.ts';

export type ImportRequest = ImportOptions & {
  readonly format: string;
  /** A file; for ndjson, the folder with snapshot.json.gz and events.ndjson.gz. */
  readonly path: string;
};

/** Opens foreign data. Throws ConfigError for an unknown format, and the errors of each format. */
export async function openImport(request: ImportRequest): Promise<FlowSource> {
  const { path } = request;
  switch (request.format) {
    case 'dbn':
      return importDbn(path, request);
    case 'ndjson':
      return importNdjson(path, request);
    case 'csv':
      return importCsv(path, 'order', request);
    case 'csv-trades':
      return importCsv(path, 'trades', request);
    case 'csv-candles':
      return importCsv(path, 'candles', request);
    default:
      throw new ConfigError(
        `format must be one of ${importFormats.join(', ')}, was ${request.format}`,
      );
  }
}
