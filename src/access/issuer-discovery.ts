import { parseUrl } from '../text/url.js';
import { IssuerEndpoint, isWithin } from './issuer-endpoint.js';
import type { AccessDependencies } from './issuer-endpoint.js';

/** Milliseconds (operation 2.6.3). */
export const DOCUMENT_LIFETIME = 10 * 60_000;

/** Milliseconds after a failure in which a missing document is not requested again. */
export const RETRY_DELAY = 10_000;

/** Finds the key set of an issuer by OpenID Connect Discovery 1.0, section 4. */
export class IssuerDiscovery {
  private readonly endpoint: IssuerEndpoint;
  private found: { readonly keySetUrl: URL; readonly at: number } | undefined;
  private pending: Promise<URL> | undefined;

  /** `issuer`: a valid URL. */
  constructor(
    private readonly issuer: string,
    private readonly dependencies: AccessDependencies,
  ) {
    // Section 4.1: a slash at the end of the issuer identifier is removed first.
    const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    this.endpoint = new IssuerEndpoint(url, dependencies);
  }

  /** Concurrent calls share one request. Rejects with IssuerUnavailable. */
  async findKeySetUrl(): Promise<URL> {
    const found = this.found;
    if (found !== undefined && isWithin(found.at, DOCUMENT_LIFETIME, this.dependencies.clock)) return found.keySetUrl;
    this.pending ??= this.fetch().finally(() => {
      this.pending = undefined;
    });
    return this.pending;
  }

  private async fetch(): Promise<URL> {
    const keySetUrl = await this.endpoint.fetchDocument(
      (document) => readKeySetUrl(document, this.issuer),
      RETRY_DELAY,
    );
    this.found = { keySetUrl, at: this.dependencies.clock.now() };
    return keySetUrl;
  }
}

/** Returns `jwks_uri`. Throws where the document is not the issuer's or has no such address. */
function readKeySetUrl(document: unknown, issuer: string): URL {
  if (typeof document !== 'object' || document === null) throw new Error('not an object');
  if (!('issuer' in document) || document.issuer !== issuer) throw new Error('issuer is not the configured url');
  const text = 'jwks_uri' in document ? document.jwks_uri : undefined;
  const url = typeof text === 'string' ? parseUrl(text) : undefined;
  const protocols = issuer.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (url === undefined || !protocols.includes(url.protocol)) {
    throw new Error(`jwks_uri is not a URL with ${protocols.join(' or ')}`);
  }
  return url;
}
