/** `millrace panic`: every open order of a namespace is stopped, whatever runs or does not. */
import { createInterface } from 'node:readline/promises';
import { panic } from '../../bot/panic/panic.ts';
import { type PanicTarget, targetOfConfig } from '../../bot/panic/panic-target.ts';
import { ConfigError, SafetyRefusedError } from '../../domain/errors.ts';
import { loadVenue } from '../../settings/load-venue.ts';
import type { Output } from '../../terminal/output.ts';
import { venuesFolder } from '../../terminal/package-root.ts';

/** What has to be typed, or said by its flag, before orders of others are stopped. */
const typedWord = 'cancel everything';
const namespaceForm = /^[a-z2-7]{8}$/u;

export type PanicVerbOptions = {
  /** A bot's file tells namespace and venue; else both are given. */
  readonly config?: string | undefined;
  readonly namespace: string | undefined;
  readonly venue: string | undefined;
  /** The folder of a simulator whose key is used where the environment gives none. */
  readonly home: string | undefined;
  readonly homeUsual: string;
  /** Every open order of the account, of whomever. */
  readonly isAll: boolean;
  /** `isAll` was confirmed by a flag. */
  readonly isConfirmed: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly output: Output;
};

/** Stops orders until all are proven closed. Returns the exit code: 6 if one may still be open. */
export async function runPanic(options: PanicVerbOptions): Promise<number> {
  const target = targetOf(options);
  if (options.isAll && !options.isConfirmed) await confirm(options.output);
  return panic(target, options);
}

function targetOf(options: PanicVerbOptions): PanicTarget {
  const { config, namespace, venue, home, homeUsual, isAll } = options;
  if (config !== undefined) {
    if (namespace !== undefined || venue !== undefined)
      throw new ConfigError(
        `the settings ${config} tell namespace and venue: leave --namespace and --venue out`,
      );
    return targetOfConfig(config, home);
  }
  if (venue === undefined || (namespace === undefined && !isAll))
    throw new ConfigError(
      '--namespace NAME needs --venue NAME, and --venue NAME needs --namespace NAME or --all',
    );
  if (namespace !== undefined && !namespaceForm.test(namespace))
    throw new ConfigError(
      `namespace must be 8 characters of a-z and 2-7, was "${namespace}"; every run prints its own`,
    );
  return {
    namespace: namespace ?? '',
    venue: loadVenue(venue, venuesFolder),
    home: home ?? homeUsual,
    store: undefined,
  };
}

async function confirm(output: Output): Promise<void> {
  const refusal = `--all stops orders of other bots and of people, too: type "${typedWord}", or give --yes-cancel-everything`;
  if (!process.stdin.isTTY) throw new SafetyRefusedError(refusal);
  output.line(`this stops every open order of the account. Type: ${typedWord}`);
  const lines = createInterface({ input: process.stdin });
  const typed = await lines.question('');
  lines.close();
  if (typed.trim() !== typedWord) throw new SafetyRefusedError(refusal);
}
