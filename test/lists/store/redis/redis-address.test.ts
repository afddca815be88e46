import { describe, expect, it } from 'vitest';
import { describeRedisError, parseRedisAddress } from '../../../../src/lists/store/redis/redis-address.js';
import { connectRedis } from '../../../../src/lists/store/redis/redis-client.js';
import { freePort } from '../../../support/free-port.js';

describe('the address of a Redis server', () => {
  it('has a default port and database, and no credentials unless they are given', () => {
    expect(parseRedisAddress('redis://redis.example.org')).toEqual({
      host: 'redis.example.org',
      port: 6379,
      isTls: false,
      username: undefined,
      password: undefined,
      database: 0,
    });
  });

  it('consists of host, port, credentials and database', () => {
    expect(parseRedisAddress('rediss://rollcall:p%40ss%20word@[2001:db8::1]:6380/4')).toEqual({
      host: '2001:db8::1',
      port: 6380,
      isTls: true,
      username: 'rollcall',
      password: 'p@ss word',
      database: 4,
    });
  });

  it('may contain a password that is not percent-encoded', () => {
    expect(parseRedisAddress('redis://:50%@redis.example.org').password).toBe('50%');
  });
});

describe('the description of an error', () => {
  const address = parseRedisAddress('redis://:secret@redis.example.org');

  it('does not contain the password', () => {
    expect(describeRedisError(new Error("unknown command 'AUTH' 'secret'"), address)).toBe(
      "unknown command 'AUTH' '…'",
    );
  });

  it('is the code of an error that has no message', () => {
    const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(describeRedisError(error, address)).toBe('ECONNREFUSED');
  });

  it('has no hint of the library where there is no connection', async () => {
    const client = connectRedis(
      { ...address, port: await freePort() },
      { silenceLimit: 1_000, onError: () => undefined },
    );
    const error: unknown = await client.ping().catch((reason: unknown) => reason);
    client.disconnect();
    expect(describeRedisError(error, address)).toBe('there is no connection');
  });
});
