/**
 * Parses the commands of the control interface: JSON text to a checked command, or what is wrong.
 *
 * Every command in the log must be executable. So what a command names must exist, and it is tried
 * on a copy of the exchange first: it is refused if it fails there or breaks an invariant.
 */
import * as z from 'zod';
import { accountTypes } from '../../api/account-types.ts';
import { type ErrorCode, errorCodes } from '../../api/error-codes.ts';
import { type OperationName, operations } from '../../api/operations.ts';
import { depositStatuses } from '../../api/wallet/scalars.ts';
import { type Restriction, restrictions } from '../core/restrictions.ts';
import type { Simulator } from '../world/simulator.ts';
import type { Control } from '../world/world-command.ts';

const name = z.string().min(1).max(200);
const amount = z
  .string()
  .regex(/^-?\d{1,12}(?:\.\d{1,18})?$/u, 'must be a plain decimal as text, e.g. "0.5"');
const bits = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/u, 'must be a SHA-256 digest as 64 lower-case hexadecimal digits');
const int64 = z
  .string()
  .regex(/^\d{1,19}$/u, 'must be a 64-bit integer as text')
  .refine((text) => BigInt(text) < 2n ** 63n, 'must be below 2^63');
const depositStatus = z.enum(depositStatuses);
const restriction = z.enum(Object.keys(restrictions) as [Restriction, ...Restriction[]]);
const operation = z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]);
const code = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

function command<const Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
  return z.strictObject({ kind: z.literal(kind), ...shape });
}

const timeCommand = z.discriminatedUnion('kind', [
  command('stop-time', {}),
  command('resume-time', {}),
  /** Everything due in this time is executed. */
  command('advance-time', { ms: z.int().min(1).max(3_600_000) }),
]);

/** What keeps a stream alive beside its messages: the empty message, or the protocol's ping. */
const streamCommand = command('set-stream-signal', {
  signal: z.enum(['keep-alive', 'ping']),
  isOn: z.boolean(),
});

const tradingState = { kind: z.literal('set-trading-state'), isOn: z.boolean() };

const plainCommand = z.discriminatedUnion('kind', [
  command('set-status', {
    pair: name,
    status: z.enum(['ACTIVE', 'POST_ONLY', 'SUSPENDED', 'DISABLED', 'UNKNOWN']),
    isUnderMaintenance: z.exactOptional(z.boolean()),
  }),
  command('revoke-key', { keyId: name }),
  command('add-key', { keyId: name, secretDigest: digest, userId: name, permissions: bits }),
  command('deposit', { accountId: name, amount }),
  command('open-account', { userId: name, currency: name, type: z.enum(accountTypes) }),
  command('fail-next', { operation, code }),
  command('restrict', { restriction, subject: name, isSet: z.boolean() }),
  command('crypto-deposit', {
    address: name,
    amount,
    isQuarantined: z.exactOptional(z.boolean()),
  }),
  command('drop-crypto-deposits', { address: name }),
  command('set-email', { userId: name, email: name }),
  command('link-user', {
    userId: name,
    linkedUserId: int64,
    label: name,
    permissions: z.array(name).max(100),
  }),
  command('offer-grant', {
    clientUserId: name,
    code: name,
    keyId: name,
    secret: name,
    userId: name,
    permissions: bits,
  }),
  command('delegate', { keyId: name, ownerUserId: name, permissions: bits }),
  command('fiat-deposit', {
    accountId: name,
    amount,
    fee: z.exactOptional(amount),
    providerReference: z.exactOptional(name),
    status: z.exactOptional(depositStatus),
  }),
  command('set-fiat-deposit-status', {
    depositId: name,
    status: depositStatus,
    note: z.exactOptional(name),
  }),
]) satisfies z.ZodType<Control>;

const tradingCommand = z.discriminatedUnion('state', [
  z.strictObject({
    ...tradingState,
    state: z.literal('market-not-allowed'),
    userId: name,
    pair: name,
  }),
  z.strictObject({ ...tradingState, state: z.literal('spot-margin'), userId: name }),
  z.strictObject({ ...tradingState, state: z.literal('spot-margin-market'), pair: name }),
  z.strictObject({ ...tradingState, state: z.literal('only-spot-wallets'), pair: name }),
]) satisfies z.ZodType<Control>;

export type ControlCommand =
  | z.output<typeof timeCommand>
  | z.output<typeof streamCommand>
  | z.output<typeof plainCommand>
  | z.output<typeof tradingCommand>;

const processKinds: readonly string[] = [
  ...timeCommand.options.flatMap(({ shape }) => [...shape.kind.values]),
  ...streamCommand.shape.kind.values,
];

/** The kinds of commands. */
export const controlKinds: readonly string[] = [
  ...processKinds,
  ...plainCommand.options.flatMap(({ shape }) => [...shape.kind.values]),
  'set-trading-state',
];

/** Returns the command in a JSON text, or what is wrong with it. */
export function parseControl(
  text: string,
  simulator: Simulator,
): { readonly command: ControlCommand } | { readonly problem: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problem: 'the body must be JSON' };
  }
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : undefined;
  if (typeof kind !== 'string' || !controlKinds.includes(kind))
    return { problem: `kind must be one of ${controlKinds.join(', ')}` };
  // Only the schema of this kind can say what is wrong.
  const schema = kind.endsWith('-time')
    ? timeCommand
    : kind === 'set-stream-signal'
      ? streamCommand
      : kind === 'set-trading-state'
        ? tradingCommand
        : plainCommand;
  const result = schema.safeParse(body);
  if (!result.success) return { problem: z.prettifyError(result.error) };
  const parsed: ControlCommand = result.data;
  if (isOfProcess(parsed)) return { command: parsed };
  const problem = simulator.rehearse(parsed);
  return problem === undefined ? { command: parsed } : { problem };
}

type ProcessCommand = z.output<typeof timeCommand> | z.output<typeof streamCommand>;

/** Returns whether a command is for the process: it is not logged, and cannot fail. */
function isOfProcess(command: ControlCommand): command is ProcessCommand {
  return processKinds.includes(command.kind);
}
