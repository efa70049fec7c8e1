/** `docs/configuration.md`: every key of every settings file, from their declarations. */
import type { SettingsKind } from '../../settings/key-descriptions.ts';
import { type SettingsKey, settingsKeysOf } from '../../settings/settings-keys.ts';

const titles: Readonly<Record<SettingsKind, string>> = {
  bot: 'A bot: `config/<name>.yaml`',
  egress: 'Egress caps: the file that `egress` names',
  venue: 'A venue: `config/venues/<name>.yaml`',
};

const head = [
  '# Configuration',
  '',
  'Made by `millrace config explain --write FILE` from the declarations that read the files; a test',
  'keeps it current.',
  '',
  'A file is a plain subset of YAML: no anchors, tags or merge keys, each key once. Amounts are in',
  'quotes, so that no digit is lost; spans and shares carry their unit. A key that is unknown, missing',
  'or wrong stops the start with its line. `millrace config check FILE…` tells everything that is',
  'wrong, `config show FILE --origin` what is in force and where it comes from, `config explain KEY`',
  'one key. A running bot never reads its files again: a change needs a restart.',
  '',
].join('\n');

/** Returns the page. */
export function configurationPage(): string {
  const kinds = Object.keys(titles) as SettingsKind[];
  return [head, ...kinds.map((kind) => sectionOf(kind))].join('\n');
}

function sectionOf(kind: SettingsKind): string {
  const rows = settingsKeysOf(kind).map(
    (key) =>
      `| \`${key.path}\` | ${cell(key.description?.meaning ?? '')} | ${cell(key.allowed)} | ${cell(absenceOf(key))} | \`${key.description?.example ?? ''}\` |`,
  );
  return [
    `## ${titles[kind]}`,
    '',
    '| key | meaning | allowed | when it is left out | example |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Returns what happens when a key is left out, in words. */
export function absenceOf({ isRequired, absent, path }: SettingsKey): string {
  if (isRequired) return 'refused';
  if (absent !== undefined) return absent;
  return path.endsWith('>') ? '–' : 'nothing';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
