/** Warns of feeds that nobody uses, and of tables that lack a column that the settings name. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { FeedSource } from '../../domain/feed.ts';
import { nearestWord } from '../../settings/nearest-word.ts';
import type { KeyPath } from '../../settings/settings-source.ts';
import type { WarnedSettings, Warning } from './warned-settings.ts';

const headerBytesMax = 4_096;

export function feedWarnings({
  feeds = [],
  feedSources = [],
  strategies,
  source,
}: WarnedSettings): readonly Warning[] {
  const isUsed = ({ name }: { readonly name: string }) =>
    strategies.some((one) => one.feeds?.includes(name));
  const unused = feeds
    .filter((feed) => !isUsed(feed))
    .map(({ name }) => ({
      path: ['feeds', name],
      message: `is not opened: no strategy lists it under feeds`,
    }));
  const ofTables = feedSources.filter(isUsed).flatMap((feed) => {
    const key = source.has(['feeds', feed.name, 'values']) ? 'values' : 'value';
    return columnWarnings(feed, key);
  });
  return [...unused, ...ofTables];
}

/** The file may not exist yet; a table that exists has its columns in the first line. */
function columnWarnings(
  { name, place, fields, time }: FeedSource,
  given: 'value' | 'values',
): readonly Warning[] {
  if (place.kind !== 'file' || !place.path.endsWith('.csv')) return [];
  const columns = columnsOf(place.path);
  if (columns === undefined) return [];
  const named: readonly (readonly [key: KeyPath, column: string])[] = [
    ...Object.entries(fields).map(
      ([field, column]) => [given === 'value' ? [given] : [given, field], column] as const,
    ),
    ...(time === undefined ? [] : [[['time'], time] as const]),
  ];
  return named.flatMap(([key, column]): readonly Warning[] => {
    if (columns.includes(column === '' ? 'value' : column)) return [];
    const table = `${basename(place.path)} has only the columns ${columns.join(', ')}`;
    const why = `${table}: the feed will have no value`;
    if (column === '')
      return [{ path: ['feeds', name], message: `lacks value, the column to read: ${why}` }];
    const suggestion = nearestWord(column, columns);
    return [{ path: ['feeds', name, ...key], message: `was ${column}, but ${why}`, suggestion }];
  });
}

/** Returns the columns of a table; undefined if it cannot be read, which the feed itself says. */
function columnsOf(path: string): readonly string[] | undefined {
  try {
    // Opening a pipe would wait for a writer.
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(headerBytesMax);
      const [header = ''] = bytes.toString('utf8', 0, readSync(file, bytes)).split('\n');
      return header.split(',').map((column) => column.trim());
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
