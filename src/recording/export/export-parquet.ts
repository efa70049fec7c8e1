/**
 * Writes a recording as a Parquet file, with the columns of the CSV export. Times are UTC
 * timestamps in microseconds; prices and volumes are exact decimals with the market's scale.
 *
 * Invariants: memory holds one row group and a few kilobytes for each group written; an incomplete
 * file has no footer, so every reader refuses it.
 */
import { fileWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Market } from '../../domain/market.ts';
import { loopTurn } from '../../runtime/timers.ts';
import type { Recording } from '../file/recording.ts';
import {
  type ExportColumn,
  type ExportRow,
  type ExportTable,
  exportTableOf,
} from './export-rows.ts';

const groupRowsDefault = 32_768;
/** A 64-bit integer holds every number of 18 digits; ticks and lots have fewer. */
const digits = 18;

/**
 * Writes the file at `path`. A row group consists of whole slices and has at least `groupRows`
 * rows, except the last group. Throws DecodeError for a damaged recording.
 */
export async function exportParquet(
  recording: Recording,
  path: string,
  groupRows = groupRowsDefault,
): Promise<void> {
  const table = exportTableOf(recording);
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaOf(table),
    kvMetadata: metadataOf(recording),
    createdBy: 'millrace',
  });
  for (const group of groupsOf(table, groupRows)) {
    const columnData = table.columns.map((column, index) => ({
      name: column.name,
      data: group.map((row) => cellOf(row[index], column)),
      // Times rise in small steps: a delta takes a byte or two instead of eight.
      ...(column.kind === 'time' ? { encoding: 'DELTA_BINARY_PACKED' as const } : {}),
    }));
    writer.write({ columnData, rowGroupSize: group.length });
    // Without this wait the loop never yields, and signals could not interrupt it.
    await loopTurn();
  }
  writer.finish();
}

function* groupsOf(
  { rows }: ExportTable,
  groupRows: number,
): Generator<readonly ExportRow[], void> {
  let group: ExportRow[] = [];
  for (const block of rows()) {
    for (const row of block) group.push(row);
    if (group.length < groupRows) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function cellOf(value: ExportRow[number], { kind }: ExportColumn) {
  if (kind === 'text') return value === '' ? undefined : value;
  return kind === 'flag' || value === undefined ? value : BigInt(value);
}

function schemaOf({ columns, market }: ExportTable): SchemaElement[] {
  return [
    { name: 'recording', num_children: columns.length },
    ...columns.map((column) => elementOf(column, market)),
  ];
}

function elementOf({ name, kind }: ExportColumn, market: Market): SchemaElement {
  const isRequired = kind === 'time' || kind === 'flag';
  const common = { name, repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL' } as const;
  switch (kind) {
    case 'time':
      return {
        ...common,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      };
    case 'text':
      return {
        ...common,
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        logical_type: { type: 'STRING' },
      };
    case 'flag':
      return { ...common, type: 'BOOLEAN' };
    case 'price':
    case 'volume': {
      const scale = kind === 'price' ? market.priceScale : market.volumeScale;
      return {
        ...common,
        type: 'INT64',
        converted_type: 'DECIMAL',
        logical_type: { type: 'DECIMAL', precision: digits, scale },
        precision: digits,
        scale,
      };
    }
  }
}

function metadataOf({ header, index }: Recording) {
  const { market, grade, venue, format } = header;
  const facts = {
    pair: market.pair,
    base: market.base,
    counter: market.counter,
    price_scale: String(market.priceScale),
    volume_scale: String(market.volumeScale),
    ...{ grade, venue, format, recording: index.hash },
  };
  return Object.entries(facts).map(([name, value]) => ({ key: `millrace.${name}`, value }));
}
