/**
 * Lets few reads of databases run at a time, because each needs memory and the pages have one
 * thread. Others wait, and too many are refused, so that no flood of requests ends the thread.
 */
import { RequestProblem } from './request-problem.ts';

const runningMax = 3;
/** A page asks for about ten answers at once. */
const waitingMax = 60;

export class ReadQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Returns what `read` returns, when it is its turn. Throws RequestProblem if too many wait, or if
   * the client `hasLeft` meanwhile.
   */
  async run<Answer>(hasLeft: () => boolean, read: () => Answer | Promise<Answer>): Promise<Answer> {
    if (this.#running < runningMax) this.#running++;
    else await this.#turn();
    try {
      if (hasLeft()) throw new RequestProblem(503, 'LEFT', 'the client has left');
      return await read();
    } finally {
      // The next one takes this place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= waitingMax)
      throw new RequestProblem(503, 'TOO_MANY', 'too many requests wait: ask again in a second');
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
