import { describe, expect, it } from 'vitest';
import { checkClaims, findAccessLevel, readSubject } from '../../src/access/token-claims.js';
import type { IssuerConfig } from '../../src/config/config.js';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1000;

const issuer: IssuerConfig = {
  url: 'https://id.example.org',
  audience: 'rollcall',
  algorithms: ['RS256'],
  clockTolerance: 5_000,
  membersClaim: new Map([['groups', 'csirt']]),
  rate: undefined,
};

const claims = { iss: 'https://id.example.org', aud: 'rollcall', exp: SECONDS + 60 };

describe('checkClaims', () => {
  it.each([
    ['one audience', {}],
    ['several audiences', { aud: ['other', 'rollcall'] }],
    ['a time from which it is valid', { nbf: SECONDS }],
    ['a time of expiry within the tolerance', { exp: SECONDS - 4 }],
    ['a time of validity within the tolerance', { nbf: SECONDS + 5 }],
    ['fractions of a second', { exp: SECONDS + 0.5, nbf: SECONDS - 0.5 }],
  ])('accepts a token with %s', (_, more) => {
    expect(checkClaims({ ...claims, ...more }, issuer, NOW)).toBeUndefined();
  });

  it.each([
    ['another issuer', { iss: 'https://id.example.net' }],
    ['a slash after the issuer', { iss: 'https://id.example.org/' }],
    ['a list as issuer', { iss: ['https://id.example.org'] }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'rollcall2' }],
    ['other audiences', { aud: ['a', 'b'] }],
    ['no audience', { aud: undefined }],
    ['an object as audience', { aud: { rollcall: true } }],
    ['no time of expiry', { exp: undefined }],
    ['a text as time of expiry', { exp: '9999999999' }],
    ['an infinite time of expiry', { exp: Infinity }],
    ['a text as time of validity', { nbf: '0' }],
    ['no value as time of validity', { nbf: null }],
    ['a time of validity in the future', { nbf: SECONDS + 6 }],
  ])('refuses a token with %s', (_, more) => {
    expect(checkClaims({ ...claims, ...more }, issuer, NOW)).toBe('token');
  });

  it('reports an expired token from the end of the tolerance on', () => {
    expect(checkClaims({ ...claims, exp: SECONDS - 5 }, issuer, NOW)).toBe('expired');
  });
});

describe('findAccessLevel', () => {
  const level = (received: object, required: Record<string, string>): string =>
    findAccessLevel({ ...received }, new Map(Object.entries(required)));

  it.each([
    ['a text that is equal', { groups: 'csirt' }, { groups: 'csirt' }],
    ['a list with the value', { groups: ['staff', 'csirt'] }, { groups: 'csirt' }],
    ['a word of scope', { scope: 'openid csirt email' }, { scope: 'csirt' }],
    ['a list named scope', { scope: ['openid', 'csirt'] }, { scope: 'csirt' }],
    ['all of several claims', { groups: ['csirt'], tier: 'gold' }, { groups: 'csirt', tier: 'gold' }],
  ])('is members with %s', (_, received, required) => {
    expect(level(received, required)).toBe('members');
  });

  it.each([
    ['no claim', {}, { groups: 'csirt' }],
    ['another case', { groups: 'CSIRT' }, { groups: 'csirt' }],
    ['a part of a text', { groups: 'csirt-guests' }, { groups: 'csirt' }],
    ['a word of a claim other than scope', { groups: 'staff csirt' }, { groups: 'csirt' }],
    ['a part of a word of scope', { scope: 'csirt:read' }, { scope: 'csirt' }],
    ['an object', { groups: { csirt: true } }, { groups: 'csirt' }],
    ['a list in a list', { groups: [['csirt']] }, { groups: 'csirt' }],
    ['a number', { tier: 1 }, { tier: '1' }],
    ['a boolean', { member: true }, { member: 'true' }],
    ['one of two claims', { groups: 'csirt' }, { groups: 'csirt', tier: 'gold' }],
    ['a claim that all objects inherit', {}, { constructor: 'csirt' }],
    ['no required claim', { groups: 'csirt' }, {}],
  ])('is public with %s', (_, received, required) => {
    expect(level(received, required)).toBe('public');
  });
});

describe('readSubject', () => {
  it.each([
    ['duty-officer', 'duty-officer'],
    ['a\r\nb\u0000c\u202ed\u2028e\u009bf', 'abcdef'],
    [`${'a'.repeat(199)}😀`, 'a'.repeat(199)],
    ['Zoë 👩', 'Zoë 👩'],
  ])('reads %j as %j', (sub, name) => {
    expect(readSubject({ sub })).toBe(name);
  });

  it.each([[undefined], [''], ['\n\t'], ['  '], [7], [['a']], [null]])('does not accept %j', (sub) => {
    expect(readSubject({ sub })).toBeUndefined();
  });
});
