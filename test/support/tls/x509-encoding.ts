import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** What a certificate states. Keys are of the curve P-256. */
export interface CertificateContent {
  /** Common name of the subject. */
  readonly subject: string;
  readonly publicKey: KeyObject;
  /** Common name of the issuer. */
  readonly issuer: string;
  /** Private key of the issuer, which signs the certificate. */
  readonly issuerKey: KeyObject;
  /** Number of the certificate, unique for its issuer, 1 to 127. */
  readonly serial: number;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Host names of the subject. */
  readonly hostNames?: readonly string[];
  /** IPv4 addresses of the subject. */
  readonly addresses?: readonly string[];
  /** Whether the subject may issue certificates. */
  readonly isAuthority?: boolean;
}

/**
 * Encodes and signs a certificate in PEM (RFC 5280, RFC 5480). Node.js creates keys and signatures but no certificates, so this module
 * writes the DER encoding. So the tests need no external program, and the repository contains no private key and no certificate that
 * expires.
 */
export function encodeCertificate(content: CertificateContent): string {
  const body = bodyOf(content);
  const signature = sign('sha256', body, content.issuerKey);
  const certificate = sequence(body, sequence(ECDSA_WITH_SHA256), bits(signature));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** TBSCertificate, version 3. */
function bodyOf({
  subject,
  publicKey,
  issuer,
  serial,
  notBefore,
  notAfter,
  ...extensions
}: CertificateContent): Buffer {
  const version = der(0xa0, der(0x02, Buffer.of(2)));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return sequence(
    version,
    der(0x02, Buffer.of(serial)),
    sequence(ECDSA_WITH_SHA256),
    nameOf(issuer),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    nameOf(subject),
    key,
    ...extensionsOf(extensions),
  );
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
}

function extensionsOf({
  hostNames = [],
  addresses = [],
  isAuthority = false,
}: Pick<CertificateContent, 'hostNames' | 'addresses' | 'isAuthority'>): readonly Buffer[] {
  const names = [
    ...hostNames.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  const extensions = [
    ...(names.length > 0 ? [sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...names)))] : []),
    ...(isAuthority ? [sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)))] : []),
  ];
  return extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : [];
}

/** Object identifiers: 1.2.840.10045.4.3.2, 2.5.4.3, 2.5.29.17, 2.5.29.19. */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');

const TRUE = Buffer.of(0x01, 0x01, 0xff);

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
