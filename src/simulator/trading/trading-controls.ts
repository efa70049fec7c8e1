/**
 * States of the world that bear on trading and that no operation changes: the operator of the
 * simulated exchange sets them.
 *
 * They are texts in the restrictions of the exchange's state: all of them survive a restart.
 */
import type { Exchange } from '../core/exchange.ts';

/** What each state needs to be told apart from others of its kind. */
export type TradingState =
  /** The market is not enabled for the user. */
  | { readonly state: 'market-not-allowed'; readonly userId: string; readonly pair: string }
  /** The user may trade with leverage. */
  | { readonly state: 'spot-margin'; readonly userId: string }
  /** The market takes leveraged orders. */
  | { readonly state: 'spot-margin-market'; readonly pair: string }
  /** The market takes orders of SPOT accounts only. */
  | { readonly state: 'only-spot-wallets'; readonly pair: string };

/** Begins or ends a state. */
export type TradingControl = {
  readonly kind: 'set-trading-state';
  readonly isOn: boolean;
} & TradingState;

/** Returns whether the operator has set the state. */
export function isInTradingState(exchange: Exchange, state: TradingState): boolean {
  return exchange.state.restrictions.has(keyOf(state));
}

/** Obeys the operator. Throws TypeError for a user or a market that does not exist. */
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
