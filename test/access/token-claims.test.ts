import { describe, expect, it } from 'vitest';
import { findAccessLevel, readSubject } from '../../src/access/token-claims.js';

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
