import { removeParameter, replaceParameter } from '../../text/url.js';
import type { SourceCredential } from '../../model/registration/source-credential.js';
import type { HttpRequest, HttpResponse, Layer } from './http-client-types.js';

/**
 * Adds a credential to each request (operation 2.8.12). Directly above the transport, so that redirects within the
 * origin carry it, and no layer above has a URL or header field with it.
 */
export function withCredentials(credential: SourceCredential): Layer<HttpResponse> {
  return (next) => (request, signal) => {
    const response = next(addCredential(request, credential), signal);
    return credential.kind === 'query'
      ? response.then((received) => new ResponseWithoutParameter(received, credential.name))
      : response;
  };
}

/** Drops the credential's parameter, which the source may have repeated, from Location. */
class ResponseWithoutParameter implements HttpResponse {
  readonly status: number;

  constructor(
    private readonly response: HttpResponse,
    private readonly parameter: string,
  ) {
    this.status = response.status;
  }

  header(name: string): string | undefined {
    const value = this.response.header(name);
    return name === 'location' && value !== undefined ? removeParameter(value, this.parameter) : value;
  }

  readBytes(most: number): Promise<Buffer> {
    return this.response.readBytes(most);
  }

  discard(): Promise<void> {
    return this.response.discard();
  }
}

function addCredential({ url, headers }: HttpRequest, credential: SourceCredential): HttpRequest {
  switch (credential.kind) {
    case 'bearer':
      return { url, headers: { ...headers, authorization: `Bearer ${credential.token}` } };
    case 'basic':
      return { url, headers: { ...headers, authorization: `Basic ${encodeBase64(credential.userPassword)}` } };
    case 'header':
      return { url, headers: { ...headers, [credential.name]: credential.value } };
    case 'query':
      return { url: replaceParameter(url, credential.name, credential.value), headers };
  }
}

/** RFC 7617, section 2.1. */
function encodeBase64(userPassword: string): string {
  return Buffer.from(userPassword, 'utf8').toString('base64');
}

const REDACTED = '[redacted]';

/** Of a secret's beginning, replaced at the end of a text that may be cut off. */
const MIN_BEGINNING = 4;

/**
 * Replaces secrets in plain form or percent-encoded (decisions 8.4), at the end of a text also their beginnings. A
 * source may repeat what it received in a redirect or an error.
 */
export function createRedaction(credential: SourceCredential): (text: string) => string {
  // The longest first: one may contain another.
  const secrets = listSecrets(credential)
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);
  const pattern = new RegExp(secrets.map(matchEncoded).join('|'), 'gu');
  return (text) => secrets.reduce(redactBeginning, text.replace(pattern, REDACTED));
}

/** As a request contains them. */
function listSecrets(credential: SourceCredential): readonly string[] {
  switch (credential.kind) {
    case 'bearer':
      return [credential.token];
    case 'basic': {
      const { userPassword } = credential;
      return [userPassword.slice(userPassword.indexOf(':') + 1), encodeBase64(userPassword)];
    }
    case 'header':
      // `Token abc`: a source may repeat the token alone.
      return [credential.value, credential.value.slice(credential.value.lastIndexOf(' ') + 1)];
    case 'query':
      return [credential.value];
  }
}

/** Each character may be percent-encoded, as UTF-8 with digits in any case. */
function matchEncoded(text: string): string {
  return Array.from(text, (character) => {
    const bytes = Array.from(Buffer.from(character, 'utf8'), matchByte).join('');
    const plain = `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    return `(?:${bytes}|${plain}${character === ' ' ? '|\\+' : ''})`;
  }).join('');
}

function matchByte(byte: number): string {
  const digits = byte.toString(16).padStart(2, '0');
  return `%${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
}

function redactBeginning(text: string, secret: string): string {
  for (const form of [secret, encodeURIComponent(secret)]) {
    for (let length = Math.min(form.length - 1, text.length); length >= MIN_BEGINNING; length -= 1) {
      if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${REDACTED}`;
    }
  }
  return text;
}
