/**
 * Reports that the clock in the exchange's answers differs from ours by so much that every order is
 * held back, and reports when the clocks agree again.
 */
import type { Notice } from '../domain/notice.ts';
import { clockSkewMsMax } from '../risk/checks/health-check.ts';

export class ClockWatch {
  #isReported = false;

  /**
   * Takes how far the exchange's clock is ahead of ours; returns a notice when the clocks begin or
   * cease to differ too much.
   */
  note(offsetMs: number | undefined): Notice | undefined {
    const differs = offsetMs !== undefined && Math.abs(offsetMs) > clockSkewMsMax;
    if (differs === this.#isReported) return undefined;
    this.#isReported = differs;
    if (!differs)
      return { level: 'info', topic: 'state', text: "the exchange's clock agrees with ours again" };
    const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
    const where = offsetMs > 0 ? 'ahead of' : 'behind';
    return {
      level: 'warn',
      topic: 'state',
      text:
        `by its answers, the exchange's clock is ${seconds} s ${where} this machine's: no order is ` +
        `sent while they differ by more than ${clockSkewMsMax / 1000} s (CLOCK_SKEW); if this lasts, ` +
        "this machine's clock or a proxy's is wrong",
    };
  }
}
