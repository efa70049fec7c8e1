/** What a part requests, under its name, from its subscription to its end. */
import { isObservable, Observable } from 'rxjs';
import type { Intent } from '../../domain/intent.ts';
import { isUnderPart, storedName } from '../../domain/part-name.ts';
import { refuseArgument } from '../argument.ts';
import { reasonLengthMax } from '../intents/intent-members.ts';
import { describe, isPlainObject } from '../json-value.ts';

/** What opens and ends a part. */
export type PartDoor = {
  /** Returns false if the part is refused. */
  open(part: string): boolean;
  end(part: string, reason: string): void;
};

const namePattern = /^[A-Za-z0-9._-]{1,32}$/u;
/** The maximum length of a part's name with those of the parts that it is in. */
const pathLengthMax = 100;

/**
 * Returns the full name of a part in the part `outer`, which is empty for none. Throws RangeError
 * for a wrong name, and for what is no function.
 */
export function checkPart(outer: string, name: string, build: unknown): string {
  const refuse = (argument: string, allowed: string, value: unknown): never =>
    refuseArgument(['context.part', argument], allowed, value);
  if (typeof name !== 'string' || !namePattern.test(name))
    refuse('name', '1 to 32 letters, digits, dots, dashes or underscores', name);
  // Orders that the bot finds at the exchange, and does not know, have such keys.
  if (outer === '' && name === 'lost') refuse('name', 'another word than this', name);
  const part = storedName(outer, name);
  if (part.length > pathLengthMax)
    refuse('name', `short enough for ${pathLengthMax} characters with the parts around it`, part);
  if (typeof build !== 'function') refuse('build', 'a function', build);
  return part;
}

/** The kinds of intents that say which part they are from. */
const kindsOfParts: readonly unknown[] = ['quote', 'place', 'cancel', 'cancelAll', 'idle'];

/**
 * Returns the intents of a part. It is opened by the subscription, and ends when its stream
 * completes, is done, or is unsubscribed. A part that is refused requests nothing, and never ends:
 * a strategy that opens it again when it ends would do so for ever.
 */
export function partStream(
  part: string,
  build: () => Observable<Intent>,
  door: PartDoor,
): Observable<Intent> {
  return new Observable((subscriber) => {
    if (!door.open(part)) return;
    const end = (reason: string): void => door.end(part, `part ${part} ${reason}`);
    subscriber.add(() => end('has ended'));
    const intent$: unknown = build();
    if (!isObservable(intent$))
      throw new TypeError(`part ${part} must return an Observable, was ${describe(intent$)}`);
    const finish = (reason: string): void => {
      // Before what follows the part, such as the next one of `concat`.
      end(reason);
      subscriber.complete();
    };
    subscriber.add(
      intent$.subscribe({
        next: (intent) => {
          const reason = doneReasonOf(intent);
          if (reason === undefined) subscriber.next(withPart(intent, part));
          else finish(`is done: ${reason}`.slice(0, reasonLengthMax - part.length - 8));
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => finish('has ended'),
      }),
    );
  });
}

/** The reason of a valid `done`. */
function doneReasonOf(intent: unknown): string | undefined {
  try {
    if (!isPlainObject(intent) || intent['kind'] !== 'done') return undefined;
    const { reason } = intent;
    return typeof reason === 'string' && reason !== '' ? reason : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an intent under the name of a part, unless it is from a part in it. */
function withPart(intent: unknown, part: string): Intent {
  try {
    if (!isPlainObject(intent)) return intent as Intent;
    const { kind, slot, part: given } = intent;
    const isOfPart = kindsOfParts.includes(kind) || (kind === 'remember' && slot !== undefined);
    if (!isOfPart) return intent as Intent;
    if (typeof given === 'string' && (given === part || isUnderPart(given, part)))
      return intent as Intent;
    // A name of another part is shown in the refusal: this part has none of that name in it.
    return { ...intent, part: given === undefined ? part : `${part}/${String(given)}` } as Intent;
  } catch {
    return intent as Intent;
  }
}
