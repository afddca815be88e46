import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs, run } from './programs.js';

/** A certificate and its private key, both in PEM. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority whose certificates openssl makes. */
export interface OpensslAuthority {
  /** Its own certificate in PEM. */
  readonly cert: string;
  /** Issues a certificate for a host name, or for a client. */
  issue(name: string): IssuedCertificate;
  /** Removes its files. */
  close(): void;
}

/** Creates a certificate authority with RSA keys, as `openssl` makes it by default. */
export function createOpensslAuthority(name: string): OpensslAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-authority-'));
  const at = (file: string): string => join(folder, file);
  const openssl = (...words: readonly string[]): void => {
    const { status, stderr } = run(programs.openssl, words);
    if (status !== 0) throw new Error(stderr);
  };
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
  );
  return {
    cert: readFileSync(at('ca.pem'), 'utf8'),
    issue: (subject) => {
      openssl('req', ...newKey, '-keyout', at('one.key'), '-out', at('one.csr'), '-subj', `/CN=${subject}`);
      writeFileSync(at('extensions'), `subjectAltName=DNS:${subject}\n`);
      const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
      openssl(
        'x509',
        '-req',
        '-in',
        at('one.csr'),
        ...issuer,
        '-out',
        at('one.pem'),
        '-days',
        '2',
        '-extfile',
        at('extensions'),
      );
      return { cert: readFileSync(at('one.pem'), 'utf8'), key: readFileSync(at('one.key'), 'utf8') };
    },
    close: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
