/** The venues: the only file outside of `venues/` that names one. */
import { DecodeError } from './domain/errors.ts';
import type { KeyFindings } from './venue/key-findings.ts';
import type { FramesOf, MarketFrames } from './venue/market-frames.ts';
import type { OrderGuard } from './venue/order-guard.ts';
import { lunoProperties } from './venues/luno/adapter/properties.ts';
import { lunoMarketFrames } from './venues/luno/adapter/stream-frames.ts';
import { EgressGuard, type EgressGuardOptions } from './venues/luno/client/egress-guard.ts';
import { allPermissions, startPermissions } from './venues/luno/client/key-permissions.ts';
import { type KeyProbeOptions, probeKey } from './venues/luno/client/key-probe.ts';
import { type Connection, type ConnectOptions, connectLuno } from './venues/luno/connect.ts';
import { simulatorKeysIn, simulatorKeysPath } from './venues/luno/simulator-keys.ts';

export type VenueConnection = Connection;
export type { ConnectOptions };
/** The keys of the simulated exchange that a demo and `start` run. */
export { simulatorKeysIn, simulatorKeysPath };

/** Connects to a venue. Throws ConfigError for a bad address, key or path. */
export function connectVenue(options: ConnectOptions): VenueConnection {
  return connectLuno(options);
}

const frames: ReadonlyMap<string, MarketFrames> = new Map([
  [lunoProperties.protocol, lunoMarketFrames],
]);

/** Returns the frames of a protocol; see {@link FramesOf}. */
export const marketFramesOf: FramesOf = (protocol = lunoProperties.protocol) => {
  const found = frames.get(protocol);
  if (found !== undefined) return found;
  const known = [...frames.keys()].join(', ');
  throw new DecodeError(`the frames are of protocol "${protocol}", which must be one of: ${known}`);
};

/** Returns the last check of every order before it is sent. */
export function createOrderGuard(options: EgressGuardOptions): OrderGuard {
  return new EgressGuard(options);
}

/**
 * Tests what a key may do, by calls that cannot act: `start` what a start looks at, `all` every
 * permission. Throws ConfigError for an unsafe address or a malformed key, and NotSentError if the
 * venue cannot be reached.
 */
export function probeVenueKey(
  options: Omit<KeyProbeOptions, 'wanted'> & { readonly wanted: 'start' | 'all' },
): Promise<KeyFindings> {
  return probeKey({
    ...options,
    wanted: options.wanted === 'all' ? allPermissions : startPermissions,
  });
}
