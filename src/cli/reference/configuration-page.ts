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
  '`config check` and each start also warn of settings that are valid and cannot be meant. A warning',
  'stops nothing; `config check` ends with 0. Warned of are a half spread above the collar or above',
  '10%, a size above `orderBaseMax` or `positionBaseMax`, a tolerance above the half spread, a refresh',
  'below 100 ms (as far as the plugin declares them, by `quoting` and `needs`), an `allow` without what',
  'the plugin needs, a collar of 100%, a `bookAgeMax` above 10 minutes, a budget of 0 for a strategy',
  'that quotes both sides, budgets that are more than the account has (in paper and in backtests from',
  'the file, else as soon as the books are reconciled), and limits for a currency or a pair that no',
  'strategy trades.',
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
