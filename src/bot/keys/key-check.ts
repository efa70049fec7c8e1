/**
 * Compares the permissions of an API key with those that the bot needs. A missing permission stops
 * the start, a dangerous one is reported; in live mode a key that can move money is refused unless
 * each such permission was accepted by name.
 */

import type { Mode } from '../../domain/bot-settings.ts';
import { OutcomeUnknownError, SafetyRefusedError } from '../../domain/errors.ts';
import type { Timers } from '../../runtime/timers.ts';
import { permissions } from '../../venues/luno/api/permissions.ts';
import type { Credentials } from '../../venues/luno/client/credentials.ts';
import {
  type Finding,
  type KeyFindings,
  type PermissionName,
  probeKey,
} from '../../venues/luno/client/key-probe.ts';

/** The permissions that a bot needs, with the reason; without any of them it does not start. */
export const neededPermissions = {
  Perm_R_Balance: 'to know the available funds',
  Perm_R_Transactions: 'to prove every fill by the ledger',
  Perm_R_Orders: 'to read fees, orders and trades, and to look up lost answers',
  Perm_W_Orders: 'to place and cancel orders',
} as const satisfies Partial<Record<PermissionName, string>>;

/** Permissions that endanger the owner's money and that no bot needs. */
const dangerousPermissions = {
  Perm_W_Send: 'can send coins to any address',
  Perm_W_Withdrawals: 'can withdraw money to a bank account',
  Perm_W_Beneficiaries: 'can add a bank account to withdraw to',
  Perm_W_Addresses: 'can open accounts and receive addresses',
} as const satisfies Partial<Record<PermissionName, string>>;

export const unverified =
  'the checks follow the documentation and the simulator; they are not verified against the real service';

type Texts = Readonly<Partial<Record<PermissionName, string>>>;
const needs: Texts = neededPermissions;
const risks: Texts = dangerousPermissions;
const needed = Object.keys(neededPermissions) as (keyof typeof neededPermissions)[];
const dangerous = Object.keys(dangerousPermissions) as (keyof typeof dangerousPermissions)[];

/** Every documented permission, beginning with those that a bot needs. */
export const allPermissions: readonly PermissionName[] = [
  ...needed,
  ...dangerous,
  ...(Object.keys(permissions) as PermissionName[]).filter(
    (name) => !Object.hasOwn(neededPermissions, name) && !Object.hasOwn(dangerousPermissions, name),
  ),
];

export type KeyVerdict = {
  /** Needed permissions that are missing or unknown. */
  readonly lacking: readonly Finding[];
  /** Dangerous permissions that are granted or unknown. */
  readonly dangers: readonly Finding[];
};

/** Sorts the findings by their consequence. */
export function verdictOf({ findings }: KeyFindings): KeyVerdict {
  const isOf = (names: readonly PermissionName[], one: Finding) => names.includes(one.permission);
  return {
    lacking: findings.filter((one) => isOf(needed, one) && one.state !== 'granted'),
    dangers: findings.filter((one) => isOf(dangerous, one) && one.state !== 'missing'),
  };
}

/** Returns a line for each lacking or dangerous permission. */
export function verdictLines({ lacking, dangers }: KeyVerdict): readonly string[] {
  return [
    ...lacking.map((one) =>
      one.state === 'missing'
        ? `the key lacks ${described(one)}, needed ${needs[one.permission]} (${one.answer})`
        : `${notKnown(one)}, needed ${needs[one.permission]}: ${whyNot(one)}`,
    ),
    ...dangers.map((one) =>
      one.state === 'granted'
        ? `the key has ${described(one)}: it ${risks[one.permission]} (${one.answer})`
        : `${notKnown(one)}, with which it ${risks[one.permission]}: ${whyNot(one)}`,
    ),
  ];
}

function notKnown(one: Finding): string {
  return `it is not known whether the key has ${described(one)}`;
}

/** A call that was lost or refused as too frequent proves nothing about the key. */
function whyNot({ answer }: Finding): string {
  return `the exchange gave no clear answer (${answer}); try again`;
}

function described({ permission }: Finding): string {
  return `${permission} (${permissions[permission].value})`;
}

export type KeyCheckOptions = {
  readonly mode: Mode;
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
  const found = await probeKey({ ...options, wanted: [...needed, ...dangerous] });
  if (found.refused !== undefined)
    throw new SafetyRefusedError(
      `the exchange rejects the key (${found.refused}); it is unknown or revoked, or its secret is wrong`,
    );
  return judgeKey(verdictOf(found), options);
}

/** Decides on the verdict; see {@link checkKeyAtStart}. */
export function judgeKey(
  verdict: KeyVerdict,
  { mode, accepted }: Pick<KeyCheckOptions, 'mode' | 'accepted'>,
): readonly string[] {
  const lines = verdictLines(verdict);
  const missing = verdict.lacking.filter((one) => one.state === 'missing');
  if (missing.length > 0)
    throw new SafetyRefusedError(
      `${verdictLines({ lacking: missing, dangers: [] }).join('; ')}. Make a key with the custom permissions ${needed.join(', ')}`,
    );
  const { lacking } = verdict;
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
