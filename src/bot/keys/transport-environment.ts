/**
 * What the environment does to the transport before a line of ours runs: certificates that are not
 * checked, authorities that are trusted besides, proxies.
 */
import { SafetyRefusedError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/secrets.ts';

const proxyNames = ['http_proxy', 'https_proxy', 'all_proxy'];

/**
 * Returns what somebody should know of a transport that leaves this machine. Throws
 * SafetyRefusedError when certificates would not be checked. No value is told: a proxy's address
 * can hold a password.
 */
export function checkTransportEnvironment(environment: Environment): readonly string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new SafetyRefusedError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, which switches the check of certificates off; unset it',
    );
  const set = Object.keys(environment).filter((name) => (environment[name] ?? '') !== '');
  const proxies = set.filter((name) => proxyNames.includes(name.toLowerCase()));
  return [
    ...(set.includes('NODE_EXTRA_CA_CERTS')
      ? ['NODE_EXTRA_CA_CERTS is set: whoever holds its authorities can read what is sent']
      : []),
    ...(proxies.length > 0
      ? [`${proxies.join(', ')} set: Millrace uses no proxy and connects directly`]
      : []),
    ...(set.includes('NODE_USE_ENV_PROXY')
      ? ['NODE_USE_ENV_PROXY is set: unset it, nothing of Millrace is tested behind a proxy']
      : []),
  ];
}
