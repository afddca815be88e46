export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

const DEFAULT_PORT = 6379;

/** Parses `cache.redis`: `redis:` or `rediss:` with host, port, credentials, and the number of a database as its path. */
export function parseRedisAddress(text: string): RedisAddress {
  const url = new URL(text);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    isTls: url.protocol === 'rediss:',
    username: decode(url.username),
    password: decode(url.password),
    database: Number(url.pathname.slice(1)),
  };
}

/** Undefined for nothing. A text that is not percent-encoded is taken as it is. */
function decode(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Describes an error without the password, which a server may repeat. An error that stands for several has a code only.
 * The library reports commands without a connection with a hint on its options.
 */
export function describeRedisError(error: unknown, { password }: RedisAddress): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'MaxRetriesPerRequestError') return 'the connection was lost';
  if (error.message.includes('enableOfflineQueue')) return 'there is no connection';
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return password === undefined ? text : text.replaceAll(password, '…');
}
