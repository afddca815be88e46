import { describe, expect, test } from 'vitest';
import { SourceFailure, asFailure } from '../../../src/source/client/source-failure.js';

function errorWithCode(code: string): Error {
  return Object.assign(new Error(`what ${code} says`), { code });
}

describe('asFailure', () => {
  test.each([
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['EAI_FAIL', 'dns'],
    ['ENODATA', 'dns'],
    ['ESERVFAIL', 'dns'],
    ['ECONNREFUSED', 'connect'],
    ['ECONNRESET', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
    ['EPIPE', 'connect'],
    ['UND_ERR_SOCKET', 'connect'],
    ['ETIMEDOUT', 'timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'timeout'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    ['UND_ERR_HEADERS_OVERFLOW', 'size'],
    ['HPE_HEADER_OVERFLOW', 'size'],
    ['HPE_INVALID_CONSTANT', 'body'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'body'],
    ['Z_DATA_ERROR', 'body'],
    ['Z_BUF_ERROR', 'body'],
    ['ERR__ERROR_FORMAT_PADDING_1', 'body'],
    ['ERR_BROTLI_DECOMPRESSION_FAILED', 'body'],
    ['UND_ERR_DESTROYED', 'internal'],
    ['ERR_INVALID_ARG_TYPE', 'internal'],
    ['', 'internal'],
  ])('maps the code %s to the reason %s', (code, reason) => {
    expect(asFailure(errorWithCode(code)).reason).toBe(reason);
  });

  test('returns a SourceFailure unchanged', () => {
    const failure = new SourceFailure('redirect', 'a redirect to another origin');
    expect(asFailure(failure)).toBe(failure);
  });

  test('maps an aborted request to the reason timeout, whatever aborted it', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(asFailure(controller.signal.reason).reason).toBe('timeout');
    const timeout = AbortSignal.timeout(0);
    await new Promise((resolve) => timeout.addEventListener('abort', resolve));
    expect(asFailure(timeout.reason).reason).toBe('timeout');
  });

  test('includes code and message of the error, and keeps it as the cause', () => {
    const error = errorWithCode('ECONNREFUSED');
    const failure = asFailure(error);
    expect(failure.message).toBe('ECONNREFUSED: what ECONNREFUSED says');
    expect(failure.cause).toBe(error);
    expect(failure.name).toBe('SourceFailure');
  });

  test.each([
    ['text', 'text'],
    [undefined, 'undefined'],
    [7, '7'],
    [{ code: 'ECONNREFUSED' }, '[object Object]'],
  ])('maps %j, which is not an error, to the reason internal', (thrown, message) => {
    expect(asFailure(thrown)).toMatchObject({ reason: 'internal', message });
  });

  test('ignores a code that is not a string', () => {
    expect(asFailure(Object.assign(new Error('odd'), { code: 23 }))).toMatchObject({
      reason: 'internal',
      message: 'odd',
    });
  });
});
