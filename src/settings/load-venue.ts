/** Reads `config/venues/<name>.yaml`: where an exchange is. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isScalar } from 'yaml';
import type { VenueSettings } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { deepFreeze, must, recordOf } from './bot-fields.ts';
import { type Field, field, object, optional, Reader, record, refuse } from './field.ts';
import { strategyName } from './names.ts';
import { nearestWord } from './nearest-word.ts';
import { readSettings } from './settings-source.ts';
import { text, wholeNumber } from './value-fields.ts';

const requestPath = text(/^(?:\/[A-Za-z0-9_:.-]+)+$/u, 'a path such as /api/exchange/1/markets');

/** Plain text may travel only on this machine: an address of another must be encrypted. */
function address(scheme: 'http' | 'ws'): Field<string> {
  const allowed = `a ${scheme}s:// address without user, query and path end, or ${scheme}:// on loopback`;
  return field({ kind: 'value', allowed }, (cursor) => {
    const { node } = cursor;
    const url = isScalar(node) && typeof node.value === 'string' ? URL.parse(node.value) : null;
    if (url === null) return refuse(cursor, allowed);
    const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
    const isPlain = url.protocol === `${scheme}:`;
    const isKnown = url.protocol === `${scheme}s:` || (isPlain && isLoopback);
    const isBare =
      url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (!isKnown || !isBare) {
      // An address can carry a password, so it is not shown.
      cursor.reader.report(cursor.path, { message: 'is no such address', allowed });
      return undefined;
    }
    return url.href.replace(/\/+$/u, '');
  });
}

export const venueField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  baseUrl: address('http'),
  streamUrl: address('ws'),
  paths: optional(
    record(requestPath, {
      name: /^[a-z][A-Za-z0-9]{0,63}$/u,
      nameAllowed: 'the name of an operation',
      stands: 'operation',
      emptyAllowed: true,
    }),
  ),
  userStreamPath: optional(requestPath, '/api/1/userstream'),
});

/** Returns the venue called `name` in the folder `dir`; throws ConfigError. */
export function loadVenue(name: string, dir: string): VenueSettings {
  if (!strategyName.name.test(name)) {
    throw new ConfigError(
      `venue must be a name of lower-case letters, digits and dashes, was "${name}"`,
    );
  }
  const path = join(dir, `${name}.yaml`);
  if (existsSync(path)) return readVenue(path);
  const known = venuesIn(dir);
  const near = nearestWord(name, known);
  throw new ConfigError(
    `venue: was ${name}; allowed: ${known.join(', ') || 'none'}, the files in ${dir}` +
      `${near === undefined ? '' : `; try: ${near}`}`,
  );
}

function venuesIn(dir: string): readonly string[] {
  try {
    const files = readdirSync(dir).filter((file) => file.endsWith('.yaml'));
    return files.map((file) => basename(file, '.yaml')).sort();
  } catch {
    // A folder that is not there has none.
    return [];
  }
}

/** Returns the venue in the file at `path`, called as the file is; throws ConfigError. */
export function readVenue(path: string): VenueSettings {
  const reader = new Reader(readSettings(path));
  const draft = reader.read(venueField);
  reader.finish();
  const given = must(draft);
  return deepFreeze({
    name: basename(path, '.yaml'),
    baseUrl: must(given.baseUrl),
    streamUrl: must(given.streamUrl),
    paths: given.paths === undefined ? {} : recordOf(given.paths),
    userStreamPath: must(given.userStreamPath),
  });
}
