import { describe, expect, test } from 'vitest';
import { asFailure } from '../../../../src/source/client/source-failure.js';
import { describeTlsFailure } from '../../../../src/source/client/transport/tls-failure.js';

const error = (code: string): Error => Object.assign(new Error('as OpenSSL writes it'), { code });

describe('describeTlsFailure', () => {
  // The codes as Node.js 20 and 24 derive them from the alerts of a server (RFC 8446, section 6.2).
  test.each([
    ['CERT_HAS_EXPIRED', 'a certificate of the source, or of its authority, has expired'],
    ['CERT_NOT_YET_VALID', 'a certificate of the source, or of its authority, is not valid yet'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'an authority that is not trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'an authority that is not trusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'an authority that is not trusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls.ca names the authorities of a source'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another host name (as OpenSSL writes it)'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'the source requires a client certificate'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'it may require a client certificate (tls.cert)'],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'the source refuses the client certificate'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'the source refuses the client certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'the source refuses the client certificate'],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'the source refuses the client certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak TLS at this port'],
  ])('describes %s', (code, words) => {
    const failure = asFailure(describeTlsFailure(error(code)));
    expect(failure).toMatchObject({ reason: 'tls', message: expect.stringMatching(`^${code}: `) as unknown });
    expect(failure.message).toContain(words);
  });

  test('does not suggest a setting that the source has', () => {
    const settings = { ca: 'x', cert: 'y', key: 'z' };
    for (const code of ['SELF_SIGNED_CERT_IN_CHAIN', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'])
      expect(asFailure(describeTlsFailure(error(code), settings)).message).not.toMatch(/names|may require/);
  });

  test.each([error('ECONNRESET'), error('ERR_SSL_INTERNAL_ERROR'), new Error('none'), 'a text'])(
    'leaves another error as it is: %s',
    (other) => {
      expect(describeTlsFailure(other)).toBe(other);
    },
  );
});
