import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { parseCertificateDate } from '../../../text/date.js';
import { cutText, showHiddenCharacters } from '../../../text/visible-text.js';

export interface ServerCertificate {
  /** In milliseconds since 1970. */
  readonly validUntil: number;
  /** Common name or organization; empty if there is none. */
  readonly issuer: string;
}

/** Undici publishes each established connection here, also those through proxies. */
const CONNECTED = 'undici:client:connected';

/** More than sources, proxies and issuers have. */
const MAX_ORIGINS = 1_000;

/** In characters. */
const MAX_ISSUER_LENGTH = 100;

/** Of the servers to which this process has connected, by origin (operation 3.5). */
export class CertificateObserver {
  private readonly certificates = new Map<string, ServerCertificate>();

  constructor() {
    subscribe(CONNECTED, this.note);
  }

  /** The last one with which the origin's server answered. */
  find(origin: string): ServerCertificate | undefined {
    return this.certificates.get(origin);
  }

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
