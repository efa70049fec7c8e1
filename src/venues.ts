/** The venues: the only file outside of `venues/` that names one. */
import { type Connection, type ConnectOptions, connectLuno } from './venues/luno/connect.ts';

export type VenueConnection = Connection;

/** Connects to a venue. Throws ConfigError for a bad address, key or path. */
export function connectVenue(options: ConnectOptions): VenueConnection {
  return connectLuno(options);
}
