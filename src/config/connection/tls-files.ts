import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { TlsSettings } from '../../model/registration/source-connection.js';
import { readField } from '../located-value.js';
import type { LocatedValue } from '../located-value.js';
import { file } from '../schema/value-types.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { keyOffsetOf } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';
import type { IncludedFileReader } from '../yaml/expand-variables.js';

export interface TlsFiles {
  readonly contents: Pick<TlsSettings, 'ca' | 'cert' | 'key'>;
  readonly issues: readonly ConfigIssue[];
}

/** Authorities, a client certificate and its key (operation 2.8.14). No issue contains the content of a file. */
export function readTlsFiles(root: ConfigNode, source: ConfigPath, readFile: IncludedFileReader): TlsFiles {
  const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => {
    const [named] = readField(root, [...source, 'tls', name], file.optional());
    return named?.value === undefined ? undefined : readPem({ ...named, value: named.value }, readFile);
  });
  const contents = { ca: ca?.content, cert: cert?.content, key: key?.content };
  const issues = [
    ...checkContent(ca, findCertificateProblem),
    ...checkContent(cert, findCertificateProblem),
    ...checkContent(key, findKeyProblem),
  ];
  if (issues.length > 0) return { contents, issues };
  return { contents, issues: checkPair(root, [...source, 'tls'], { cert, key }) };
}

/** `content` is undefined where the file cannot be read. */
interface PemFile {
  readonly setting: LocatedValue<string>;
  readonly content: string | undefined;
  readonly problem: string | undefined;
}

function readPem(setting: LocatedValue<string>, readFile: IncludedFileReader): PemFile {
  const found = readFile(setting.value);
  return 'content' in found
    ? { setting, content: found.content, problem: undefined }
    : { setting, content: undefined, problem: found.problem };
}

function checkContent(found: PemFile | undefined, findProblem: (pem: string) => string | undefined): ConfigIssue[] {
  if (found === undefined) return [];
  const { setting, content = '' } = found;
  const problem = findProblem(content);
  const message = found.problem ?? (problem === undefined ? undefined : `the file ${setting.value} ${problem}`);
  return message === undefined ? [] : [{ path: setting.path, offset: setting.offset, message }];
}

/** In the order of the text. */
function listCertificates(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function findCertificateProblem(pem: string): string | undefined {
  const certificates = listCertificates(pem);
  if (certificates.length === 0) return 'contains no certificate in PEM';
  try {
    for (const one of certificates) new X509Certificate(one);
    return undefined;
  } catch {
    return 'contains a certificate that cannot be parsed';
  }
}

function findKeyProblem(pem: string): string | undefined {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem))
    return 'contains an encrypted key; Rollcall has no setting for its passphrase';
  try {
    createPrivateKey(pem);
    return undefined;
  } catch {
    return 'contains no private key in PEM that can be parsed';
  }
}

/** A client certificate needs its key, and both must belong together. */
function checkPair(
  root: ConfigNode,
  tls: ConfigPath,
  { cert, key }: { readonly cert: PemFile | undefined; readonly key: PemFile | undefined },
): ConfigIssue[] {
  const issue = (name: string, message: string): ConfigIssue[] => {
    const path = [...tls, name];
    return [{ path, offset: keyOffsetOf(root, path), message }];
  };
  if (cert?.content === undefined)
    return key === undefined ? [] : issue('key', 'needs cert, the certificate of the key');
  if (key?.content === undefined) return issue('cert', 'needs key, the private key of the certificate');
  const [leaf = ''] = listCertificates(cert.content);
  if (!new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key.content)))
    return issue('key', `the file ${key.setting.value} is not the key of the certificate in ${cert.setting.value}`);
  try {
    createSecureContext({ cert: cert.content, key: key.content });
    return [];
  } catch (error) {
    // Such as a key that is too short for OpenSSL.
    return issue('cert', `the certificate or its key cannot be used: ${codeOf(error)}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
