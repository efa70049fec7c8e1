/**
 * `millrace keycheck`: shows what a bot's API key may do, what it lacks and what is dangerous about
 * it. The test calls use their own transport, and none of them can act.
 */

import { unverified, verdictLines, verdictOf } from '../../bot/keys/key-check.ts';
import { fingerprintOf } from '../../bot/keys/key-fingerprint.ts';
import { checkTransportEnvironment } from '../../bot/keys/transport-environment.ts';
import { type VenueAccess, withVenue } from '../../bot/start/bot-venue.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import { anyTrades, type BotSettings } from '../../domain/bot-settings.ts';
import { OutcomeUnknownError } from '../../domain/errors.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { probeVenueKey } from '../../venues.ts';
import type { BotCommandOptions } from '../bot-argument.ts';

/** Prints what the key may do; returns exit code 0 if the key is right, otherwise 3. */
export async function runKeycheck(
  options: BotCommandOptions & {
    readonly environment: { readonly [name: string]: string | undefined };
  },
): Promise<number> {
  const { environment, workspace, output } = options;
  const transportWarnings = checkTransportEnvironment(environment);
  const settings = loadBotSettings(options.config, { ...options, isBeingWritten: true });
  const place = statePlaceOf(settings.store, options.home);
  return withVenue(
    settings,
    { ...place, environment, workspace, output },
    ({ venue, credentials }) => {
      if (!isLoopback(venue)) for (const text of transportWarnings) output.line(`! ${text}`);
      output.hide([{ id: credentials.keyId, secret: credentials.keySecret }]);
      return checkKey(settings, { venue, credentials }, output);
    },
  );
}

async function checkKey(
  { bot, strategies }: Pick<BotSettings, 'bot' | 'strategies'>,
  { venue, credentials }: VenueAccess,
  output: Output,
): Promise<number> {
  const found = await probeVenueKey({
    baseUrl: venue.baseUrl,
    credentials,
    wanted: 'all',
    timers: createTimers(),
  });
  if (found.findings.length > 0 && found.findings.every((one) => one.state === 'unknown'))
    throw new OutcomeUnknownError(
      `no permission could be determined: ${found.findings[0]?.answer}`,
    );
  const verdict = verdictOf(found, anyTrades(strategies));
  const isRight =
    found.refused === undefined && verdict.lacking.length === 0 && verdict.dangers.length === 0;
  const permissionsKnown = found.findings.map(({ use: _, ...shown }) => shown);
  output.result(
    {
      bot,
      venue: venue.name,
      keyFingerprint: fingerprintOf(credentials),
      right: isRight,
      refused: found.refused ?? null,
      permissions: permissionsKnown,
      problems: verdictLines(verdict),
      note: unverified,
    },
    [
      `key ${fingerprintOf(credentials)} at ${venue.baseUrl}`,
      ...permissionsKnown.map(
        (one) =>
          `  ${one.state.padEnd(10)} ${String(one.value).padStart(6)} ${one.permission.padEnd(20)} ${one.meaning}`,
      ),
      ...(found.refused === undefined ? [] : [`! the exchange rejects the key: ${found.refused}`]),
      ...verdictLines(verdict).map((line) => `! ${line}`),
      ...(isRight
        ? ['the key has every permission that the bot needs, and none that can move money']
        : []),
      `note: ${unverified}`,
    ],
  );
  return isRight ? exitCodes.ok : exitCodes.refusedBySafetyRule;
}
