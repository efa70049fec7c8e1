/** `millrace panic`: cancels every open order of a namespace, whether or not a bot runs. */

import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type PanicRunOptions, panic } from '../../bot/panic/panic.ts';
import { type PanicTarget, targetOfConfig } from '../../bot/panic/panic-target.ts';
import { truePathOf } from '../../bot/state-place.ts';
import { ConfigError, SafetyRefusedError } from '../../domain/errors.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import { isStoreLocked } from '../../store/store-lock.ts';
import { botCommand } from '../../terminal/command-hints.ts';
import type { Output } from '../../terminal/output.ts';

/** The confirmation that `--all` asks for, because it also cancels orders of others. */
const confirmation = 'cancel everything';
const namespaceForm = /^[a-z2-7]{8}$/u;

export type PanicCommandOptions = PanicRunOptions & {
  /** Settings of a bot, which have namespace and venue; without them both are given. */
  readonly config?: string | undefined;
  readonly namespace: string | undefined;
  readonly venue: string | undefined;
  /** Home of the simulator whose key is used if the environment has none. */
  readonly home: string | undefined;
  /** Used instead of `home` if that is undefined. */
  readonly defaultHome: string;
  /** Whether `isAll` was confirmed by an option. */
  readonly isConfirmed: boolean;
};

/** Cancels orders until all are proven closed. Returns the exit code: 6 if any may be open. */
export async function runPanic(options: PanicCommandOptions): Promise<number> {
  const target = targetOf(options);
  warnOfRunningBot(target, options);
  if (options.isAll && !options.isConfirmed) await confirm(options.output);
  return panic(target, options);
}

/** A running bot places its orders again, so that a panic alone may never end. */
function warnOfRunningBot({ store }: PanicTarget, options: PanicCommandOptions): void {
  const { config, home, workspace, output } = options;
  if (store === undefined || config === undefined || !isStoreLocked(truePathOf(store))) return;
  const kill = botCommand('kill', { config: resolve(config), home, workspace });
  output.line(`! a bot runs on ${store} and may place orders again; to stop it first: ${kill}`);
}

function targetOf(options: PanicCommandOptions): PanicTarget {
  const { config, namespace, venue, home, defaultHome, isAll, workspace } = options;
  if (config !== undefined) {
    if (namespace !== undefined || venue !== undefined)
      throw new ConfigError(
        `the settings ${config} contain namespace and venue: remove --namespace and --venue`,
      );
    return targetOfConfig(config, home, workspace);
  }
  if (venue === undefined || (namespace === undefined && !isAll))
    throw new ConfigError(
      '--namespace NAME needs --venue NAME, and --venue NAME needs --namespace NAME or --all',
    );
  if (namespace !== undefined && !namespaceForm.test(namespace))
    throw new ConfigError(
      `--namespace must be 8 characters of a-z and 2-7, was "${namespace}"; every run of a bot prints its namespace`,
    );
  return {
    namespace: namespace ?? '',
    venue: loadVenue(venue, workspace.venues),
    home: home ?? defaultHome,
    store: undefined,
  };
}

async function confirm(output: Output): Promise<void> {
  const refusal = `--all also cancels orders of other bots and of people: type "${confirmation}", or give --yes-cancel-everything`;
  if (!process.stdin.isTTY) throw new SafetyRefusedError(refusal);
  output.line(`this cancels every open order of the account. To confirm, type: ${confirmation}`);
  const lines = createInterface({ input: process.stdin });
  const typed = await lines.question('');
  lines.close();
  if (typed.trim() !== confirmation) throw new SafetyRefusedError(refusal);
}
