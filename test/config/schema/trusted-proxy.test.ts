import { describe, expect, test } from 'vitest';
import { createClientAddressReader } from '../../../src/access/client-address.js';
import { trustedProxy } from '../../../src/config/schema/values.js';

describe('trustedProxy', () => {
  test.each([
    ...['loopback', 'linklocal', 'uniquelocal', '192.0.2.1', '10.0.0.0/8', '192.0.2.1/32', '2001:db8::1', '::/1'],
    ...['2001:db8::/32', '::ffff:192.0.2.1', '::ffff:192.0.2.0/120', 'fc00::/128'],
  ])('accepts %s, which the reader of addresses accepts, too', (text) => {
    expect(trustedProxy.safeParse(text).success).toBe(true);
    expect(() => createClientAddressReader([text])).not.toThrow();
  });

  test.each([
    ...['', 'Loopback', 'localhost', '10.0.0.0/0', '10.0.0.0/33', '::/0', '::/129', '10.0.0.0/08', '10.0.0.0/', '/8'],
    ...[
      '10.0.0.0/8/8',
      '10.0.0.0/255.0.0.0',
      '10.0.0',
      '010.0.0.1',
      'fe80::1%eth0',
      '192.0.2.1:80',
      '[::1]',
      '*',
      ' ::1',
    ],
  ])('refuses %j', (text) => {
    expect(trustedProxy.safeParse(text).success).toBe(false);
  });
});
