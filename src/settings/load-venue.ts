/** Reads `config/venues/<name>.yaml`: the addresses of an exchange. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isScalar } from 'yaml';
import type { VenueSettings } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { isThisMachine } from '../domain/this-machine.ts';
import { deepFreeze, must, recordOf } from './bot-fields.ts';
import { object, optional, record, refuse, type ValueField, valueField } from './field.ts';
import { strategyName } from './names.ts';
import { nearestWord } from './nearest-word.ts';
import { readChecked } from './read-checked.ts';
import { readSettings } from './settings-source.ts';
import { text, wholeNumber } from './value-fields.ts';

const requestPath = text(/^(?:\/[A-Za-z0-9_:.-]+)+$/u, 'a path such as /api/exchange/1/markets');

/** Only an address of this machine may be unencrypted. */
function address(scheme: 'http' | 'ws'): ValueField<string> {
  const allowed =
    `an address such as ${scheme}s://api.example.com, without user, query or fragment; ` +
    `${scheme}:// only for this machine, such as ${scheme}://127.0.0.1:7400`;
  const anyCase = [...scheme].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
  const schema = { type: 'string', pattern: `^${anyCase}[sS]?:` };
  return valueField({ allowed, schema }, (cursor) => {
    const { node } = cursor;
    const url = isScalar(node) && typeof node.value === 'string' ? URL.parse(node.value) : null;
    if (url === null) return refuse(cursor, allowed);
    const isPlain = url.protocol === `${scheme}:`;
    const isKnown = url.protocol === `${scheme}s:` || (isPlain && isThisMachine(url.hostname));
    const isBare =
      url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (!isKnown || !isBare) {
      // The address may contain a password, so it is not shown.
      cursor.reader.report(cursor.path, { message: 'is not such an address', allowed });
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
      nameAllowed: 'the name of an operation, such as markets',
      placeholder: 'operation',
      emptyAllowed: true,
    }),
  ),
  userStreamPath: optional(requestPath, '/api/1/userstream'),
});

/**
 * Returns the venue `name` of the first of `folders` that has it. Throws ConfigError if its file is
 * not valid.
 */
export function loadVenue(name: string, folders: readonly string[]): VenueSettings {
  if (!strategyName.name.test(name)) {
    throw new ConfigError(
      `venue must be a name of lower-case letters, digits and dashes, such as simulator, was "${name}"`,
    );
  }
  const path = folders.map((folder) => join(folder, `${name}.yaml`)).find(existsSync);
  if (path !== undefined) return readVenue(path);
  const lists = folders.map((one) => `${one}: ${venuesIn(one).join(', ') || 'it is empty'}`);
  const near = nearestWord(name, folders.flatMap(venuesIn));
  throw new ConfigError(
    `venue: was ${name}; allowed: the name of a file in ${lists.join('; or in ')}` +
      `${near === undefined ? '' : `; try: ${near}`}`,
  );
}

function venuesIn(dir: string): readonly string[] {
  try {
    const files = readdirSync(dir).filter((file) => file.endsWith('.yaml'));
    return files.map((file) => basename(file, '.yaml')).sort();
  } catch {
    // The folder does not exist.
    return [];
  }
}

/** Returns the venue in the file at `path`, named after the file. Throws ConfigError. */
export function readVenue(path: string): VenueSettings {
  const given = must(readChecked(readSettings(path), (reader) => reader.read(venueField)));
  return deepFreeze({
    name: basename(path, '.yaml'),
    baseUrl: must(given.baseUrl),
    streamUrl: must(given.streamUrl),
    paths: given.paths === undefined ? {} : recordOf(given.paths),
    userStreamPath: must(given.userStreamPath),
  });
}
