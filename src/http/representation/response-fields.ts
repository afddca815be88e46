import { TEXT_SCHEMA } from '../../model/schema/json-schema.js';
import type { JsonSchema } from '../../model/schema/json-schema.js';

/**
 * Responses that have a field: pages of a `list`, a single `item`, a `search` besides those of a list, a list that rests on no
 * source (`reference`), a 304 (`not-modified`), every `error`, one that rests on
 * sources (`source-error`), one of these statuses, those that state when to `retry`, the 508 of a `loop`, those of a format
 * saved as a `file`, and those to a client with a `limited` rate.
 */
export type ResponseKind =
  | 'list'
  | 'item'
  | 'search'
  | 'reference'
  | 'not-modified'
  | 'error'
  | 'source-error'
  | 'unauthorized'
  | 'method-not-allowed'
  | 'retry'
  | 'loop'
  | 'file'
  | 'limited';

/** Scripts in a browser may read the field (decisions 2.37). */
export interface ResponseField {
  readonly name: string;
  /** For the description of the interfaces (decisions 2.42). */
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: string;
  /** Always, or under the conditions that the description states. */
  readonly on: readonly ResponseKind[];
  /** Each of these responses has the field. */
  readonly always: boolean;
}

const DATA = ['list', 'item', 'not-modified'] as const;
const EVERY = [...DATA, 'reference', 'error'] as const;

/** In the order of `Access-Control-Expose-Headers`. */
export const responseFields: readonly ResponseField[] = [
  {
    name: 'X-Total-Count',
    description: 'Number of matches.',
    schema: { type: 'integer', minimum: 0 },
    example: '42',
    on: ['list', 'reference', 'not-modified'],
    always: false,
  },
  {
    name: 'Did-You-Mean',
    description:
      'The searched text with its misspelled words as the records spell them (a Display String of RFC 9651).',
    schema: TEXT_SCHEMA,
    example: '%"thorsvik health"',
    on: ['search', 'not-modified'],
    always: false,
  },
  {
    name: 'X-Version',
    description: 'Version of the interface.',
    schema: TEXT_SCHEMA,
    example: '1.0',
    on: ['list', 'item', 'reference', 'error'],
    always: true,
  },
  {
    name: 'Link',
    description:
      'Addresses of the `first`, `prev`, `next` and `last` page of a list, and of the description of the interfaces (`service-desc`, `service-doc`; RFC 8288, RFC 8631).',
    schema: TEXT_SCHEMA,
    example: '</openapi.json>; rel="service-desc"',
    on: EVERY,
    always: true,
  },
  {
    name: 'Last-Modified',
    description:
      'Time of the last change of the list; only in a complete and fresh response, where a date is known and its second has passed.',
    schema: TEXT_SCHEMA,
    example: 'Wed, 30 Sep 2026 20:00:00 GMT',
    on: ['list', 'item'],
    always: false,
  },
  {
    name: 'ETag',
    description: 'Strong entity tag, for `If-None-Match`; absent from a partial response.',
    schema: TEXT_SCHEMA,
    example: '"wqkHGnOoYFUS6y0RhsD0Rw"',
    on: [...DATA, 'reference'],
    always: false,
  },
  {
    name: 'Content-Disposition',
    description: 'Name of the file; it says whether the response is stale or partial.',
    schema: TEXT_SCHEMA,
    example: 'attachment; filename="teams.csv"',
    on: ['file'],
    always: true,
  },
  {
    name: 'Source-Status',
    description:
      'What each source contributed (RFC 9651): `state`, `reason`, number of `records`, `age` of its snapshot in seconds.',
    schema: TEXT_SCHEMA,
    example: 'harbour;state=fresh;records=120;age=12, attic;state=stale;reason=timeout;records=83;age=540',
    on: [...DATA, 'source-error'],
    always: true,
  },
  {
    name: 'Preference-Applied',
    description: 'The preferences of `Prefer` that were applied.',
    schema: TEXT_SCHEMA,
    example: 'handling=strict',
    on: [...DATA, 'error'],
    always: false,
  },
  {
    name: 'Cache-Control',
    description:
      'How long the response may be cached; `no-cache` if it is stale, `no-store` if it is partial or an error.',
    schema: TEXT_SCHEMA,
    example: 'public, max-age=48, stale-while-revalidate=48',
    on: EVERY,
    always: true,
  },
  {
    name: 'Cache-Status',
    description: 'Whether the sources were queried for the response (RFC 9211).',
    schema: TEXT_SCHEMA,
    example: 'rollcall; hit; ttl=48',
    on: [...DATA, 'source-error'],
    always: true,
  },
  {
    name: 'Via',
    description: 'The gateways that the records came through, this one last.',
    schema: TEXT_SCHEMA,
    example: '1.1 rollcall-3f2a91bc',
    on: [...DATA, 'source-error', 'loop'],
    always: true,
  },
  {
    name: 'Vary',
    description: 'The request fields on which the response depends.',
    schema: TEXT_SCHEMA,
    example: 'Accept, Accept-Encoding, Prefer',
    on: EVERY,
    always: true,
  },
  {
    name: 'Allow',
    description: 'The supported methods.',
    schema: TEXT_SCHEMA,
    example: 'GET, HEAD, OPTIONS',
    on: ['method-not-allowed'],
    always: true,
  },
  {
    name: 'WWW-Authenticate',
    description: 'Which credentials are needed, or that those of the request are refused.',
    schema: TEXT_SCHEMA,
    example: 'Bearer error="invalid_token"',
    on: ['unauthorized'],
    always: true,
  },
  {
    name: 'Retry-After',
    description: 'Seconds until requests are admitted again, on 429; or until keys can be read again, on 503.',
    schema: { type: 'integer', minimum: 1 },
    example: '31',
    on: ['retry'],
    always: false,
  },
  {
    name: 'RateLimit-Policy',
    description: 'The rate limit of the client: requests `q` in a window of `w` seconds.',
    schema: TEXT_SCHEMA,
    example: '"client";q=600;w=60',
    on: ['limited'],
    always: false,
  },
  {
    name: 'RateLimit',
    description: 'What is left of the rate limit: requests `r` in the next `t` seconds.',
    schema: TEXT_SCHEMA,
    example: '"client";r=12;t=31',
    on: ['limited'],
    always: false,
  },
  {
    name: 'X-Request-Id',
    description: 'Id of the request: that of its own `X-Request-Id`, or a new one.',
    schema: TEXT_SCHEMA,
    example: 'b7f3f2a0-6f0e-4c52-9c3a-2f6b7d1c9f3e',
    on: EVERY,
    always: true,
  },
];

