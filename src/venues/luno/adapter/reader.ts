/** Reads Luno in the terms of the port. */
import type { VenueReader } from '../../../venue/venue-reader.ts';
import type { ReadRequest } from '../../../venue/venue-request.ts';
import type { ParametersOf } from '../api/operation.ts';
import type { OperationName, Operations } from '../api/operations.ts';
import type { Reply } from '../api/reply.ts';
import { venueReplyOf, wireRequestOf } from './codec.ts';
import { lunoProperties } from './properties.ts';

/** Sends one call, and returns its reply as the wire has it. */
export type WireCall = <Name extends OperationName>(
  name: Name,
  parameters: ParametersOf<Operations[Name]>,
) => Promise<Reply<Name>>;

/** Returns a reader that sends its requests through `call`. */
export function createLunoReader(call: WireCall): VenueReader {
  return {
    properties: lunoProperties,
    ask: async <Request extends ReadRequest>(request: Request) => {
      const { operation, parameters } = wireRequestOf<ReadRequest>(request, noScales);
      return venueReplyOf(request, await call(operation, parameters as never));
    },
  };
}

/** The scales of whoever places no order. */
export function noScales(pair: string): never {
  throw new Error(`an order of ${pair} needs the scales of its market`);
}
