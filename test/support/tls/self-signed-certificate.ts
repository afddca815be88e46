import { generateKeyPairSync } from 'node:crypto';
import { encodeCertificate } from './x509-encoding.js';

/** A certificate and its private key, both in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY = 86_400_000;

/** Creates a self-signed certificate for 127.0.0.1 that is valid for two days. */
export function createSelfSignedCertificate(now = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = 'directory.example.org';
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: encodeCertificate({
      subject: name,
      publicKey,
      issuer: name,
      issuerKey: privateKey,
      serial: 1,
      notBefore: now - DAY,
      notAfter: now + DAY,
      addresses: ['127.0.0.1'],
    }),
  };
}
