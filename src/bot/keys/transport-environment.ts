/**
 * Checks environment variables that change the transport: disabled certificate checks, additional
 * certificate authorities, proxies.
 */
import { SafetyRefusedError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/secrets.ts';

const proxyNames = ['http_proxy', 'https_proxy', 'all_proxy'];

/**
 * Returns warnings for a transport that leaves this machine. Throws SafetyRefusedError if
 * certificates would not be checked. The warnings contain no values, since the address of a proxy
 * may contain a password.
 */
export function checkTransportEnvironment(environment: Environment): readonly string[] {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new SafetyRefusedError(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, which disables the check of certificates; unset it',
    );
  const set = Object.keys(environment).filter((name) => (environment[name] ?? '') !== '');
  const proxies = set.filter((name) => proxyNames.includes(name.toLowerCase()));
  return [
    ...(set.includes('NODE_EXTRA_CA_CERTS')
      ? ['NODE_EXTRA_CA_CERTS is set: its certificate authorities can read the traffic']
      : []),
    ...(proxies.length > 0
      ? [`${proxies.join(', ')} set: Millrace uses no proxy and connects directly`]
      : []),
    ...(set.includes('NODE_USE_ENV_PROXY')
      ? ['NODE_USE_ENV_PROXY is set: unset it; Millrace is not tested behind a proxy']
      : []),
  ];
}
