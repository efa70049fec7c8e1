/**
 * Feeds an RxJS stream from outside, like a Subject but faster: for each value, a Subject creates a
 * closure and an iterator, which takes half the time of a stream with three operators.
 *
 * Invariant: a value reaches all subscribers of the moment of its emission, in the order in which
 * they subscribed, even if one of them throws.
 */
import { Observable, type Subscriber } from 'rxjs';

export class EventSource<Value> {
  readonly stream$: Observable<Value>;
  /** Replaced, never mutated, so that an emission in progress keeps its list. */
  #subscribers: readonly Subscriber<Value>[] = [];

  constructor() {
    this.stream$ = new Observable((subscriber) => {
      this.#subscribers = [...this.#subscribers, subscriber];
      return () => {
        this.#subscribers = this.#subscribers.filter((other) => other !== subscriber);
      };
    });
  }

  /** Whether there are subscribers. */
  get isObserved(): boolean {
    return this.#subscribers.length > 0;
  }

  emit(value: Value): void {
    const subscribers = this.#subscribers;
    for (let index = 0; index < subscribers.length; index++)
      (subscribers[index] as Subscriber<Value>).next(value);
  }
}
