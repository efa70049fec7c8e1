/**
 * What each check of the gate says about one order, also where the order passes: for a debugger.
 *
 * Invariant: values and verdicts are those of the checks themselves, so they cannot differ from
 * what the gate decides.
 */
import type { CheckVerdict, RuleVerdict } from '../domain/check-verdict.ts';
import type { CheckInput, Refuse } from './check.ts';
import type { CheckEntry } from './check-table.ts';

/** Returns the verdict of each check of `table`, in its order. */
export function explainBy(
  table: readonly CheckEntry[],
  input: CheckInput,
): readonly CheckVerdict[] {
  return table.map(({ position, name, check }) => {
    const rules: RuleVerdict[] = [];
    const into =
      (isPassed: boolean): Refuse =>
      (code, observed, limit, unit) => {
        rules.push({ isPassed, code, observed, limit, unit });
      };
    check({ ...input, passed: into(true) }, into(false));
    return { position, name, rules };
  });
}
