/**
 * Writes a recording as a Parquet file, in the columns of its text: times are timestamps of UTC in
 * microseconds, prices and volumes decimals of the market's scale, exact as they are kept.
 *
 * Invariants: memory is that of one row group and a few kilobytes for each that was written; a file
 * that is not whole has no footer, and no reader takes it for one.
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

const groupRowsUsual = 100_000;
/** A 64-bit integer holds every number of so many digits, and ticks and lots have fewer. */
const digits = 18;

/**
 * Writes the file at `path`. A row group is of whole blocks, with `groupRows` rows or more. Throws
 * DecodeError for a recording that is damaged.
 */
export async function exportParquet(
  recording: Recording,
  path: string,
  groupRows = groupRowsUsual,
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
      // Times go up by a little, which takes a byte or two instead of eight.
      ...(column.kind === 'time' ? { encoding: 'DELTA_BINARY_PACKED' as const } : {}),
    }));
    writer.write({ columnData, rowGroupSize: group.length });
    // Nothing else waits here, and nobody could interrupt it.
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
  const isAlways = kind === 'time' || kind === 'flag';
  const place = { name, repetition_type: isAlways ? 'REQUIRED' : 'OPTIONAL' } as const;
  switch (kind) {
    case 'time':
      return {
        ...place,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      };
    case 'text':
      return {
        ...place,
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        logical_type: { type: 'STRING' },
      };
    case 'flag':
      return { ...place, type: 'BOOLEAN' };
    case 'price':
    case 'volume': {
      const scale = kind === 'price' ? market.priceScale : market.volumeScale;
      return {
        ...place,
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
