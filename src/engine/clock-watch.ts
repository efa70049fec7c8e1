/**
 * Names a disagreement between the clock of the exchange's answers and ours, which keeps every
 * order back, and says when it is over.
 */
import type { Notice } from '../domain/notice.ts';
import { clockSkewMsMax } from '../risk/checks/health-check.ts';

export class ClockWatch {
  #isTold = false;

  /** Takes how far the clock of the answers is ahead of ours; returns what there is to say. */
  note(offsetMs: number | undefined): Notice | undefined {
    const differs = offsetMs !== undefined && Math.abs(offsetMs) > clockSkewMsMax;
    if (differs === this.#isTold) return undefined;
    this.#isTold = differs;
    if (!differs)
      return { level: 'info', topic: 'state', text: "the exchange's clock agrees with ours again" };
    const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
    const where = offsetMs > 0 ? 'ahead of' : 'behind';
    return {
      level: 'warn',
      topic: 'state',
      text:
        `the exchange's clock, by its answers, is ${seconds} s ${where} this machine's: no order ` +
        `leaves while they differ by more than ${clockSkewMsMax / 1000} s (CLOCK_SKEW); if it does ` +
        "not pass, this machine's clock or a proxy's is wrong",
    };
  }
}
