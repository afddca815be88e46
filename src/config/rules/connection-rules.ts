import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ProxySettings, TlsSettings } from '../../model/registration/source-connection.js';
import { parseUrl } from '../../text/url.js';
import type { RegisteredSource } from '../schema/config-file.js';
import { PROXY_DESCRIPTION, readProxyUrl } from '../schema/values.js';
import type { Setting } from '../setting.js';
import type { ConfigIssue } from '../yaml/config-node.js';
import type { Environment, IncludedFileReader } from '../yaml/expand-variables.js';

/** Of feeds, each in its short form or as `url`; of the interfaces and the document. Also where a setting refuses it. */
export function listAddresses(source: Setting<RegisteredSource>): readonly URL[] {
  const feeds = source
    .at('feed')
    .items()
    .map((feed) => (feed.node?.kind === 'map' ? feed.at('url') : feed));
  return [source.at('directory'), source.at('data'), source.at('document').at('url'), ...feeds].flatMap(({ text }) => {
    const url = text === undefined ? undefined : parseUrl(text);
    return url === undefined ? [] : [url];
  });
}

/** Those of another origin than the first: credentials are sent to one origin only (decisions 8.4). */
export function findOtherOrigins<T extends string | undefined>(
  addresses: readonly Setting<T>[],
): readonly Setting<T>[] {
  const [origin, ...others] = addresses.map(({ value }) => parseUrl(value ?? '')?.origin);
  return addresses.slice(1).filter((_, at) => others[at] !== origin);
}

/** The proxies of the environment are not used: a proxy would reach its own loopback (operation 2.8.15). */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Set and not empty. */
interface ProxyVariable {
  readonly name: string;
  readonly value: string;
}

/** In lower case, else in upper case. An empty variable in lower case counts. */
function readVariable(environment: Environment, lowerCase: string): ProxyVariable | undefined {
  const name = [lowerCase, lowerCase.toUpperCase()].find((one) => environment[one] !== undefined);
  const value = name === undefined ? undefined : environment[name]?.trim();
  return name === undefined || value === undefined || value === '' ? undefined : { name, value };
}

/** As in other programs, `HOST:PORT` is an `http` URL. */
function readProxy(variable: ProxyVariable | undefined): string | undefined {
  return variable && readProxyUrl(variable.value.includes('://') ? variable.value : `http://${variable.value}`);
}

/**
 * HTTP_PROXY for `http` addresses, HTTPS_PROXY or else HTTP_PROXY for `https` addresses, NO_PROXY. Undefined if there
 * is none. A variable with another value is left out.
 */
export function readEnvironmentProxies(environment: Environment): ProxySettings | undefined {
  const http = readProxy(readVariable(environment, 'http_proxy'));
  const https = readProxy(readVariable(environment, 'https_proxy'));
  const noProxy = readVariable(environment, 'no_proxy')?.value ?? '';
  if ((http === undefined && https === undefined) || noProxy === '*') return undefined;
  return { http, https, noProxy: [noProxy, ...LOOPBACK_HOSTS].join(',') };
}

/**
 * Reports a source that would be reached through a proxy of the environment whose variable is invalid. The value may
 * contain a password and is not shown.
 */
export function checkEnvironmentProxies(source: Setting<RegisteredSource>, environment: Environment): ConfigIssue[] {
  if (source.at('proxy').isPresent) return [];
  for (const { protocol, hostname } of listAddresses(source)) {
    if (LOOPBACK_HOSTS.includes(hostname)) continue;
    const http = readVariable(environment, 'http_proxy');
    const variable = protocol === 'https:' ? (readVariable(environment, 'https_proxy') ?? http) : http;
    if (variable === undefined || readProxy(variable) !== undefined) continue;
    const message = `the environment variable ${variable.name} must be ${PROXY_DESCRIPTION}; a source with the setting proxy ignores it`;
    return source.keyIssue(message);
  }
  return [];
}

export interface TlsFiles {
  /** Of the source. */
  readonly code: string;
  readonly contents: TlsSettings;
  readonly issues: readonly ConfigIssue[];
}

/** Authorities, a client certificate and its key (operation 2.8.14). No issue contains the content of a file. */
export function readTlsFiles(source: Setting<RegisteredSource>, readFile: IncludedFileReader): TlsFiles {
  const tls = source.at('tls');
  const issues: ConfigIssue[] = [];
  const read = (
    setting: Setting<string | undefined>,
    findProblem: (pem: string) => string | undefined,
  ): string | undefined => {
    if (setting.value === undefined) return undefined;
    const found = readFile(setting.value);
    const problem = 'problem' in found ? undefined : findProblem(found.content);
    issues.push(
      ...setting.issue('problem' in found ? found.problem : problem && `the file ${setting.value} ${problem}`),
    );
    return 'problem' in found ? undefined : found.content;
  };
  const ca = read(tls.at('ca'), findCertificateProblem);
  const cert = read(tls.at('cert'), findCertificateProblem);
  const key = read(tls.at('key'), findKeyProblem);
  return {
    code: source.key,
    contents: { ca, cert, key },
    issues: issues.length > 0 ? issues : checkPair(tls, cert, key),
  };
}

/** In the order of the text. */
function listCertificates(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function findCertificateProblem(pem: string): string | undefined {
  const certificates = listCertificates(pem);
  if (certificates.length === 0) return 'contains no certificate in PEM';
  const isReadable = certificates.every((one) => findError(() => new X509Certificate(one)) === undefined);
  return isReadable ? undefined : 'contains a certificate that cannot be parsed';
}

function findKeyProblem(pem: string): string | undefined {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem))
    return 'contains an encrypted key; Rollcall has no setting for its passphrase';
  return findError(() => createPrivateKey(pem)) && 'contains no private key in PEM that can be parsed';
}

/** A client certificate needs its key, and both must belong together. */
function checkPair(tls: Setting<RegisteredSource['tls']>, cert?: string, key?: string): ConfigIssue[] {
  if (cert === undefined && key === undefined) return [];
  if (cert === undefined) return tls.at('key').keyIssue('needs cert, the certificate of the key');
  if (key === undefined) return tls.at('cert').keyIssue('needs key, the private key of the certificate');
  const [leaf = ''] = listCertificates(cert);
  if (!new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key))) {
    const names = { key: String(tls.at('key').value), cert: String(tls.at('cert').value) };
    return tls.at('key').keyIssue(`the file ${names.key} is not the key of the certificate in ${names.cert}`);
  }
  // Such as a key that is too short for OpenSSL.
  const error = findError(() => createSecureContext({ cert, key }));
  return tls.at('cert').keyIssue(error && `the certificate or its key cannot be used: ${error}`);
}

/** The code of the error that is thrown. */
function findError(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  }
}
