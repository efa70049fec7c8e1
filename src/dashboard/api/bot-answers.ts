/** What the API says about bots as a whole: the list, the status, and the events of the stream. */
import * as z from 'zod';
import type { BotStatus } from '../../domain/bot-status.ts';
import { parameterTextMax } from '../../domain/parameter-texts.ts';
import {
  balance,
  botStatus,
  fill,
  orderState,
  scopeState,
  tradingBlock,
} from './bot-status-schema.ts';
import { orderRow } from './history-answers.ts';
import { amount, time } from './values.ts';

const botEntry = z.strictObject({
  id: z
    .string()
    .describe('Names the bot in paths: its name, and a hash of the path of its database.'),
  bot: z.string(),
  mode: z.enum(['demo', 'paper', 'live']),
  state: z
    .enum(['running', 'silent', 'stopped', 'gone'])
    .describe(
      'silent: its process runs but does not answer; stopped: it ended in order; gone: its process ended without that, as when it was killed.',
    ),
  isOwn: z.boolean().describe('Whether this bot serves the page.'),
  startedMs: time.describe('The start of its newest run.'),
  endedMs: time.nullable().describe('When it stopped; null while it runs, or if it is gone.'),
  takesCommands: z.boolean().describe('Whether it runs and has a command token.'),
});

export const botsAnswer = z.strictObject({
  bots: z.array(botEntry).describe('The bot that serves the page first, then by name.'),
});

const storedStatus = z.strictObject({
  lastRun: z
    .strictObject({
      run: z.int(),
      startedMs: time,
      configHash: z.string(),
      isClosed: z.boolean().describe('Whether the run closed its database in order.'),
    })
    .nullable(),
  states: z.array(scopeState).describe('Scopes that are not ACTIVE.'),
  notTrading: z.array(tradingBlock),
  orders: z.partialRecord(orderState, z.int()).describe('Number of orders of all runs by state.'),
  openOrders: z.array(orderRow).describe('Oldest first.'),
  positions: z.array(
    z.strictObject({
      strategyId: z.string(),
      pair: z.string(),
      base: amount.describe('What its fills gained of the base currency, after fees.'),
      counter: amount,
      fills: z.int(),
    }),
  ),
  balances: z.array(balance),
  fills: z.array(fill).describe('The newest fills, newest first.'),
});

export const statusAnswer = z.strictObject({
  bot: botEntry,
  status: botStatus.nullable().describe('What the running bot says of itself; null if none runs.'),
  stored: storedStatus
    .nullable()
    .describe('What its database knows; only if the bot does not answer.'),
  problem: z.string().nullable().describe('Why there is no status, or no answer of the database.'),
});

/** Why a bot sends no more status. */
export const goneEvent = z.strictObject({
  atMs: time,
  bot: botEntry,
  text: z.string().describe('A sentence, such as "demo was killed or has crashed".'),
});

export const backEvent = z.strictObject({ atMs: time, bot: botEntry });

export const sessionRequest = z.strictObject({
  token: z.string().max(200).describe('The view token.'),
});

export const sessionAnswer = z.strictObject({
  bot: z.string().describe('The id of the bot that serves the page.'),
});

export const commandRequest = z.strictObject({
  command: z.enum(['halt', 'reduce', 'resume', 'set', 'approve', 'kill', 'stop']),
  confirm: z.string().max(20).describe('The name of the command again, typed by the person.'),
  reason: z
    .string()
    .min(1, 'must not be empty')
    .max(500, 'must have at most 500 characters')
    .regex(/^\P{Cc}*$/u, 'must be one line, without control characters'),
  user: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,59}$/u)
    .exactOptional()
    .describe('Who commands; stored with the command. "unnamed" if it is missing.'),
  scope: z
    .string()
    .max(200)
    .exactOptional()
    .describe(
      'For halt, reduce and resume: `strategy:ID` or `pair:PAIR`; the whole bot if it is missing. For set: `strategy:ID`.',
    ),
  values: z
    .record(z.string(), z.string('must be text, such as "30bps"').max(parameterTextMax))
    .exactOptional()
    .describe('For set: the new values of parameters by name, as text: `{"halfSpread":"30bps"}`.'),
  token: z
    .string()
    .regex(/^[0-9a-f]{16}$/u)
    .exactOptional()
    .describe('For approve: the token in the refusal that asks for the approval.'),
});

export const commandAnswer = z.strictObject({
  isRefused: z.boolean(),
  text: z.string().describe('The answer of the bot.'),
  remaining: z.int().nullable().describe('After a kill: orders of the bot that are still open.'),
});

export const problemAnswer = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    text: z.string().describe('What is wrong and what helps.'),
  }),
});

export type BotEntry = z.infer<typeof botEntry>;
export type BotsAnswer = z.infer<typeof botsAnswer>;
export type StoredStatus = z.infer<typeof storedStatus>;
export type StatusAnswer = Omit<z.infer<typeof statusAnswer>, 'status'> & {
  readonly status: BotStatus | null;
};
export type GoneEvent = z.infer<typeof goneEvent>;
export type BackEvent = z.infer<typeof backEvent>;
export type CommandRequest = z.infer<typeof commandRequest>;
export type CommandAnswer = z.infer<typeof commandAnswer>;
