import { SourceFailure, asFailure } from '../source-failure.js';

/**
 * Creates the failure of a connection to a proxy (operation 2.8.15). The reason is `connect`, or `timeout`: a host name or
 * a certificate in question is that of the proxy, not of the source.
 */
export function createProxyFailure(error: unknown): SourceFailure {
  const { reason, message } = asFailure(error);
  return new SourceFailure(
    reason === 'timeout' ? reason : 'connect',
    `the proxy of the source cannot be reached: ${message}`,
    { cause: error },
  );
}

/** Statuses of a proxy that requires credentials; tinyproxy responds to wrong ones with 401. */
const AUTHENTICATION_STATUSES = ['401', '407'];

/** How undici 7 reports that a proxy refuses a request, or a connection to an `https` source. */
const REFUSALS: ReadonlyMap<string, RegExp> = new Map([
  ['UND_ERR_INVALID_ARG', /^Proxy Authentication Required \((407)\)/],
  ['UND_ERR_ABORTED', /^Proxy response \((\d{3})\)/],
]);

/** Turns the refusal of a proxy into a failure (`connect`) that names the step. Returns any other error as it is. */
export function describeProxyRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const [, status] = REFUSALS.get(String(error.code))?.exec(error.message) ?? [];
  if (status === undefined) return error;
  const refusal = AUTHENTICATION_STATUSES.includes(status)
    ? 'requires credentials, or refuses those configured'
    : 'opens no connection to the source';
  return new SourceFailure('connect', `the proxy of the source ${refusal} (HTTP status ${status})`, { cause: error });
}
