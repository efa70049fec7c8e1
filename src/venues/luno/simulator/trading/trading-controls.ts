/**
 * Trading states that only the operator of the simulated exchange can change; no operation of the
 * API does.
 *
 * They are stored as text among the restrictions of the exchange, so they survive a restart.
 */
import type { Exchange } from '../core/exchange.ts';

/** A trading state, with the user and the market that it applies to. */
export type TradingState =
  /** The market is not enabled for the user. */
  | { readonly state: 'market-not-allowed'; readonly userId: string; readonly pair: string }
  /** The user may trade with leverage. */
  | { readonly state: 'spot-margin'; readonly userId: string }
  /** The market takes leveraged orders. */
  | { readonly state: 'spot-margin-market'; readonly pair: string }
  /** The market takes orders of SPOT accounts only. */
  | { readonly state: 'only-spot-wallets'; readonly pair: string };

/** Sets or clears a trading state. */
export type TradingControl = {
  readonly kind: 'set-trading-state';
  readonly isOn: boolean;
} & TradingState;

/** Returns whether the operator has set the state. */
export function isInTradingState(exchange: Exchange, state: TradingState): boolean {
  return exchange.state.restrictions.has(keyOf(state));
}

/** Sets or clears a trading state. Throws TypeError if the user or the market does not exist. */
export function setTradingState(exchange: Exchange, control: TradingControl): void {
  if ('pair' in control && !exchange.state.markets.has(control.pair))
    throw new TypeError(`no market ${control.pair}`);
  if ('userId' in control && !exchange.state.users.has(control.userId))
    throw new TypeError(`no user ${control.userId}`);
  const { restrictions } = exchange.state;
  if (control.isOn) restrictions.add(keyOf(control));
  else restrictions.delete(keyOf(control));
}

function keyOf(state: TradingState): string {
  const userId = 'userId' in state ? state.userId : '';
  const pair = 'pair' in state ? state.pair : '';
  return JSON.stringify([state.state, userId, pair]);
}
