import { describe, expect, test } from 'vitest';
import { SourceFailure, asFailure } from '../../../src/source/client/source-failure.js';

function coded(code: string): Error {
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
  ])('takes the code %s for the reason %s', (code, reason) => {
    expect(asFailure(coded(code)).reason).toBe(reason);
  });

  test('keeps a failure that already has its reason', () => {
    const failure = new SourceFailure('redirect', 'a redirect to another origin');
    expect(asFailure(failure)).toBe(failure);
  });

  test('takes an aborted request for one that was out of time, whoever aborted it', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(asFailure(controller.signal.reason).reason).toBe('timeout');
    const timeout = AbortSignal.timeout(0);
    await new Promise((resolve) => timeout.addEventListener('abort', resolve));
    expect(asFailure(timeout.reason).reason).toBe('timeout');
  });

  test('tells the operator the code and the message, and keeps the cause', () => {
    const error = coded('ECONNREFUSED');
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
  ])('takes %j, which is no error, for a fault of this house', (thrown, message) => {
    expect(asFailure(thrown)).toMatchObject({ reason: 'internal', message });
  });

  test('does not mind a code that is no text', () => {
    expect(asFailure(Object.assign(new Error('odd'), { code: 23 }))).toMatchObject({
      reason: 'internal',
      message: 'odd',
    });
  });
});
