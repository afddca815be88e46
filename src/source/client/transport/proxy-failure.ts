import { SourceFailure, asFailure } from '../source-failure.js';

/** The reason is `connect` or `timeout`: the host name or certificate in question is the proxy's (operation 2.8.15). */
export function createProxyFailure(error: unknown): SourceFailure {
  const { reason, message } = asFailure(error);
  return new SourceFailure(
    reason === 'timeout' ? reason : 'connect',
    `the proxy of the source cannot be reached: ${message}`,
    { cause: error },
  );
}

/** Credentials are required; tinyproxy answers wrong ones with 401. */
const AUTHENTICATION_STATUSES = ['401', '407'];

/** As undici 7 reports refused requests, and refused connections to an `https` source. */
const REFUSALS: ReadonlyMap<string, RegExp> = new Map([
  ['UND_ERR_INVALID_ARG', /^Proxy Authentication Required \((407)\)/],
  ['UND_ERR_ABORTED', /^Proxy response \((\d{3})\)/],
]);

/** Turns a refusal into a failure (`connect`) that names the step. Returns any other error as it is. */
export function describeProxyRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const [, status] = REFUSALS.get(String(error.code))?.exec(error.message) ?? [];
  if (status === undefined) return error;
  const refusal = AUTHENTICATION_STATUSES.includes(status)
    ? 'requires credentials, or refuses those configured'
    : 'opens no connection to the source';
  return new SourceFailure('connect', `the proxy of the source ${refusal} (HTTP status ${status})`, { cause: error });
}
