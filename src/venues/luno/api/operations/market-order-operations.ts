/** Market orders: executed at once against the book; they never rest. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { amount, neverZero, oneOf, optional, required } from '../parameter.ts';
import { pair, placement, placementErrors } from './order-operations.ts';

export const marketorder = operation({
  name: 'marketorder',
  method: 'POST',
  path: '/api/1/marketorder',
  permission: 'Perm_W_Orders',
  repeat: 'keyed',
  description:
    'Places a market order. It is refused as a whole if the book cannot fill it, or if any part ' +
    'would trade more than 10 % away from the best price (the bound is ours).',
  parameters: {
    pair,
    type: required(oneOf(['BUY', 'SELL'], 'ErrInvalidOrderSide'), 'BUY buys base, SELL sells it'),
    counter_volume: optional(neverZero(amount), 'counter currency to spend; required to BUY'),
    base_volume: optional(neverZero(amount), 'base currency to sell; required to SELL'),
    ...placement,
  },
  errors: [
    ...placementErrors,
    'ErrInvalidBaseVolume',
    'ErrInvalidCounterVolume',
    'ErrCounterDenominationNotAllowed',
    'ErrValueTooHigh',
    'ErrNotEnoughLiquidity',
  ],
  response: z.object({ order_id: z.string().min(1).max(100) }),
});
