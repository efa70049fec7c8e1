/**
 * `millrace checks`: lists every control in order, with its codes, its limits and its source, and
 * the hashes of this configuration for `approved`, with the parameters that may be set under them.
 */
import { approvalOf } from '../../bot/start/approved-packages.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { checkTable, type ListedCheck, outerControls } from '../../risk/check-table.ts';
import { limitsHashOf } from '../../risk/gate-limits.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { paramsOf, rangeText } from '../../strategy/parameters/param.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';

export type ChecksOptions = {
  readonly config: string;
  readonly workspace: Workspace;
  readonly output: Output;
};

/** Prints the controls; returns the exit code. Throws ConfigError for an invalid configuration. */
export async function runChecks({ config, workspace, output }: ChecksOptions): Promise<number> {
  const settings = loadBotSettings(config, { workspace, isBeingWritten: true });
  const plugins = await preparePlugins(settings, workspace.strategies);
  const checks: readonly ListedCheck[] = [...checkTable, ...outerControls];
  const approve = {
    settings: limitsHashOf(settings),
    strategies: Object.fromEntries([...plugins].map(([id, { code }]) => [id, code.hash])),
    packages: [
      ...new Set([...plugins.values()].flatMap(({ code }) => code.packages.map(approvalOf))),
    ],
  };
  // The hashes cover the code, and with it these ranges.
  const settable = [...plugins].flatMap(([id, { strategy }]) =>
    paramsOf(strategy.parameters).flatMap(([name, about]) =>
      about?.mayChange === true
        ? [{ strategy: id, parameter: name, range: rangeText(about.from, about.to) }]
        : [],
    ),
  );
  const listed = checks.map(({ position, codes: code, limits, source }) => ({
    position,
    code,
    limits,
    source,
  }));
  output.result({ checks: listed, approve, settable }, [
    ...checks.map(
      ({ position, name, codes, limits, source }) =>
        `${String(position).padStart(2)}  ${name}: ${codes.join(', ')}\n    limits  ${limits.join('; ')}\n    source  ${source}`,
    ),
    '',
    `settings    ${approve.settings}`,
    ...Object.entries(approve.strategies).map(([id, hash]) => `strategy    ${id} ${hash}`),
    ...approve.packages.map((one) => `package     ${one}`),
    ...settable.map(
      ({ strategy, parameter, range }) =>
        `settable    ${strategy} ${parameter}, ${range}, while the bot runs`,
    ),
  ]);
  return exitCodes.ok;
}
