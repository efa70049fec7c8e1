/** What is wrong with a request, thrown where it is found and answered in one place. */
import type { z } from 'zod';
import type { Problem } from '../http/answer.ts';

export class RequestProblem extends Error {
  readonly problem: Problem;

  constructor(status: number, code: string, text: string) {
    super(text);
    this.problem = { status, code, text };
  }
}

/** Returns the value that the schema makes of `given`. Throws RequestProblem. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  where: string,
): z.infer<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const texts = result.error.issues.map(({ path, message }) => {
    const place = path.join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  throw new RequestProblem(400, 'WRONG_VALUE', `the ${where} is wrong: ${texts.join('; ')}`);
}
