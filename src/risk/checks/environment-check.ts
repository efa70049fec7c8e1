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

export const checkEnvironment: Check = ({ facts, passed }, refuse) => {
  const { mode, ordersGoTo, liveFlag, keyFingerprint, keyFingerprintAllowed } = facts.environment;
  const expected = Object.hasOwn(destination, mode) ? destination[mode] : 'nowhere';
  const tellPlace = ordersGoTo === expected ? passed : refuse;
  tellPlace?.('ENVIRONMENT', `${mode} to ${ordersGoTo}`, `${mode} to ${expected}`, 'destination');
  if (mode !== 'live') return;
  const hasFlag = liveFlag === true;
  const tellFlag = hasFlag ? passed : refuse;
  tellFlag?.('ENVIRONMENT', hasFlag ? 'given' : 'absent', 'given', 'live flag');
  const isNamed = keyFingerprintAllowed !== undefined && keyFingerprint === keyFingerprintAllowed;
  const tellKey = isNamed ? passed : refuse;
  tellKey?.(
    'ENVIRONMENT',
    keyFingerprint ?? 'missing',
    keyFingerprintAllowed ?? 'missing',
    'key fingerprint',
  );
};
