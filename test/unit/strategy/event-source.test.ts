/** The source of the strategies' streams, where it could differ from a Subject. */
import { filter, map } from 'rxjs';
import { expect, test } from 'vitest';
import { EventSource } from '../../../src/strategy/event-source.ts';

test('a value goes to each subscriber, in the order of subscription', () => {
  const source = new EventSource<number>();
  const heard: string[] = [];
  expect(source.isObserved).toBe(false);
  source.emit(1);
  const first = source.stream$.subscribe((value) => heard.push(`first ${value}`));
  source.stream$
    .pipe(
      filter((value) => value > 2),
      map((value) => value * 10),
    )
    .subscribe((value) => heard.push(`second ${value}`));
  expect(source.isObserved).toBe(true);
  source.emit(2);
  source.emit(3);
  first.unsubscribe();
  source.emit(4);
  expect(heard).toEqual(['first 2', 'first 3', 'second 30', 'second 40']);
});

test('a change of the subscribers during an emission affects only the next one', () => {
  const source = new EventSource<number>();
  const heard: string[] = [];
  const leaving = source.stream$.subscribe((value) => {
    heard.push(`leaving ${value}`);
    leaving.unsubscribe();
    source.stream$.subscribe((late) => heard.push(`late ${late}`));
  });
  source.stream$.subscribe((value) => heard.push(`staying ${value}`));
  source.emit(1);
  expect(heard).toEqual(['leaving 1', 'staying 1']);
  source.emit(2);
  expect(heard.slice(2)).toEqual(['staying 2', 'late 2']);
});

test('a subscriber that unsubscribes during an emission does not receive the value', () => {
  const source = new EventSource<number>();
  const heard: number[] = [];
  source.stream$.subscribe(() => later.unsubscribe());
  const later = source.stream$.subscribe((value) => heard.push(value));
  source.emit(1);
  expect(heard).toEqual([]);
});

test('a stream that ends, or fails in an operator, unsubscribes from the source', () => {
  const source = new EventSource<number>();
  const errors: unknown[] = [];
  source.stream$
    .pipe(
      map((value) => {
        if (value === 2) throw new Error('two');
        return value;
      }),
    )
    .subscribe({ error: (error) => errors.push(error) });
  source.emit(1);
  expect(source.isObserved).toBe(true);
  source.emit(2);
  expect(errors).toEqual([new Error('two')]);
  expect(source.isObserved).toBe(false);
});
