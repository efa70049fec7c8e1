/**
 * Reads one bot's YAML file into frozen {@link BotSettings}, or says everything that is wrong
 * with it.
 */
import { dirname, resolve } from 'node:path';
import type {
  ApprovedVersions,
  BotSettings,
  CaptureSettings,
  KeepSettings,
} from '../domain/bot-settings.ts';
import { checkCoherence } from './bot-coherence.ts';
import {
  deepFreeze,
  limitsField,
  limitsOf,
  limitsSaidInLive,
  must,
  recordOf,
  strategiesField,
  strategiesOf,
} from './bot-fields.ts';
import { list, object, optional, Reader, record } from './field.ts';
import { currencyName, innerPath, namespace, namespaceOf, slug } from './names.ts';
import { type KeyPath, readSettings, type SettingsSource } from './settings-source.ts';
import { choice, id, sizeBytes, spanMsOrAll, text, wholeNumber } from './value-fields.ts';

/** Settings with their file, for errors that are found later, as in a plugin's parameters. */
export type LoadedBotSettings = BotSettings & {
  readonly source: SettingsSource;
  readonly capture: CaptureSettings;
};

const dayMs = 86_400_000;
const accountId = id('an account id, such as "11"');

const hash = text(/^[0-9a-f]{16,64}$/u, 'a hash as `millrace checks` prints it, in quotes');

export const botField = object({
  version: wholeNumber({ min: 1, max: 1 }),
  bot: slug,
  mode: choice(['demo', 'paper', 'live']),
  venue: slug,
  store: innerPath,
  namespace: optional(namespace),
  accounts: optional(record(accountId, currencyName)),
  live: optional(
    object({
      keyFingerprint: text(
        /^[A-Za-z0-9:+/=_-]{8,100}$/u,
        'the fingerprint that `millrace run` prints',
      ),
    }),
  ),
  approved: optional(object({ settings: list(hash), strategies: list(hash) })),
  strategies: strategiesField,
  limits: limitsField,
  keep: optional(
    object({
      journals: optional(sizeBytes({ minBytes: 200e6, maxBytes: 1e15 }), 2e9),
      rows: optional(spanMsOrAll({ minMs: 7 * dayMs, maxMs: 40_000 * dayMs }), 400 * dayMs),
    }),
  ),
  capture: optional(
    object({
      days: wholeNumber({ min: 0, max: 3_650 }),
      megabytes: wholeNumber({ min: 1, max: 1_000_000 }),
    }),
  ),
  egress: optional(innerPath),
});

type KeepDraft = NonNullable<NonNullable<ReturnType<typeof botField>>['keep']>;

/**
 * Returns the settings in the file at `path`, which is relative to `cwd`, as is its `store`.
 * Throws one ConfigError that names file, line, column, key, value and what is allowed for each
 * problem.
 */
export function loadBotSettings(
  path: string,
  { cwd }: { readonly cwd: string },
): LoadedBotSettings {
  return botSettingsOf(readSettings(resolve(cwd, path), path), { cwd });
}

/** Returns the settings of a file that is already read. */
export function botSettingsOf(
  source: SettingsSource,
  { cwd }: { readonly cwd: string },
): LoadedBotSettings {
  const reader = new Reader(source);
  const draft = reader.read(botField);
  if (draft !== undefined) {
    checkCoherence(reader, draft.strategies, draft.limits, draft.accounts);
    requireByMode(reader, draft);
  }
  reader.finish();

  const given = must(draft);
  const bot = must(given.bot);
  const fingerprint = given.live?.keyFingerprint;
  const settings: BotSettings = {
    bot,
    mode: must(given.mode),
    venue: must(given.venue),
    store: resolve(cwd, must(given.store)),
    namespace: given.namespace ?? namespaceOf(bot),
    accounts: given.accounts === undefined ? {} : recordOf(given.accounts),
    ...(fingerprint === undefined ? {} : { liveKeyFingerprint: fingerprint }),
    ...(given.approved === undefined ? {} : { approved: versionsOf(given.approved) }),
    strategies: strategiesOf(must(given.strategies)),
    limits: limitsOf(must(given.limits)),
    ...(given.keep === undefined ? {} : { keep: keepOf(given.keep) }),
    ...(given.egress === undefined
      ? {}
      : { egress: resolve(cwd, dirname(source.file), given.egress) }),
    hash: source.hash,
  };
  const days = given.capture?.days ?? 7;
  const megabytes = given.capture?.megabytes ?? 1_024;
  const capture = Object.freeze({ days, bytesMax: megabytes * 1_048_576 });
  return Object.freeze({ ...deepFreeze(settings), source, capture });
}

function keepOf({ journals, rows }: KeepDraft): KeepSettings {
  const rowsMs = must(rows);
  return { journalBytesMax: must(journals), rowsMs: rowsMs === 'all' ? undefined : rowsMs };
}

/** Only the demo may find its accounts by itself, and only live needs a key and egress caps. */
function requireByMode(reader: Reader, draft: NonNullable<ReturnType<typeof botField>>): void {
  const missing = (name: string, why: string) =>
    reader.report([], { message: `lacks ${name}: ${why}`, allowed: '' }, true);
  const { mode } = draft;
  const has = (name: string) => reader.source.has([name]);
  if (mode !== undefined && mode !== 'demo' && !has('accounts')) {
    missing('accounts', `an account id per currency is needed in mode ${mode}`);
  }
  if (mode !== 'live') return;
  if (!has('live')) {
    missing('live', 'live: { keyFingerprint: ... } names the only key that may trade');
  }
  if (!has('egress')) {
    missing('egress', 'the file with the absolute caps on orders is needed to trade live');
  }
  if (!has('approved')) {
    missing('approved', 'it names the versions that may trade; `millrace checks` prints them');
  }
  const sections: [path: KeyPath, names: readonly string[]][] = [
    [['limits', 'account'], limitsSaidInLive.account],
    [['limits', 'eachStrategy'], limitsSaidInLive.eachStrategy],
  ];
  for (const pair of draft.limits?.pairs?.keys() ?? [])
    sections.push([['limits', 'pairs', pair], limitsSaidInLive.pair]);
  for (const [path, names] of sections)
    for (const name of names)
      if (!reader.source.has([...path, name]))
        missing(`${path.join('.')}.${name}`, 'in mode live every limit is said');
}

function versionsOf(draft: {
  readonly settings: readonly string[] | undefined;
  readonly strategies: readonly string[] | undefined;
}): ApprovedVersions {
  return { settings: must(draft.settings), strategies: must(draft.strategies) };
}
