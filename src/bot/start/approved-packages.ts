/**
 * Refuses a bot whose plugins use other packages than those that were approved with them. The gate
 * refuses each order of such a plugin by its hash alone, which cannot tell what has changed.
 */
import type { BotSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { joinedError, type PlacedConfigError } from '../../settings/problem.ts';
import type { SettingsSource } from '../../settings/settings-source.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import type { PluginPackage } from '../../strategy/plugin-packages.ts';
import { botCommand, type CommandPlace } from '../../terminal/command-hints.ts';
import { placedError } from './prepare-plugins.ts';

export function approvalOf({ name, version, hash }: PluginPackage): string {
  return `${name}@${version} ${hash.slice(0, 16)}`;
}

/** Throws ConfigError if a plugin's code is not approved because of its packages. */
export function checkApprovedPackages(
  {
    approved,
    strategies,
    source,
  }: Pick<BotSettings, 'approved' | 'strategies'> & {
    readonly source: SettingsSource;
  },
  plugins: ReadonlyMap<string, PreparedStrategy>,
  workspace: CommandPlace,
): void {
  if (approved === undefined) return;
  const { packages: known = [] } = approved;
  const errors: PlacedConfigError[] = [];
  for (const { id, plugin } of strategies) {
    const { code } = plugins.get(id) ?? {};
    if (code === undefined || approved.strategies.includes(code.hash)) continue;
    const changed = code.packages.filter((one) => !known.includes(approvalOf(one)));
    if (changed.length === 0) continue;
    const problem = new ConfigError(
      `plugin ${plugin} of strategy ${id} is not approved: ${changed.map((one) => changeText(one, known)).join('; ')}: ` +
        'install what was approved, or review the change and copy the hashes and packages that ' +
        `are printed by: ${botCommand('checks', { config: source.file, home: undefined, workspace })}`,
    );
    errors.push(placedError(source, ['approved', 'packages'], problem));
  }
  if (errors.length > 0) throw joinedError(errors);
}

function changeText(one: PluginPackage, known: readonly string[]): string {
  const { name, version } = one;
  const before = known.filter((entry) => entry.startsWith(`${name}@`));
  if (before.length === 0) return `its package ${name} ${version} is not in approved.packages`;
  const other = before.map((entry) => entry.slice(name.length + 1)).join(' and ');
  return `its package ${name} is now ${approvalOf(one).slice(name.length + 1)}, and approved is ${other}`;
}
