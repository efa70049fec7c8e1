/**
 * Every operation of the page's API. The types of its answers, the checks of its requests, the
 * OpenAPI document and the documentation come from here.
 *
 * Invariant: no operation places an order, changes a limit, or opens a file that the request names.
 */
import * as z from 'zod';
import type { ApiOperation } from './api-operation.ts';
import {
  backEvent,
  botsAnswer,
  commandAnswer,
  commandRequest,
  goneEvent,
  sessionAnswer,
  sessionRequest,
  statusAnswer,
} from './bot-answers.ts';
import { botStatus } from './bot-status-schema.ts';
import {
  commandsAnswer,
  daysAnswer,
  daysQuery,
  fillsAnswer,
  fillsQuery,
  historyAnswer,
  historyQuery,
  incidentsAnswer,
  logAnswer,
  logQuery,
  ordersAnswer,
  ordersQuery,
  pageQuery,
  refusalsAnswer,
  refusalsQuery,
  storyAnswer,
} from './history-answers.ts';

export const apiOperations = {
  session: {
    method: 'POST',
    path: '/session',
    summary: 'Exchanges the view token for a cookie, which the other operations accept.',
    access: 'none',
    body: sessionRequest,
    answer: sessionAnswer,
    example: { token: '0123…' },
  },
  bots: {
    method: 'GET',
    path: '/bots',
    summary: "The bots of this machine's user: running ones, and those that stopped recently.",
    access: 'view',
    answer: botsAnswer,
  },
  status: {
    method: 'GET',
    path: '/bots/{bot}/status',
    summary: 'What a bot does now; for one that does not run, what its database knows.',
    access: 'view',
    answer: statusAnswer,
  },
  events: {
    method: 'GET',
    path: '/bots/{bot}/events',
    summary:
      'Server-sent events: the status several times a second, and when the bot is gone and back.',
    access: 'view',
    events: { status: botStatus, gone: goneEvent, back: backEvent },
  },
  history: {
    method: 'GET',
    path: '/bots/{bot}/history',
    summary: 'Prices, own quotes, position and profit of a pair as columns for charts.',
    access: 'view',
    query: historyQuery,
    answer: historyAnswer,
    example: { pair: 'XBTZAR', points: 1_000 },
  },
  fills: {
    method: 'GET',
    path: '/bots/{bot}/fills',
    summary: 'Fills of a pair as columns for charts, with markouts.',
    access: 'view',
    query: fillsQuery,
    answer: fillsAnswer,
    example: { pair: 'XBTZAR', points: 1_000 },
  },
  orders: {
    method: 'GET',
    path: '/bots/{bot}/orders',
    summary: 'Orders, newest first, page by page.',
    access: 'view',
    query: ordersQuery,
    answer: ordersAnswer,
    example: { limit: 20 },
  },
  story: {
    method: 'GET',
    path: '/bots/{bot}/orders/{intentId}',
    summary: 'The story of one order: why it was asked for, what was sent, what it became.',
    access: 'view',
    answer: storyAnswer,
  },
  incidents: {
    method: 'GET',
    path: '/bots/{bot}/incidents',
    summary: 'Anomalies that a person must look at, newest first.',
    access: 'view',
    query: pageQuery,
    answer: incidentsAnswer,
  },
  refusals: {
    method: 'GET',
    path: '/bots/{bot}/refusals',
    summary: "The gate's refusals: counts by check, and the newest ones.",
    access: 'view',
    query: refusalsQuery,
    answer: refusalsAnswer,
  },
  commands: {
    method: 'GET',
    path: '/bots/{bot}/commands',
    summary: "Operators' commands, with user and reason, newest first.",
    access: 'view',
    query: pageQuery,
    answer: commandsAnswer,
  },
  days: {
    method: 'GET',
    path: '/bots/{bot}/days',
    summary: 'Fills, turnover, fees and profit of each UTC day.',
    access: 'view',
    query: daysQuery,
    answer: daysAnswer,
    example: { pair: 'XBTZAR' },
  },
  log: {
    method: 'GET',
    path: '/bots/{bot}/log',
    summary: "The newest lines of the bot's log.",
    access: 'view',
    query: logQuery,
    answer: logAnswer,
  },
  command: {
    method: 'POST',
    path: '/bots/{bot}/commands',
    summary:
      'Halts, reduces, resumes, kills or stops a bot, sets parameters, or approves an order.',
    access: 'command',
    body: commandRequest,
    answer: commandAnswer,
    example: { command: 'halt', confirm: 'halt', reason: 'news', user: 'ana' },
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI document.',
    access: 'view',
    answer: z.record(z.string(), z.unknown()),
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;

export type OperationName = keyof typeof apiOperations;
