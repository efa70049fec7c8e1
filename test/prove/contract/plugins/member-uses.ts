/**
 * Runs the lines of use of the strategy contract in a strategy, and notes the members that have
 * been used: a value was there, and its line ran; of a stream, a value has come.
 */
import { catchError, EMPTY, ignoreElements, isObservable, type Observable, tap } from 'rxjs';
import type { MarketContext } from '../../../../src/index.ts';
import { given } from '../in-use/given.ts';
import type { Given } from '../in-use/lines.ts';

type AnyLines = Readonly<Record<string, (value: unknown, market: MarketContext) => unknown>>;

export class MemberUses {
  /** `Type.member`. */
  readonly used = new Set<string>();
  readonly problems = new Set<string>();

  /** Runs the lines of one value; a stream's line is run by {@link follow}. */
  use<Name extends keyof Given>(name: Name, value: Given[Name], market: MarketContext): void {
    for (const [member, line] of Object.entries(given[name] as unknown as AnyLines)) {
      const key = `${name}.${member}`;
      const held = Reflect.get(value, member);
      if (this.used.has(key) || held === undefined || isObservable(held)) continue;
      try {
        line(value, market);
        this.used.add(key);
      } catch (error) {
        this.problems.add(`${key}: ${error}`);
      }
    }
  }

  /** Subscribes to each stream and to its line, and emits nothing. */
  follow<Name extends 'Context' | 'MarketContext' | 'Feed'>(
    name: Name,
    value: Given[Name],
    market: MarketContext,
  ): readonly Observable<never>[] {
    return Object.entries(given[name] as unknown as AnyLines).flatMap(([member, line]) => {
      const key = `${name}.${member}`;
      const held = Reflect.get(value, member);
      const lead = (stream: unknown, noted: () => void): Observable<never>[] =>
        isObservable(stream)
          ? [
              stream.pipe(
                tap(noted),
                ignoreElements(),
                catchError((error: unknown) => {
                  this.problems.add(`${key}: ${error}`);
                  return EMPTY;
                }),
              ),
            ]
          : [];
      return [...lead(held, () => this.used.add(key)), ...lead(line(value, market), () => {})];
    });
  }

  /** What has been found, in lines that a strategy's log takes. */
  *lines(): Iterable<string> {
    for (const problem of this.problems) yield `problem ${problem}`.slice(0, 900);
    let line = '';
    for (const key of [...this.used].sort()) {
      if (line.length + key.length > 900) {
        yield `used ${line}`;
        line = '';
      }
      line += line === '' ? key : ` ${key}`;
    }
    yield `used ${line}`;
  }
}
