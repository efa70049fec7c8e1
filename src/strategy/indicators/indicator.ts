/**
 * Indicators: what a series of prices, candles or trades says, updated with each of its members.
 *
 * Invariants: the value is a function of what was added, in order, and of nothing else. There is
 * none until enough was added, and an input that is no finite number is refused, so that NaN never
 * reaches a decision.
 */
import { defer, map, type OperatorFunction } from 'rxjs';
import { type Argument, refuseArgument } from '../argument.ts';

/** What a series says so far. */
export type Indicator<In, Out> = {
  /** How many inputs it takes until there is a value. */
  readonly warmUp: number;
  /** The value after the last input; undefined before `warmUp` inputs. */
  readonly value: Out | undefined;
  /** Adds the next input and returns the new `value`. RangeError unless its numbers are finite. */
  add(input: In): Out | undefined;
};

/**
 * Returns an operator that adds what a stream emits to an indicator and emits its value, undefined
 * during the warm-up. `make` is called at each subscription, so that runs share nothing.
 */
export function indicate<In, Out>(
  make: () => Indicator<In, Out>,
): OperatorFunction<In, Out | undefined> {
  if (typeof make !== 'function')
    refuseArgument(['indicate', 'make'], 'a function that returns an indicator', make);
  return (input$) =>
    defer(() => {
      const indicator = make();
      if (typeof indicator?.add !== 'function')
        refuseArgument(['indicate', 'make'], 'a function that returns an indicator', indicator);
      return input$.pipe(map((input) => indicator.add(input)));
    });
}

type Parts<In, Out> = {
  readonly name: string;
  readonly warmUp: number;
  readonly history: Iterable<In>;
  /** The members of an input that must be finite numbers; of one that is a number itself, none. */
  readonly members?: readonly (keyof In & string)[];
  /** Takes the next input, which is checked, and returns the value. */
  readonly next: (input: In) => Out | undefined;
};

/** Returns an indicator that has seen `history`. */
export function indicatorOf<In, Out>(parts: Parts<In, Out>): Indicator<In, Out> {
  const { name, warmUp, history, members = [], next } = parts;
  let value: Out | undefined;
  const add = (input: In, argument: Argument): Out | undefined => {
    if (members.length === 0) checkFinite(argument, input);
    else if (typeof input !== 'object' || input === null)
      refuseArgument(argument, `an object with ${members.join(', ')}`, input);
    for (const member of members)
      checkFinite([argument[0], `${argument[1]}.${member}`], input[member]);
    value = next(input);
    return value;
  };
  if (typeof history?.[Symbol.iterator] !== 'function')
    refuseArgument([name, 'history'], 'a list of earlier inputs', history);
  for (const input of history) add(input, [name, 'history']);
  return {
    warmUp,
    get value() {
      return value;
    },
    add: (input) => add(input, [name, 'input']),
  };
}

function checkFinite(argument: Argument, value: unknown): void {
  if (!Number.isFinite(value)) refuseArgument(argument, 'a finite number', value);
}

const periodMax = 100_000;

/** Checks how many inputs an indicator counts. */
export function checkPeriod(argument: Argument, period: unknown, least = 1): void {
  const isWhole = typeof period === 'number' && Number.isSafeInteger(period);
  if (!isWhole || period < least || period > periodMax)
    refuseArgument(argument, `a whole number from ${least} to ${periodMax}`, period);
}

/** Returns a function that takes the next value and returns the last `count`, once there are. */
export function lastOf<T>(count: number): (value: T) => readonly T[] | undefined {
  const values: T[] = [];
  return (value) => {
    values.push(value);
    if (values.length > count) values.shift();
    return values.length === count ? values : undefined;
  };
}

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
