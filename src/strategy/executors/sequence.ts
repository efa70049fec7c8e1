/** Runs executors one after the other. */
import { concat, defer, of } from 'rxjs';
import { z } from 'zod';
import type { Intent } from '../../domain/intent.ts';
import { describe, isPlainObject } from '../json-value.ts';
import type { ExecutorPart } from './executor-part.ts';

/**
 * Returns an executor that runs others one after the other, each as a part of its name, and is done
 * when the last one is. What is over does not begin again after a restart. Throws
 * {@link RangeError} unless the steps are functions by name.
 */
export function sequence(steps: Readonly<Record<string, ExecutorPart>>): ExecutorPart {
  const refuse = (what: string): never => {
    throw new RangeError(`sequence: steps must be executors by name, ${what}`);
  };
  if (!isPlainObject(steps)) refuse(`was ${describe(steps)}`);
  for (const [name, step] of Object.entries(steps))
    if (typeof step !== 'function') refuse(`${name} was ${describe(step)}`);
  return (context) =>
    defer(() => {
      const over = context.slot('over', z.array(z.string()), []);
      const end = (name: string) => defer(() => of(over.remember([...over.value, name])));
      const done: Intent = { kind: 'done', reason: `${Object.keys(steps).join(', ')}: all over` };
      const left = Object.entries(steps).filter(([name]) => !over.value.includes(name));
      return concat(
        ...left.map(([name, step]) => concat(context.part(name, step), end(name))),
        of(done),
      );
    });
}