/** Scripts in a browser may send the field. */
interface RequestField {
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

/** In the order of `Access-Control-Allow-Headers`. */
export const requestFields: readonly RequestField[] = [
  {
    name: 'Authorization',
    description: 'A bearer credential: the key of a client, or a token of the issuer.',
    example: 'Bearer …',
  },
  {
    name: 'Prefer',
    description:
      'Preferences (RFC 7240). `handling=strict`: every response that is partial or stale is an error. `handling=lenient`: a partial response without a match is an empty list instead of an error. `private`: nothing that depends on the query is sent to a source.',
    example: 'handling=strict',
  },
  {
    name: 'If-None-Match',
    description: 'Entity tags that the client has; the response is a 304 if one of them is current.',
    example: '"wqkHGnOoYFUS6y0RhsD0Rw"',
  },
  {
    name: 'If-Modified-Since',
    description: 'Last-Modified that the client has; the response is a 304 if it is still that of the list.',
    example: 'Wed, 30 Sep 2026 20:00:00 GMT',
  },
  {
    name: 'X-Request-Id',
    description: 'Id of the request, for the logs: 1 to 128 letters, digits and characters of `._~+/=-`.',
    example: 'search-17',
  },
  {
    name: 'traceparent',
    description: 'Trace context of the client (W3C Trace Context).',
    example: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  },
  { name: 'tracestate', description: 'Further trace context of the client.', example: 'vendor=value' },
];
