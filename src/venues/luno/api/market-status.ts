/** Translates the market statuses. The stream and the market list spell post-only differently. */
import type { MarketStatus } from '../../../domain/market.ts';

export function marketStatusOf(text: string): MarketStatus {
  switch (text) {
    case 'ACTIVE':
    case 'SUSPENDED':
    case 'DISABLED':
      return text;
    case 'POSTONLY':
    case 'POST_ONLY':
      return 'POST_ONLY';
    default:
      return 'UNKNOWN';
  }
}

/** Returns the status as the market stream writes it. */
export function streamedStatusOf(status: MarketStatus): string {
  return status === 'POST_ONLY' ? 'POSTONLY' : status;
}
