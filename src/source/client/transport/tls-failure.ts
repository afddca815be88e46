import type { TlsSettings } from '../../../model/registration/source-connection.js';
import { SourceFailure } from '../source-failure.js';

interface TlsError {
  /** Of Node.js; it may quote the source's certificate. */
  readonly message: string;
  readonly tls: TlsSettings;
}

/** By the codes of Node.js and OpenSSL, with the setting that may help (operation 2.8.14). */
const CAUSES: readonly (readonly [pattern: RegExp, describe: (error: TlsError) => string])[] = [
  [/^CERT_HAS_EXPIRED$/, () => 'a certificate of the source, or of its authority, has expired'],
  [/^CERT_NOT_YET_VALID$/, () => 'a certificate of the source, or of its authority, is not valid yet'],
  [/^(UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT_IN_CHAIN$)/, describeUnknownAuthority],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ message }) => `the certificate of the source is for another host name (${message})`,
  ],
  [
    /^ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED$/,
    () => 'the source requires a client certificate; tls.cert and tls.key set it',
  ],
  [
    // TLS 1.2 has no alert for a missing client certificate (RFC 5246, section 7.4.6). The protocol's name depends on
    // the version of OpenSSL.
    /^ERR_SSL_(SSLV3|TLSV1|SSL\/TLS)_ALERT_HANDSHAKE_FAILURE$/,
    ({ tls }) =>
      `the source refuses the TLS handshake${tls.cert === undefined ? '; it may require a client certificate (tls.cert)' : ''}`,
  ],
  [
    /^ERR_SSL_(SSLV3|TLSV1|SSL\/TLS)_ALERT_(UNKNOWN_CA|(BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_\w+)$/,
    () => 'the source refuses the client certificate of tls.cert',
  ],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, () => 'the server does not speak TLS at this port'],
];

/** A missing intermediate certificate has the same effect as an unknown authority. */
function describeUnknownAuthority({ tls }: TlsError): string {
  const authority =
    tls.ca === undefined ? 'an authority that is not trusted' : 'another authority than those in tls.ca';
  const hint = tls.ca === undefined ? '; tls.ca names the authorities of a source' : '';
  return `the certificate of the source is from ${authority}, or an intermediate certificate is missing${hint}`;
}

/** For the operator, as far as the code states it: "CERT_HAS_EXPIRED: …". Returns any other error as it is. */
export function describeTlsFailure(error: unknown, tls: TlsSettings = {}): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  const describe = CAUSES.find(([pattern]) => pattern.test(code))?.[1];
  if (describe === undefined) return error;
  return new SourceFailure('tls', `${code}: ${describe({ message: error.message, tls })}`, { cause: error });
}
