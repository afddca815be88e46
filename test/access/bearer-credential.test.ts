import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { MAX_BEARER_TOKEN_LENGTH, isBearerToken, readBearerCredential } from '../../src/access/bearer-credential.js';
import { rawRequest } from '../support/http/raw-http.js';

describe('readBearerCredential', () => {
  it('reads no field as anonymous', () => {
    expect(readBearerCredential([])).toEqual({ state: 'anonymous' });
  });

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc', 'abc'],
    ['Bearer rck_a-b.c~d+e/f==', 'rck_a-b.c~d+e/f=='],
    [`Bearer ${'a'.repeat(MAX_BEARER_TOKEN_LENGTH)}`, 'a'.repeat(MAX_BEARER_TOKEN_LENGTH)],
  ])('reads the token of %j', (field, token) => {
    expect(readBearerCredential([field])).toEqual({ state: 'present', token });
  });

  it.each([
    ['an empty field', ['']],
    ['spaces', ['  ']],
    ['a scheme without a token', ['Bearer']],
    ['a scheme with spaces only', ['Bearer ']],
    ['a token without a scheme', ['abc']],
    ['the scheme Basic', ['Basic dXNlcjpwYXNz']],
    ['the scheme DPoP', ['DPoP abc']],
    ['a scheme that begins like Bearer', ['Bearertoken abc']],
    ['a space before the scheme', [' Bearer abc']],
    ['a tab after the scheme', ['Bearer\tabc']],
    ['a space after the token', ['Bearer abc ']],
    ['several tokens', ['Bearer abc def']],
    ['a list of tokens', ['Bearer abc, Bearer def']],
    ['parameters', ['Bearer realm="x"']],
    ['a line break in the token', ['Bearer abc\r\nX: y']],
    ['a line break after the token', ['Bearer abc\n']],
    ['a null character', ['Bearer a\0b']],
    ['a control character', ['Bearer a\x7fb']],
    ['a letter outside ASCII', ['Bearer clé']],
    ['an equals sign within the token', ['Bearer a=b']],
    ['only equals signs', ['Bearer ==']],
    ['a token that is too long', [`Bearer ${'a'.repeat(MAX_BEARER_TOKEN_LENGTH + 1)}`]],
    ['a huge number of spaces', [`Bearer${' '.repeat(1_000_000)}abc`]],
    ['two equal fields', ['Bearer abc', 'Bearer abc']],
    ['an empty field beside a token', ['Bearer abc', '']],
  ])('reads %s as malformed', (_, fields) => {
    expect(readBearerCredential(fields)).toEqual({ state: 'malformed' });
  });

  it('reads repeated fields of a request of Node.js as malformed', async () => {
    const server = createServer((request, response) => {
      response.end(readBearerCredential(request.headersDistinct['authorization'] ?? []).state);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const headers = ['Connection: close', 'Authorization: Bearer abc', 'authorization: Bearer abc'];
    const { body } = await rawRequest(port, { method: 'GET', target: '/', headers });
    server.close();
    expect(body.toString()).toContain('malformed');
  });
});

describe('isBearerToken', () => {
  it.each(['', 'a b', 'a\n', '=', 'ü'])('refuses %j', (token) => {
    expect(isBearerToken(token)).toBe(false);
  });
});
