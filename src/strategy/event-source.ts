/**
 * Feeds an RxJS stream from outside: what a Subject is for, without its cost. A Subject makes a
 * closure and an iterator for each value, which is half of what a stream of three operators costs.
 *
 * Invariant: a value goes to those that listened when it was emitted, in the order in which they
 * began to; a listener that throws does not keep it from the others.
 */
import { Observable, type Subscriber } from 'rxjs';

export class EventSource<Value> {
  readonly stream$: Observable<Value>;
  /** Replaced, never changed: an emission goes on over those it began with. */
  #listeners: readonly Subscriber<Value>[] = [];

  constructor() {
    this.stream$ = new Observable((listener) => {
      this.#listeners = [...this.#listeners, listener];
      return () => {
        this.#listeners = this.#listeners.filter((other) => other !== listener);
      };
    });
  }

  /** Whether anybody listens. */
  get isObserved(): boolean {
    return this.#listeners.length > 0;
  }

  emit(value: Value): void {
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index++)
      (listeners[index] as Subscriber<Value>).next(value);
  }
}
