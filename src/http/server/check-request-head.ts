import type { IncomingMessage } from 'node:http';
import type { Problem } from '../../model/error-catalogue.js';

/** Host and optional port (RFC 9110, section 7.2); empty for a target without an authority. */
const HOST_FIELD = /^(?:\[[\da-f:.]+\]|[\w!$%&'()*+,;=.~-]*)(?::\d{0,5})?$/i;

/** node:http passes on the first thousand only, but frames the body by all (decisions 7.18, decision record 0013). */
const MAX_FIELDS = 500;

const UNSUPPORTED_TRANSFER_CODING: Problem = {
  kind: 'not-implemented',
  message: 'the only supported transfer coding is chunked',
};

/**
 * Whatever the target: HTTP/1.1 or HTTP/1.0; at most 500 fields; exactly one valid Host, which HTTP/1.0 may omit (RFC
 * 9112, section 3.2); no transfer coding but `chunked`, and none in HTTP/1.0 (RFC 9112, section 6.1); no expectation
 * but `100-continue`. Undefined for a valid head.
 */
export function checkRequestHead({
  httpVersion,
  httpVersionMajor,
  headers,
  rawHeaders,
}: IncomingMessage): Problem | undefined {
  if (httpVersionMajor !== 1) {
    return { kind: 'version-not-supported', message: 'the only supported HTTP versions are 1.1 and 1.0' };
  }
  if (rawHeaders.length > 2 * MAX_FIELDS) {
    return { kind: 'head-too-long', message: `the request's head has more than ${MAX_FIELDS} fields` };
  }
  const hosts = countFields(rawHeaders, 'host');
  if (hosts === 0 && httpVersion === '1.1') return createBadRequest('the request has no Host header');
  if (hosts > 1) return createBadRequest('the request has more than one Host header');
  if (headers.host !== undefined && !HOST_FIELD.test(headers.host))
    return createBadRequest('the Host header is not valid');
  const coding = headers['transfer-encoding'];
  // node:http has removed spaces and tabs. JavaScript's trim() would also remove characters that are not white space in
  // HTTP.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return UNSUPPORTED_TRANSFER_CODING;
  if (coding !== undefined && httpVersion === '1.0') return createBadRequest('HTTP/1.0 has no transfer codings');
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  return { kind: 'expectation-failed', message: 'the only supported expectation is 100-continue' };
}

function createBadRequest(message: string): Problem {
  return { kind: 'bad-request', message };
}

/** In the raw head: of several Host fields, node:http keeps only the first. */
function countFields(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? '';
    if (field.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}
