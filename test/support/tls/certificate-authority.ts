import { generateKeyPairSync } from 'node:crypto';
import type { Certificate } from './self-signed-certificate.js';
import { encodeCertificate } from './x509-encoding.js';
import type { CertificateContent } from './x509-encoding.js';

/** What a certificate of a private authority states; by default the address 127.0.0.1, valid for two days. */
export type IssuedContent = Partial<Pick<CertificateContent, 'hostNames' | 'addresses' | 'notBefore' | 'notAfter'>>;

/** A certificate authority that no program trusts by itself. */
export interface CertificateAuthority {
  /** Its own certificate in PEM. */
  readonly cert: string;
  issue(subject: string, content?: IssuedContent): Certificate;
}

const DAY = 86_400_000;

/** Creates a certificate authority. Its key is never written to disk. */
export function createCertificateAuthority(name = 'Example Private Authority'): CertificateAuthority {
  const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const validity = { notBefore: Date.now() - DAY, notAfter: Date.now() + DAY };
  const issuing = { issuer: name, issuerKey: own.privateKey };
  let serial = 1;
  return {
    cert: encodeCertificate({
      subject: name,
      publicKey: own.publicKey,
      ...issuing,
      ...validity,
      serial,
      isAuthority: true,
    }),
    issue: (subject, content = {}) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      serial += 1;
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: encodeCertificate({
          subject,
          publicKey,
          ...issuing,
          ...validity,
          serial,
          addresses: ['127.0.0.1'],
          ...content,
        }),
      };
    },
  };
}
