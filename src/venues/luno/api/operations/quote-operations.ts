/**
 * Quotes: a fixed rate for a limited time, described by an earlier revision of the interface.
 *
 *     created ─ exercise ─▶ exercised
 *        └──── discard ───▶ discarded
 */
import * as z from 'zod';
import { operation } from '../operation.ts';
import {
  amount as amountText,
  inPath,
  int64,
  neverZero,
  oneOf,
  optional,
  required,
} from '../parameter.ts';
import { amount, openEnumeration, textId, time } from '../wire.ts';
import { pair } from './order-operations.ts';

const id = inPath(int64, 'quote');

const quoteRecord = z.object({
  id: textId,
  type: openEnumeration(['BUY', 'SELL']),
  pair: z.string(),
  base_amount: amount,
  counter_amount: amount,
  created_at: time,
  expires_at: time,
  discarded: z.boolean(),
  exercised: z.boolean(),
});
export type QuoteRecord = z.output<typeof quoteRecord>;

export const createQuote = operation({
  name: 'createQuote',
  method: 'POST',
  path: '/api/1/quotes',
  permission: 'Perm_W_Orders',
  repeat: 'never',
  description:
    'Fixes a rate for 60 seconds (ours): the rate of the book for the amount, made worse for the ' +
    'caller by 1 % (ours). Refused if the balance could never cover it. While it can be ' +
    'exercised, the caller cannot place orders in that market (ours).',
  parameters: {
    type: required(
      oneOf(['BUY', 'SELL'], 'ErrInvalidOrderSide'),
      'BUY buys the base, SELL sells it',
    ),
    pair,
    base_amount: required(amountText, 'amount of the first currency of the pair'),
    base_account_id: optional(neverZero(int64), 'account of the first currency'),
    counter_account_id: optional(neverZero(int64), 'account of the second currency'),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidValue',
    'ErrInvalidOrderSide',
    'ErrInvalidMarketPair',
    'ErrMarketUnavailable',
    'ErrUnderMaintenance',
    'ErrPostOnlyMode',
    'ErrMarketNotAllowed',
    'ErrAccountIsMigrating',
    'ErrUserNotVerifiedForCurrency',
    'ErrInvalidAmount',
    'ErrAmountTooSmall',
    'ErrAmountTooBig',
    'ErrInvalidAccountID',
    'ErrAccountNotFound',
    'ErrCrossAccountTypeTradeNotAllowed',
    'ErrOnlySpotWalletsAllowed',
    'ErrSpotMarginWalletRequiresLeverage',
    'ErrNotEnoughLiquidity',
    'ErrInsufficientBalance',
  ],
  response: quoteRecord,
});

export const getQuote = operation({
  name: 'getQuote',
  method: 'GET',
  path: '/api/1/quotes/:id',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Returns a quote.',
  parameters: { id },
  errors: ['ErrNotFound'],
  response: quoteRecord,
});

export const exerciseQuote = operation({
  name: 'exerciseQuote',
  method: 'PUT',
  path: '/api/1/quotes/:id',
  permission: 'Perm_W_Orders',
  repeat: 'idempotent',
  description:
    'Trades at the rate of the quote. A repetition returns the same answer and has no further ' +
    'effect (ours).',
  parameters: { id },
  errors: ['ErrNotFound', 'ErrDeadlineExceeded', 'ErrInvalidParameters', 'ErrInsufficientBalance'],
  response: quoteRecord,
});

export const discardQuote = operation({
  name: 'discardQuote',
  method: 'DELETE',
  path: '/api/1/quotes/:id',
  permission: 'Perm_W_Orders',
  repeat: 'idempotent',
  description: 'Discards a quote; it can no longer be exercised.',
  parameters: { id },
  errors: ['ErrNotFound', 'ErrInvalidParameters'],
  response: quoteRecord,
});
