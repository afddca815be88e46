import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A self-signed certificate and its private key, both in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Creates a self-signed certificate for 127.0.0.1 that is valid for two days (RFC 5280, RFC 5480). Node.js creates keys and
 * signatures but no certificates, so this module writes the DER encoding. So the tests need no external program, and the repository
 * contains no private key and no certificate that expires.
 */
export function createSelfSignedCertificate(now = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const content = contentOf(publicKey, now);
  const signature = sign('sha256', content, privateKey);
  const cert = sequence(content, sequence(ECDSA_WITH_SHA256), bits(signature));
  const lines = cert.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

const DAY = 86_400_000;

/** TBSCertificate: version 3, serial number 1, and the same name for subject and issuer. */
function contentOf(publicKey: KeyObject, now: number): Buffer {
  const [version, serial] = [der(0xa0, der(0x02, Buffer.of(2))), der(0x02, Buffer.of(1))];
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('directory.example.org')))));
  const validity = sequence(utcTime(now - DAY), utcTime(now + DAY));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  // SubjectAltName with one iPAddress.
  const addresses = sequence(der(0x87, Buffer.of(127, 0, 0, 1)));
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, addresses))));
  return sequence(version, serial, sequence(ECDSA_WITH_SHA256), name, validity, name, key, extensions);
}

/** Object identifiers: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.17. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.of(0), content]));
}

function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** A DER value with tag and length. */
function der(tag: number, content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, content]);
}
