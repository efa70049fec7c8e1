/**
 * The mode, the address and the key agree. A demo cannot reach the exchange; live trading needs the
 * option `--live`, the mode, the exchange's address and the key named in the settings.
 */
import type { Check } from '../check.ts';

const destination = {
  demo: 'simulator',
  paper: 'replay',
  backtest: 'replay',
  live: 'exchange',
} as const;

export const checkEnvironment: Check = ({ facts }, refuse) => {
  const { mode, ordersGoTo, liveFlag, keyFingerprint, keyFingerprintAllowed } = facts.environment;
  const expected = Object.hasOwn(destination, mode) ? destination[mode] : 'nowhere';
  if (ordersGoTo !== expected) {
    refuse('ENVIRONMENT', `${mode} to ${ordersGoTo}`, `${mode} to ${expected}`, 'destination');
  }
  if (mode !== 'live') return;
  if (liveFlag !== true) refuse('ENVIRONMENT', 'absent', 'given', 'live flag');
  if (keyFingerprintAllowed === undefined || keyFingerprint !== keyFingerprintAllowed) {
    refuse(
      'ENVIRONMENT',
      keyFingerprint ?? 'missing',
      keyFingerprintAllowed ?? 'missing',
      'key fingerprint',
    );
  }
};
