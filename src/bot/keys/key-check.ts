/**
 * Compares the permissions of an API key with those that the bot needs. A missing permission stops
 * the start, a dangerous one is reported; in live mode a key that can move money is refused unless
 * each such permission was accepted by name.
 */

import { anyTrades, type BotSettings, type StrategySettings } from '../../domain/bot-settings.ts';
import { OutcomeUnknownError, SafetyRefusedError } from '../../domain/errors.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Credentials } from '../../venue/key-credentials.ts';
import type { KeyFinding, KeyFindings } from '../../venue/key-findings.ts';
import { probeVenueKey } from '../../venues.ts';

export const unverified =
  'the checks follow the documentation and the simulator; they are not verified against the real service';

export type KeyVerdict = {
  readonly needed: readonly string[];
  /** Needed permissions that are missing or unknown. */
  readonly lacking: readonly KeyFinding[];
  /** Dangerous permissions that are granted or unknown. */
  readonly dangers: readonly KeyFinding[];
};

/** Sorts the findings by their consequence, for a bot that trades or one that only watches. */
export function verdictOf({ findings }: KeyFindings, trades: boolean): KeyVerdict {
  const needed = findings.filter(
    ({ use }) => use?.kind === 'needed' && (trades || use.toTrade !== true),
  );
  const dangerous = findings.filter(({ use }) => use?.kind === 'dangerous');
  return {
    needed: needed.map(({ permission }) => permission),
    lacking: needed.filter((one) => one.state !== 'granted'),
    dangers: dangerous.filter((one) => one.state !== 'missing'),
  };
}

/** Returns a line for each lacking or dangerous permission. */
export function verdictLines({
  lacking,
  dangers,
}: Pick<KeyVerdict, 'lacking' | 'dangers'>): readonly string[] {
  return [
    ...lacking.map((one) =>
      one.state === 'missing'
        ? `the key lacks ${described(one)}, needed ${one.use?.why} (${one.answer})`
        : `${notKnown(one)}, needed ${one.use?.why}: ${whyNot(one)}`,
    ),
    ...dangers.map((one) =>
      one.state === 'granted'
        ? `the key has ${described(one)}: it ${one.use?.why} (${one.answer})`
        : `${notKnown(one)}, with which it ${one.use?.why}: ${whyNot(one)}`,
    ),
  ];
}

function notKnown(one: KeyFinding): string {
  return `it is not known whether the key has ${described(one)}`;
}

/** A call that was lost or refused as too frequent proves nothing about the key. */
function whyNot({ answer }: KeyFinding): string {
  return `the exchange gave no clear answer (${answer}); try again`;
}

function described({ permission, value }: KeyFinding): string {
  return `${permission} (${value})`;
}

export type KeyCheckOptions = {
  /** The key of a bot that only watches need not place orders. */
  readonly settings: Pick<BotSettings, 'mode'> & {
    readonly strategies: readonly Pick<StrategySettings, 'pairs'>[];
  };
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Dangerous permissions that a person has accepted, by name. */
  readonly accepted: readonly string[];
  readonly timers: Timers;
  /** Called before each request, which waits for the returned promise. */
  readonly beforeCall?: () => Promise<void> | undefined;
};

/**
 * Checks the key before a bot starts; returns lines for the operator. Throws SafetyRefusedError for
 * a key that must not trade, NotSentError and OutcomeUnknownError if the check was inconclusive.
 */
export async function checkKeyAtStart(options: KeyCheckOptions): Promise<readonly string[]> {
  const found = await probeVenueKey({ ...options, wanted: 'start' });
  if (found.refused !== undefined)
    throw new SafetyRefusedError(
      `the exchange rejects the key (${found.refused}); it is unknown or revoked, or its secret is wrong`,
    );
  const { settings, accepted } = options;
  const verdict = verdictOf(found, anyTrades(settings.strategies));
  return judgeKey(verdict, { mode: settings.mode, accepted });
}

/** Decides on the verdict; see {@link checkKeyAtStart}. */
export function judgeKey(
  verdict: KeyVerdict,
  { mode, accepted }: Pick<BotSettings, 'mode'> & Pick<KeyCheckOptions, 'accepted'>,
): readonly string[] {
  const lines = verdictLines(verdict);
  const { needed, lacking } = verdict;
  const missing = lacking.filter((one) => one.state === 'missing');
  if (missing.length > 0)
    throw new SafetyRefusedError(
      `${verdictLines({ lacking: missing, dangers: [] }).join('; ')}. Make a key with the custom permissions ${needed.join(', ')}`,
    );
  // All unknown: the exchange is the problem, not the key.
  if (lacking.length === needed.length)
    throw new OutcomeUnknownError(
      `the exchange does not answer the permission checks (${lacking.map(({ answer }) => answer).join('; ')})`,
    );
  if (lacking.length > 0)
    throw new OutcomeUnknownError(verdictLines({ lacking, dangers: [] }).join('; '));
  const open = verdict.dangers.filter((one) => !accepted.includes(one.permission));
  const unanswered = open.filter((one) => one.state === 'unknown');
  if (mode === 'live' && unanswered.length > 0 && unanswered.length === open.length)
    throw new OutcomeUnknownError(verdictLines({ lacking: [], dangers: unanswered }).join('; '));
  if (mode === 'live' && open.length > 0) {
    const names = open.map((one) => one.permission).join(',');
    throw new SafetyRefusedError(
      `${verdictLines({ lacking: [], dangers: open }).join('; ')}. ` +
        `Make a key with ${needed.join(', ')} alone, or accept each by its name: --accept-dangerous-key ${names}`,
    );
  }
  return mode === 'live' ? [...lines, `the key was checked; ${unverified}`] : lines;
}
