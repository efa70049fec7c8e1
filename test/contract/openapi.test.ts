/** The OpenAPI document against the schema of OpenAPI 3.1, by a validator that is not ours. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../src/venues/luno/reference/openapi.ts';

const written = (): Record<string, unknown> => JSON.parse(JSON.stringify(openApiDocument()));

test('the document is a valid one of OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(written())).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator refuses one that is not', async () => {
  const document = written();
  document['info'] = { title: 'without a version' };
  expect(await new Validator().validate(document)).toMatchObject({ valid: false });
});
