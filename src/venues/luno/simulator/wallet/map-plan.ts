/** Calls of the exchange API with answers in the format of the wallet API. */

import type { Plan } from '../core/plan.ts';
import type { Refusal } from '../core/refusal.ts';

/** Returns `plan` with its answer converted by `toAnswer`. */
export function mapPlan<A extends object, B>(plan: Plan<A>, toAnswer: (answer: A) => B): Plan<B> {
  switch (plan.kind) {
    case 'refused':
      return plan;
    case 'answer':
      return { kind: 'answer', answer: toAnswer(plan.answer) };
    case 'change':
      return {
        kind: 'change',
        change: () => {
          const answer = plan.change();
          return isRefusal(answer) ? answer : toAnswer(answer);
        },
      };
  }
}

function isRefusal(answer: object): answer is Refusal {
  return 'kind' in answer && answer.kind === 'refused';
}
