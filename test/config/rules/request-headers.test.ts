import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ParsedConfig } from '../../../src/config/parse-config.js';

const SECRET = 'hunter2';

function parseWith(headers: string, more = ''): ParsedConfig {
  return parseConfig(
    `sources:\n  a:\n    number: 1\n    data: https://a.example.org\n    headers: ${headers}\n    ${more}\n`,
    { SECRET, BREAK: `${SECRET}\nX-Other: 1`, LONG: SECRET.repeat(600) },
  );
}

describe('sources.<code>.headers', () => {
  test.each([
    ['{}', {}],
    ['', {}],
    ['{ X-Tenant: north, x-version: "2" }', { 'x-tenant': 'north', 'x-version': '2' }],
    [
      '{ Accept: "application/json;v=2", user-agent: "a (b)" }',
      { accept: 'application/json;v=2', 'user-agent': 'a (b)' },
    ],
    ['{ X-Key: "${SECRET}" }', { 'x-key': SECRET }],
  ])('accepts %s', (headers, expected) => {
    expect(parseWith(headers)).toMatchObject({ config: { sources: [{ headers: expected }] } });
  });

  test.each([
    ['{ "X Tenant": "${SECRET}" }', 'is not the name of a header field'],
    ['{ "": "${SECRET}" }', 'is not the name of a header field'],
    ['{ "X-Tenänt": "${SECRET}" }', 'is not the name of a header field'],
    ['{ Host: a.example.org }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ TraceParent: a }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ tracestate: a=1 }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ VIA: "1.1 a" }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ Accept-Encoding: zstd }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ If-None-Match: "*" }', 'is a field that Rollcall or HTTP itself sets'],
    ['{ Authorization: "Bearer ${SECRET}" }', 'is secret; use credentials'],
    ['{ cookie: "a=${SECRET}" }', 'is secret; use credentials'],
    ['{ Proxy-Authorization: "Basic ${SECRET}" }', 'is secret; use proxy'],
    ['{ X-Tenant: a, x-tenant: b }', 'is the same field as another key'],
    ['{ X-Tenant: "" }', 'must be text of at most 4096 visible ASCII characters and spaces'],
    ['{ X-Tenant: " ${SECRET}" }', 'must be text of at most'],
    ['{ X-Tenant: "${BREAK}" }', 'must be text of at most'],
    ['{ X-Tenant: "${LONG}" }', 'must be text of at most'],
    ['{ X-Tenant: "\\u00e9" }', 'must be text of at most'],
    ['[ X-Tenant ]', 'must be a mapping of names of header fields to values'],
  ])('refuses %s', (headers, message) => {
    const parsed = parseWith(headers);
    expect(parsed).toMatchObject({ errors: [{ line: 5, message: expect.stringContaining(message) as unknown }] });
    expect(JSON.stringify(parsed)).not.toContain(SECRET);
  });

  test('may not name the field of a credential', () => {
    const credentials = `credentials: { members: { header: "X-Key: \${SECRET}" } }`;
    expect(parseWith('{ x-key: a }', credentials)).toMatchObject({
      errors: [{ path: 'sources.a.headers.x-key', message: 'is the field of a credential' }],
    });
    expect(parseWith('{ x-other: a }', credentials)).toHaveProperty('config');
  });

  test('is not a setting of a file', () => {
    const text = 'sources: { a: { number: 1, document: { file: a.json, map: { short-team-name: n } }, headers: {} } }';
    expect(parseConfig(text, {})).toMatchObject({ errors: [{ message: 'is not a setting of a file' }] });
  });
});
