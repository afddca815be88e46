import { describe, expect, it } from 'vitest';
import {
  parseAdminResponse,
  parsePrimaryRequest,
  parseWorkerRequest,
  parseWorkerSettings,
  readUnreadiness,
} from '../../../../src/cli/serve/workers/worker-messages.js';

const texts = {
  text: 'sources: {}',
  included: new Map([
    ['key.pem', { content: 'x' }],
    ['none', { problem: 'missing' }],
  ]),
};
const request = {
  ...{ method: 'post', route: '/sources/:code/refresh', query: 'a=b', accept: '', isCrossSite: false },
  pathParameters: { code: 'one' },
};

describe('messages between the primary process and its workers', () => {
  it.each([
    { type: 'prepare', number: 1, texts },
    { type: 'commit', number: 1 },
    { type: 'abandon', number: 1 },
    { type: 'metrics' },
    { type: 'operate', request },
  ])('the worker reads $type', (message) => {
    expect(parseWorkerRequest(structuredClone(message))).toEqual(message);
  });

  it.each([{ type: 'settings' }, { type: 'opened', url: 'http://127.0.0.1:1' }, { type: 'failed', message: 'x' }])(
    'the primary process reads $type',
    (message) => {
      expect(parsePrimaryRequest(structuredClone(message))).toEqual(message);
    },
  );

  it('the worker reads what it starts with', () => {
    const settings = { worker: 2, file: 'rollcall.yaml', texts, unnamedGateway: 'rollcall-1', isTerminal: false };
    expect(parseWorkerSettings(structuredClone(settings))).toEqual(settings);
  });

  it.each([
    undefined,
    [],
    {},
    { type: 'end' },
    { type: 'commit' },
    { type: 'abandon' },
    { type: 'prepare', number: 1 },
    { type: 'prepare', texts },
    { type: 'prepare', number: 1, texts: { text: 1, included: new Map() } },
    { type: 'prepare', number: 1, texts: { text: '', included: new Map([['a', {}]]) } },
    { type: 'operate', request: { ...request, method: 'delete' } },
    { type: 'operate', request: { ...request, pathParameters: { code: 1 } } },
  ])('the worker refuses %j', (message) => {
    expect(() => parseWorkerRequest(message)).toThrow('invalid message');
  });

  it.each([undefined, { type: 'opened' }, { type: 'failed' }, { type: 'commit' }])(
    'the primary process refuses %j',
    (message) => {
      expect(() => parsePrimaryRequest(message)).toThrow('invalid message');
    },
  );

  it('a response to the operator is copied property by property', () => {
    const response = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'ready\n', more: 1 };
    expect(parseAdminResponse(response)).toEqual({ status: 200, headers: response.headers, body: 'ready\n' });
  });

  it('the reasons of /readyz are its lines after the first', () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect(readUnreadiness({ status: 200, headers, body: 'ready\n' })).toBeUndefined();
    expect(readUnreadiness({ status: 503, headers, body: 'not ready\n' })).toEqual([]);
    expect(readUnreadiness({ status: 503, headers, body: 'not ready\nnews: a\nnews: b\n' })).toEqual([
      'news: a',
      'news: b',
    ]);
  });
});
