import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findLinkTarget, joinLinks, serializePageLinks } from '../../src/headers/link.js';

/** The offsets of the links, by relation. */
function offsets(total: number, offset: number, limit: number): Record<string, number> {
  const field = serializePageLinks({ total, offset, limit, url: (at) => `/teams?offset=${at}` }) ?? '';
  const links = [...field.matchAll(/<\/teams\?offset=(\d+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, at, relation]): [string, number] => [relation ?? '', Number(at)]));
}

/** Link (RFC 8288; decisions 2.11). */
describe('serializePageLinks', () => {
  test('writes the field of RFC 8288', () => {
    const field = serializePageLinks({
      total: 30,
      offset: 10,
      limit: 10,
      url: (at) => `https://irt.example.org/teams?offset=${at}`,
    });
    expect(field).toBe(
      '<https://irt.example.org/teams?offset=0>; rel="first", <https://irt.example.org/teams?offset=0>; rel="prev", ' +
        '<https://irt.example.org/teams?offset=20>; rel="next", <https://irt.example.org/teams?offset=20>; rel="last"',
    );
  });

  test.each<[string, readonly [number, number, number], object]>([
    ['the first page', [25, 0, 10], { first: 0, next: 10, last: 20 }],
    ['a middle page', [25, 10, 10], { first: 0, prev: 0, next: 20, last: 20 }],
    ['the last page', [25, 20, 10], { first: 0, prev: 10, last: 20 }],
    ['a last page that is full', [30, 20, 10], { first: 0, prev: 10, last: 20 }],
    ['the only page', [7, 0, 10], { first: 0, last: 0 }],
    ['an only page that is full', [10, 0, 10], { first: 0, last: 0 }],
    ['a page at an offset that is not a multiple of the limit', [25, 5, 10], { first: 0, prev: 0, next: 15, last: 15 }],
    ['a later page at such an offset', [25, 15, 10], { first: 0, prev: 5, last: 15 }],
    ['a page behind the end', [25, 30, 10], { first: 0, prev: 20, last: 20 }],
    ['a page right behind the end', [25, 25, 10], { first: 0, prev: 15, last: 20 }],
    ['a page far behind the end', [25, 9_000, 10], { first: 0, prev: 20, last: 20 }],
    ['an empty list', [0, 0, 10], { first: 0, last: 0 }],
    ['a page behind an empty list', [0, 40, 10], { first: 0, prev: 0, last: 0 }],
    ['one record a page', [3, 1, 1], { first: 0, prev: 0, next: 2, last: 2 }],
  ])('links from %s (total, offset and limit %j)', (_, sizes, links) => {
    expect(offsets(...sizes)).toEqual(links);
  });

  test('writes nothing for a limit of 0', () => {
    expect(serializePageLinks({ total: 25, offset: 0, limit: 0, url: String })).toBeUndefined();
  });

  test('leads by next links from any offset to the page of the last link, and no further', () => {
    const sizes = fc.record({
      total: fc.integer({ min: 1, max: 200 }),
      offset: fc.nat(199),
      limit: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(sizes, ({ total, offset, limit }) => {
        fc.pre(offset < total);
        let at = offset;
        for (
          let next = offsets(total, at, limit)['next'];
          next !== undefined;
          next = offsets(total, at, limit)['next']
        ) {
          expect(next).toBe(at + limit);
          at = next;
        }
        expect(offsets(total, offset, limit)['last']).toBe(at);
        expect(at + limit).toBeGreaterThanOrEqual(total);
      }),
    );
  });
});

/** Links to pages beside those of every response (decisions 2.11, 2.42). */
describe('joinLinks', () => {
  const further = '</openapi.json>; rel="service-desc"';

  test('writes the links to pages first, in one field', () => {
    expect(joinLinks('</teams>; rel="first"', further)).toBe(`</teams>; rel="first", ${further}`);
  });

  test('writes the further links alone where there are no pages', () => {
    expect(joinLinks(undefined, further)).toBe(further);
  });

  test('leaves out the links to pages when the field would exceed what clients accept', () => {
    const longest = 'x'.repeat(8_192 - 2 - further.length);
    expect(joinLinks(longest, further)).toHaveLength(8_192);
    expect(joinLinks(`${longest}x`, further)).toBe(further);
  });
});

describe('findLinkTarget', () => {
  test.each([
    ['</teams?page=2>; rel="next"', '/teams?page=2'],
    ['<a>;rel=prev,<b>;REL=Next', 'b'],
    ['<a>; rel="last next"', 'a'],
    ['<a,b>; title="x, <c>; rel=next"; rel=next', 'a,b'],
    ['<a>; title="\\"; rel=next, <b>; rel="next"', undefined],
    ['<a>; rel=prev; rel=next', undefined],
    ['<a>; rel=next; anchor="#other"', undefined],
    ['<a>; rel=nextish, <b>; rev=next, <c>', undefined],
    ['a; rel=next', undefined],
    ['', undefined],
  ])('reads %s', (field, target) => {
    expect(findLinkTarget(field, 'next')).toBe(target);
  });

  test('reads a long field of any text in time', () => {
    for (const part of ['<', '<>', '<>;', '<>"', '; ', '<>; rel=', '<>\\"', '<>; a = '])
      expect(findLinkTarget(part.repeat(16_000), 'next')).toBeUndefined();
  });
});
