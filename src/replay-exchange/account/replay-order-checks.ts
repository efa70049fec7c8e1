/** Checks that the tape exchange makes on an order before it looks at the book. */
import { amountOfOrder, amountOfScaled } from '../../domain/amount.ts';
import { type Market, type MarketStatus, parseLots, parseTicks } from '../../domain/market.ts';
import { availableOf, type LedgerAccount } from '../../exchange-accounts/ledger.ts';
import type { ErrorCode } from '../../exchange-api/error-codes.ts';
import { limits } from '../../exchange-api/limits.ts';
import type { PostorderParameters } from '../../exchange-api/operations.ts';
import type { ModelRejection, ModelRequest } from '../fill-models/fill-event.ts';

/** Returns the exchange's code for a request that the market's rules forbid, or undefined. */
export function checkRequest(request: ModelRequest, market: Market): ModelRejection | undefined {
  if (!Number.isSafeInteger(request.price)) return 'ErrInvalidPrice';
  if (request.price < market.priceMin) return 'ErrPriceTooLow';
  if (request.price > market.priceMax) return 'ErrPriceTooHigh';
  if (!Number.isSafeInteger(request.volume) || request.volume <= 0) return 'ErrInvalidVolume';
  if (request.volume < market.volumeMin) return 'ErrVolumeTooLow';
  if (request.volume > market.volumeMax) return 'ErrVolumeTooHigh';
  if (request.postOnly && request.timeInForce !== 'GTC') return 'ErrPostOnlyNotAllowed';
  return undefined;
}

export type PlacementContext = {
  readonly market: Market;
  /** Who may trade now. */
  readonly status: MarketStatus;
  /** The exchange's time. */
  readonly nowMs: number;
  /** Whether an order of this client_order_id was accepted before. */
  readonly isUsed: boolean;
  readonly base: LedgerAccount;
  readonly counter: LedgerAccount;
};

/**
 * Returns the order that the parameters describe, or why it is refused. The first that fails
 * answers: pair, open → deadline → client_order_id → no margin, no stop → post-only → decimals →
 * limits → accounts → post-only market → balance. A repeated id comes before the balance, so that
 * sending again after a lost answer says so, and not that the first one took the money.
 */
export function checkPlacement(
  parameters: PostorderParameters,
  context: PlacementContext,
):
  | { readonly kind: 'valid'; readonly request: ModelRequest }
  | { readonly kind: 'refused'; readonly code: ErrorCode } {
  const { market } = context;
  const early = earlyRefusal(parameters, context);
  if (early !== undefined) return refused(early);
  const price = parseTicks(parameters.price, market);
  if (price === undefined) return refused('ErrPriceDenominationNotAllowed');
  const volume = parseLots(parameters.volume, market);
  if (volume === undefined) return refused('ErrVolumeDenominationNotAllowed');
  const request: ModelRequest = {
    clientOrderId: parameters.client_order_id ?? '',
    side: parameters.type,
    price,
    volume,
    timeInForce: parameters.time_in_force ?? 'GTC',
    postOnly: parameters.post_only === true,
  };
  const code =
    checkRequest(request, market) ??
    accountRefusal(parameters, context) ??
    statusRefusal(request, context);
  if (code !== undefined) return refused(code);
  const isBid = request.side === 'BID';
  const needed = isBid
    ? amountOfOrder(price, volume, market)
    : amountOfScaled(volume, market.volumeScale);
  const payer = isBid ? context.counter : context.base;
  return availableOf(payer) < needed
    ? refused('ErrInsufficientBalance')
    : { kind: 'valid', request };
}

function refused(code: ErrorCode): { readonly kind: 'refused'; readonly code: ErrorCode } {
  return { kind: 'refused', code };
}

function earlyRefusal(
  parameters: PostorderParameters,
  { market, status, nowMs, isUsed }: PlacementContext,
): ErrorCode | undefined {
  if (parameters.pair !== market.pair) return 'ErrMarketUnavailable';
  if (status === 'DISABLED' || status === 'UNKNOWN') return 'ErrMarketUnavailable';
  const { timestamp, ttl = limits.ttlMsDefault } = parameters;
  if (timestamp !== undefined && nowMs > timestamp + ttl) return 'ErrDeadlineExceeded';
  if (isUsed) return 'ErrDuplicateClientOrderID';
  if ((parameters.leverage ?? 0) > 0) return 'ErrSpotMarginNotEnabled';
  if (parameters.stop_price !== undefined) return 'ErrInvalidStopPrice';
  if (parameters.stop_direction !== undefined) return 'ErrInvalidStopDirection';
  const timeInForce = parameters.time_in_force ?? 'GTC';
  if (parameters.post_only === true && timeInForce !== 'GTC') return 'ErrPostOnlyNotAllowed';
  return undefined;
}

function accountRefusal(
  parameters: PostorderParameters,
  { base, counter }: PlacementContext,
): ErrorCode | undefined {
  const given = [
    [parameters.base_account_id, base],
    [parameters.counter_account_id, counter],
  ] as const;
  const known = new Set([base.id, counter.id]);
  for (const [id, account] of given) {
    if (id === undefined || id === account.id) continue;
    return known.has(id) ? 'ErrInvalidAccountID' : 'ErrAccountNotFound';
  }
  return undefined;
}

/** A suspended market takes what a post-only one does. */
function statusRefusal(
  { postOnly }: ModelRequest,
  { status }: PlacementContext,
): ErrorCode | undefined {
  return status === 'ACTIVE' || postOnly ? undefined : 'ErrPostOnlyMode';
}
