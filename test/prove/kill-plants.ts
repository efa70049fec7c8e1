/** Bugs of a halt, a kill or a panic, which the proof of the kill switch must find. */
import { EngineContext } from '../../src/engine/engine-context.ts';
import { RiskEngine } from '../../src/engine/risk-engine.ts';
import { OrderStates } from '../../src/execution/orders/order-states.ts';
import { CancelAll } from '../../src/execution/reconcile/cancel-all.ts';
import { CallBudget } from '../../src/execution/requests/call-budget.ts';
import { replaceMethod } from '../support/replace-method.ts';
import type { Knob } from '../support/virtual-faults.ts';

export type KillPlant = {
  readonly meaning: string;
  /** The only faults of the storm, where the bug needs certain ones to matter. */
  readonly rates?: Readonly<Partial<Record<Knob, number>>>;
  /** Builds the bug in; the returned function takes it out. */
  readonly install: () => () => void;
};

export const killPlants: Readonly<Record<string, KillPlant>> = {
  'halt-not-stored': {
    meaning: 'a halt holds in memory only, and ends with the process',
    rates: { 'crash.any-time': 0.1 },
    install: () =>
      replaceMethod(EngineContext.prototype, 'setTradingState', (real) => {
        return function (this: EngineContext, ...given) {
          this.record = () => {};
          real.apply(this, given);
          delete (this as { record?: unknown }).record;
        };
      }),
  },
  'halt-forgets-waiting': {
    meaning: 'a halt cancels what is at the exchange, and not what waits to be sent',
    rates: { 'req.refused': 0.3 },
    install: () => {
      const atHalt = replaceMethod(RiskEngine.prototype, 'withdrawUnsent', () => () => {});
      const byCommand = replaceMethod(OrderStates.prototype, 'cancelAll', (real) => {
        return function (this: OrderStates, reason, matches = () => true) {
          return real.call(this, reason, (order) => order.state !== 'waiting' && matches(order));
        };
      });
      return () => {
        atHalt();
        byCommand();
      };
    },
  },
  'one-clean-list': {
    meaning: 'one list that shows no order of ours ends a clearing',
    install: () => replaceMethod(CancelAll.prototype, 'isProof', () => () => true),
  },
  'stop-not-repeated': {
    meaning: 'a stop that failed is not sent again',
    install: () => replaceMethod(CancelAll.prototype, 'pauseAfterStop', () => () => 3_600_000),
  },
  'cancels-behind-reads': {
    meaning: 'cancels have the priority of reads, and wait when the calls are used up',
    install: () =>
      replaceMethod(CallBudget.prototype, 'enqueue', (real) => {
        return function (this: CallBudget, queued) {
          if (queued.priority === 'cancel') queued.priority = 'read';
          real.call(this, queued);
        };
      }),
  },
};
