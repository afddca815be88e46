import { describe, expect, it } from 'vitest';
import { formatLocalOrigin } from '../../../src/cli/serve/listener.js';

describe('the origin at which this machine reaches a listener', () => {
  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['http://0.0.0.0:8080', 'http://localhost:8080'],
    ['http://[::]:8080', 'http://localhost:8080'],
    ['http://10.0.0.0:8080', 'http://10.0.0.0:8080'],
  ])('of %s is %s', (url, origin) => {
    expect(formatLocalOrigin({ url })).toBe(origin);
  });
});
