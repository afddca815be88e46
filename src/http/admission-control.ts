import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../access/authenticator.js';
import { createClientAddressReader } from '../access/client-address.js';
import type { ClientAddressReader } from '../access/client-address.js';
import type { Authentication, Client } from '../access/authenticated-client.js';
import { createRateLimits } from '../access/rate-limits.js';
import type { RateLimits } from '../access/rate-limits.js';
import type { RateLimitStore } from '../access/request-counters.js';
import type { ServerConfig } from '../config/config.js';
import type { Publish } from '../events/event.js';
import type { Problem } from '../model/error-catalogue.js';
import type { HeaderFields } from './representation/validators.js';

/** Admitted, with the authenticated client, or refused with an error (decisions 8.1, 8.9). */
export type Admission =
  | { readonly state: 'admitted'; readonly client?: Client; readonly headers: HeaderFields }
  | {
      readonly state: 'refused';
      readonly problem: Problem;
      readonly headers: HeaderFields;
      /** For the log line of the request. */
      readonly logFields: Readonly<Record<string, string>>;
    };

/** Verifies credentials and counts requests against the rate limits. */
export interface AdmissionControl {
  /** Decides at once where nothing has to be waited for. Never rejects. */
  admit(request: IncomingMessage): Admission | Promise<Admission>;
}

interface AdmissionControlDependencies {
  /** Undefined: Authorization is ignored. */
  readonly authenticator: Authenticator | undefined;
  readonly server: Pick<ServerConfig, 'trustProxy' | 'limits'>;
  readonly publish: Publish;
  /** Counts for all instances. Absent: this process counts by itself. */
  readonly rateLimitStore?: RateLimitStore | undefined;
}

/** Undefined where neither access nor a rate limit is configured. */
export function createAdmissionControl(dependencies: AdmissionControlDependencies): AdmissionControl | undefined {
  const { authenticator, server, publish, rateLimitStore: store } = dependencies;
  const { rate } = server.limits;
  if (authenticator === undefined && rate === undefined) return undefined;
  const limiter: RequestLimiter = {
    rateLimits: createRateLimits({ address: rate, store }),
    readClientAddress: createClientAddressReader(server.trustProxy),
    publish,
  };
  return {
    admit: (request) => {
      const authentication = authenticator?.authenticate(readAuthorization(request)) ?? ANONYMOUS;
      return authentication instanceof Promise
        ? authentication.then((result) => decide(request, result, limiter))
        : decide(request, authentication, limiter);
    },
  };
}

/** node:http drops every repeated Authorization field from `headers`, and the first may not be the client's. */
function readAuthorization({
  headers,
  headersDistinct,
}: Pick<IncomingMessage, 'headers' | 'headersDistinct'>): readonly string[] {
  return headers.authorization === undefined ? [] : (headersDistinct['authorization'] ?? []);
}

const ANONYMOUS: Authentication = { state: 'anonymous' };

interface RequestLimiter {
  readonly rateLimits: RateLimits;
  readonly readClientAddress: ClientAddressReader;
  readonly publish: Publish;
}

function decide(
  request: IncomingMessage,
  authentication: Authentication,
  limiter: RequestLimiter,
): Admission | Promise<Admission> {
  const { rateLimits, readClientAddress, publish } = limiter;
  // A refused credential counts against the address, so that keys cannot be tried without limit.
  const counted = rateLimits.consume(
    authentication.state === 'authenticated'
      ? { limit: 'client', client: authentication.client }
      : { limit: 'address', address: readClientAddress(request) },
  );
  const toCountedAdmission = (headers: HeaderFields): Admission => {
    reportAuthentication(publish, authentication);
    return toAdmission(authentication, headers);
  };
  if (counted === undefined) return toCountedAdmission({});
  return counted.then(({ limit, isAdmitted, headers }) => {
    if (isAdmitted) return toCountedAdmission(headers);
    publish({ type: 'rate limit exceeded', limit });
    return { state: 'refused', problem: RATE_LIMITED, headers, logFields: readLogFields(authentication) };
  });
}

function reportAuthentication(publish: Publish, authentication: Authentication): void {
  const { state } = authentication;
  if (state === 'invalid') publish({ type: 'credential rejected', reason: authentication.reason });
  if (state === 'unavailable') publish({ type: 'credential rejected', reason: state });
  if (state !== 'authenticated') return;
  const { name, credential, access } = authentication.client;
  publish({ type: 'client authenticated', client: name, credential, level: access });
}

const RATE_LIMITED: Problem = { kind: 'rate-limited', message: 'too many requests; try again later' };

/** The same for every refused credential: a client learns nothing about the configured ones. */
const INVALID_CREDENTIAL: Problem = {
  kind: 'unauthorized',
  message: 'the credentials of the request are malformed, unknown or expired',
};

const ISSUER_UNAVAILABLE: Problem = {
  kind: 'issuer-unavailable',
  message: 'the token cannot be verified now, because the keys of its issuer cannot be fetched',
};

function toAdmission(authentication: Authentication, rateHeaders: HeaderFields): Admission {
  if (authentication.state === 'invalid') {
    const headers = { ...rateHeaders, 'WWW-Authenticate': 'Bearer error="invalid_token"' };
    return { state: 'refused', problem: INVALID_CREDENTIAL, headers, logFields: readLogFields(authentication) };
  }
  if (authentication.state === 'unavailable')
    return {
      state: 'refused',
      problem: ISSUER_UNAVAILABLE,
      headers: rateHeaders,
      logFields: readLogFields(authentication),
    };
  if (authentication.state === 'anonymous') return { state: 'admitted', headers: {} };
  return { state: 'admitted', client: authentication.client, headers: rateHeaders };
}

/** About the credentials of a refused request (operation 5.2). */
function readLogFields(authentication: Authentication): Readonly<Record<string, string>> {
  if (authentication.state === 'authenticated') return { client: authentication.client.name };
  if (authentication.state === 'unavailable') return { credential: authentication.state };
  if (authentication.state !== 'invalid') return {};
  const { reason, client, detail } = authentication;
  return { credential: reason, ...(client !== undefined && { client }), ...(detail !== undefined && { detail }) };
}
