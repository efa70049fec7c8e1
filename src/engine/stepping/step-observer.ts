/**
 * What a debugger sees of a run: each event, when code of a strategy runs, what it asks for, each
 * judgement of the gate, and what came of the event. Nobody observes a bot or a usual backtest.
 *
 * Invariant: an observer changes nothing. It is called synchronously, within the step.
 */

import type { CheckVerdict } from '../../domain/check-verdict.ts';
import type { Intent } from '../../domain/intent.ts';
import type { Proposal } from '../../risk/proposal.ts';
import type { HostObserver } from '../../strategy/host-options.ts';
import type { Step } from '../event.ts';
import type { StepInput } from './step-input.ts';

/** An order before the gate. */
export type Judgement = {
  readonly proposal: Proposal;
  /** The name of the level of a quote; undefined for other orders. */
  readonly level: string | undefined;
  /** The key of an order that is no level of a quote. */
  readonly key: string | undefined;
  readonly reason: string;
  readonly isApproved: boolean;
  /** Returns what each check says; only within the call. */
  readonly explain: () => readonly CheckVerdict[];
};

export type StepObserver = HostObserver & {
  /** A step begins; nothing has changed yet. */
  readonly began: (atMicros: number, input: StepInput) => void;
  /** An intent of a strategy is taken. */
  readonly emitted: (strategyId: string, intent: Intent) => void;
  readonly judged: (judgement: Judgement) => void;
  /** The step has ended with these records and effects, which are not stored or released yet. */
  readonly ended: (step: Step) => void;
};
