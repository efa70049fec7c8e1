/** Moves of money between two own accounts of the same currency. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  amount as amountText,
  int64,
  integer,
  optional,
  pattern,
  required,
  text,
  timeMs,
} from '../parameter.ts';
import { amount, list, openEnumeration, optionalText, textId, time } from '../wire.ts';

/** Letters, digits and `_ ; , . -`. */
const clientMoveIdPattern = new RegExp(
  `^[A-Za-z0-9_;,.-]{1,${limits.clientMoveIdLengthMax}}$`,
  'u',
);

/** CREATED, then MOVING, then SUCCESSFUL or FAILED. */
const status = openEnumeration(['CREATED', 'MOVING', 'SUCCESSFUL', 'FAILED']);

export const move = z.object({
  id: z.string().min(1),
  client_move_id: optionalText,
  amount,
  debit_account_id: textId,
  credit_account_id: textId,
  status,
  created_at: time,
  updated_at: time,
});
export type MoveRecord = z.output<typeof move>;

export const getMove = operation({
  name: 'getMove',
  method: 'GET',
  path: '/api/exchange/1/move',
  source: 'facts',
  repeat: 'read',
  description: 'Returns a move. Exactly one of id and client_move_id must be given.',
  parameters: {
    id: optional(text(100), "the exchange's id of the move"),
    client_move_id: optional(pattern(clientMoveIdPattern), "the caller's own id of the move"),
  },
  errors: ['ErrInvalidArguments', 'ErrFundsMoveNotFound'],
  response: move,
});

export const createMove = operation({
  name: 'createMove',
  method: 'POST',
  path: '/api/exchange/1/move',
  source: 'facts',
  permission: 'MP_None_Write',
  repeat: 'keyed',
  description:
    'Moves money between two own transactional accounts of one currency. It may complete after ' +
    'the answer: see get move. Moves are in the ledger, but not in the list of transfers.',
  parameters: {
    amount: required(amountText, 'more than zero'),
    debit_account_id: required(int64, 'account that pays'),
    credit_account_id: required(int64, 'account that receives'),
    client_move_id: optional(
      pattern(clientMoveIdPattern),
      "the caller's own id, at most 255 characters, unique among all successful creations",
    ),
  },
  errors: [
    'ErrInvalidArguments',
    'ErrInvalidValue',
    'ErrInvalidAmount',
    'ErrAccountNotFound',
    'ErrAccountsNotDifferent',
    'ErrDebitAccountTypeNotSupported',
    'ErrCreditAccountTypeNotSupported',
    'ErrDifferentCurrencies',
    'ErrDuplicateClientMoveID',
    'ErrInsufficientFunds',
  ],
  response: z.object({ id: z.string().min(1), status }),
});

export const listMoves = operation({
  name: 'listMoves',
  method: 'GET',
  path: '/api/exchange/1/move/list_moves',
  source: 'facts',
  repeat: 'read',
  description: 'Lists moves, newest first.',
  parameters: {
    before: optional(timeMs, 'only moves created before'),
    limit: optional(
      integer(limits.listLimitMin, limits.listLimitMax, 'ErrLimitOutOfRange'),
      'at most this many, 100 unless given',
    ),
  },
  errors: ['ErrInvalidArguments', 'ErrLimitOutOfRange'],
  response: z.object({ moves: list(move) }),
});
