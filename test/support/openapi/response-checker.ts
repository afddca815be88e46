import type { GatewayResponse } from '../gateway/test-gateway.js';
import { valueAt } from './read-description.js';
import type { Description } from './read-description.js';
import type { SchemaValidator } from './schema-validator.js';

/** Fields of HTTP, of browsers' security and of CORS, which no response of the description names. */
const GENERAL_FIELDS = new Set([
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]);

/** A response, and the path and query of its request. */
export interface CheckedResponse {
  readonly target: string;
  readonly response: GatewayResponse;
}

/**
 * Compares a response with its description: its status, header fields and media type, and the schemas of these fields and
 * of a body in JSON. Returns what differs.
 */
export function findDifferences(
  description: Description,
  validator: SchemaValidator,
  { target, response }: CheckedResponse,
): readonly string[] {
  const { status, headers, text } = response;
  const path = description.findPath(target.split('?')[0] ?? '');
  if (path === undefined) return [`${target}: no path`];
  if (!description.statusesOf(path).includes(String(status))) return [`${target}: the status ${status}`];
  const schemas = description.headerSchemas(path, status);
  const fields = [...headers].flatMap(([name, value]) => {
    if (GENERAL_FIELDS.has(name)) return [];
    const pointer = schemas.get(name);
    if (pointer === undefined) return [`the field ${name}`];
    const isNumber = valueAt(description.at(pointer), 'type') === 'integer';
    return validator.findErrors(pointer, isNumber ? Number(value) : value);
  });
  const missing = description.requiredHeaders(path, status).filter((name) => !headers.has(name));
  const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
  const isDescribed = text === '' || description.mediaTypesOf(path, String(status)).includes(mediaType);
  const body =
    mediaType === 'application/json' && isDescribed
      ? validator.findErrors(description.schemaPointer(path, status, mediaType), response.json)
      : [];
  return [
    ...fields,
    ...missing.map((name) => `no field ${name}`),
    ...(isDescribed ? [] : [`the media type ${mediaType}`]),
    ...body,
  ].map((difference) => `${target}: ${status}: ${difference}`);
}
