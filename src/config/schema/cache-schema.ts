import { parseUrl } from '../../text/url.js';
import { patternField, scalar, section } from './schema-builders.js';
import { file, size } from './value-types.js';

/** Host, port, credentials, and the number of a database as its path. */
function readRedisUrl(text: string): string | undefined {
  const url = /^rediss?:\/\/[^\s\\?#/]+(?:\/\d*)?$/i.test(text) ? parseUrl(text) : undefined;
  return url === undefined || url.hostname === '' ? undefined : url.href;
}

export const cacheFields = {
  redis: scalar(
    'an address such as redis://user:password@127.0.0.1:6379/0 (or rediss), with reserved characters percent-encoded',
    readRedisUrl,
  ).optional(),
  /** A shorter secret can be guessed by anybody who can read what it encrypts. */
  redisKey: patternField('a secret of at least 32 characters', /^[^\p{Cc}]{32,}$/u).optional(),
};

/** (operation 2.5) */
export const cache = section({
  memory: size.default(256 * 2 ** 20),
  state: file.optional(),
  disk: file.optional(),
  redis: cacheFields.redis,
  'redis-key': cacheFields.redisKey,
});
