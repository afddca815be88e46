import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { parseCertificateDate } from '../../../text/date.js';
import { cutText, showHiddenCharacters } from '../../../text/visible-text.js';

export interface ServerCertificate {
  /** In milliseconds since 1970. */
  readonly validUntil: number;
  /** Common name or organization of the issuer; empty if the certificate names none. */
  readonly issuer: string;
}

/** Channel on which undici publishes each connection that it has established, also those through proxies. */
const CONNECTED = 'undici:client:connected';

/** Maximum number of origins whose certificates are remembered: more than sources, proxies and issuers have. */
const MAX_ORIGINS = 1_000;

/** Maximum length of the name of an issuer, in characters. */
const MAX_ISSUER_LENGTH = 100;

/** Remembers the certificates of the servers to which this process has connected, by origin (operation 3.5). */
export class CertificateObserver {
  private readonly certificates = new Map<string, ServerCertificate>();

  constructor() {
    subscribe(CONNECTED, this.note);
  }

  /** Returns the certificate with which the server of an origin answered last; undefined if none is known. */
  find(origin: string): ServerCertificate | undefined {
    return this.certificates.get(origin);
  }

  /** Ends the observation. */
  close(): void {
    unsubscribe(CONNECTED, this.note);
  }

  private readonly note = (message: unknown): void => {
    const origin = readOrigin(message);
    const certificate = readCertificate(message);
    if (origin === undefined || certificate === undefined) return;
    this.certificates.delete(origin);
    this.certificates.set(origin, certificate);
    const [oldest] = this.certificates.keys();
    if (this.certificates.size > MAX_ORIGINS && oldest !== undefined) this.certificates.delete(oldest);
  };
}

function readOrigin(message: unknown): string | undefined {
  const { protocol, host } = fieldsOf(fieldsOf(message)['connectParams']);
  return typeof protocol === 'string' && typeof host === 'string' ? `${protocol}//${host}` : undefined;
}

function readCertificate(message: unknown): ServerCertificate | undefined {
  const { socket } = fieldsOf(message);
  if (!(socket instanceof TLSSocket)) return undefined;
  // A socket that was closed meanwhile has an empty certificate.
  const certificate = fieldsOf(socket.getPeerCertificate());
  const validUntil = parseCertificateDate(String(certificate['valid_to']));
  if (validUntil === undefined) return undefined;
  const { CN: commonName, O: organization } = fieldsOf(certificate['issuer']);
  return { validUntil, issuer: describeName(commonName ?? organization) };
}

/** A name of a certificate may occur several times. */
function describeName(name: unknown): string {
  const text = Array.isArray(name) ? name.map(String).join(', ') : typeof name === 'string' ? name : '';
  return showHiddenCharacters(cutText(text, MAX_ISSUER_LENGTH) ?? text);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
