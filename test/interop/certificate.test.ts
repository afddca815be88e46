import { expect, it } from 'vitest';
import { createSelfSignedCertificate } from '../support/tls/self-signed-certificate.js';
import { programs, run } from './programs.js';

it('openssl reports only that the certificate of the loopback tests is self-signed', () => {
  const { cert } = createSelfSignedCertificate();
  const verified = run(programs.openssl, ['verify', '-x509_strict', '-verify_ip', '127.0.0.1'], { input: cert });
  const errors = [...verified.stderr.matchAll(/^error (\d+) /gm)].map(([, number]) => number);
  // 18: DEPTH_ZERO_SELF_SIGNED_CERT.
  expect(errors, verified.stderr).toEqual(['18']);
});
