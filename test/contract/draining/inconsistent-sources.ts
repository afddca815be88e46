import { expect, it } from 'vitest';
import type { PagingBehaviour } from '../../support/upstream/paged-responses.js';
import type { UpstreamRequest } from '../../support/upstream/upstream-server.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from './contract-fixture.js';

/** Sources of which nobody can tell whether they gave everything. */
export function testInconsistentSources(bench: ContractFixture): void {
  const { dialect } = bench;

  it('where a source counts more than paging to its end gives: so it is told, with all that there is', async () => {
    const [state, reason] = dialect.short;
    const { seen } = await bench.drain(dialect.serve(dialect.records(250), { total: 50 }));
    expect(seen).toMatchObject({ status: 200, names: bench.names(250), total: 250 });
    expect(seen.sourceStatus).toBe(`one;state=${state};reason=${reason};records=250;age=0`);
    expect(seen.sources).toEqual([{ 'source-name': 'one', state, reason, total: 300 }]);
  });

  it('where a source never stops changing: inconsistent, after two new beginnings', async () => {
    const records: PagingBehaviour['records'] = ({ number }) => dialect.records(250 + (number % 2));
    const { upstream, seen } = await bench.drain(dialect.serve([], { records }), { concurrency: 1 });
    expect(seen.sourceStatus).toMatch(/^one;state=inconsistent;reason=drift;records=\d+;age=0$/);
    expect(upstream.requests.filter(faulty.atOffset(0))).toHaveLength(3);
  });

  it('where a source ignores the offset and caps its pages: partial, with what it gives', async () => {
    const { seen } = await bench.drain(dialect.serve(dialect.records(250), { offset: 'ignored', cap: 100 }));
    expect(seen).toMatchObject({ status: 200, names: bench.names(100), total: 100 });
    expect(seen.sourceStatus).toBe('one;state=partial;reason=offset;records=100;age=0');
    expect(seen.sources).toEqual([{ 'source-name': 'one', state: 'partial', reason: 'offset', total: 250 }]);
  });

  it('where a source ignores the offset and says no total: partial, for nobody can tell', async () => {
    const paging: PagingBehaviour = { offset: 'ignored', total: 'absent' };
    const { seen } = await bench.drain(dialect.serve(dialect.records(250), paging));
    expect(seen.sourceStatus).toBe('one;state=partial;reason=offset;records=250;age=0');
  });

  it('where a source repeats its only page and says no total: partial, for the page may be its cap', async () => {
    const paging: PagingBehaviour = { offset: 'clamped', total: 'absent' };
    const { seen } = await bench.drain(dialect.serve(dialect.records(30), paging));
    expect(seen.sourceStatus).toBe('one;state=partial;reason=offset;records=30;age=0');
  });

  it('where a source ignores the offset and refuses a longer page: partial, with the page that it gives', async () => {
    const serve = dialect.serve(dialect.records(250), { offset: 'ignored', total: 'page' });
    const isLonger = ({ query }: UpstreamRequest): boolean => Number(query.get('limit')) > 100;
    for (const refusal of [400, 403, 404, 416, 422]) {
      const { seen } = await bench.drain(faulty.when(isLonger, faulty.status(refusal), serve));
      expect(seen.sourceStatus).toBe('one;state=partial;reason=offset;records=100;age=0');
      expect(seen.names).toEqual(bench.names(100));
    }
  });

  it.each<[title: string, manners: PagingBehaviour]>([
    [
      'counts on its first page only, and gives less',
      { cut: (all, offset, limit) => all.slice(0, 200).slice(offset, offset + limit), total: 'first' },
    ],
    [
      'counts what is left, and gives less',
      { cut: (all, offset, limit) => all.slice(0, 200).slice(offset, offset + limit), total: 'left' },
    ],
    ['ignores the offset, and counts only the page', { cut: (all, _, limit) => all.slice(0, limit), total: 'page' }],
    [
      'listens to no offset beyond 100, and counts only the page',
      { cut: (all, offset, limit) => all.slice(Math.min(offset, 100)).slice(0, limit), total: 'page' },
    ],
    [
      'gives its last full page for every later offset, which overlaps the one before',
      { cut: (all, offset, limit) => all.slice(Math.min(offset, all.length - limit)).slice(0, limit) },
    ],
    [
      'leaves records out after it has cut its pages, so that the next one overlaps',
      {
        cut: (all, offset, limit) => all.slice(offset, offset + limit).filter((_, at) => (offset + at) % 20 > 0),
        total: 'absent',
      },
    ],
    [
      'has them in another order for every page',
      { cut: (all, offset, limit) => (offset === 100 ? [...all].reverse() : all).slice(offset, offset + limit) },
    ],
  ])('where a source %s: never as if that were all, and no more', async (_title, paging) => {
    const { seen } = await bench.drain(dialect.serve(dialect.records(250), paging));
    // Of news the rest comes with `before`.
    if (seen.sourceStatus.startsWith('one;state=fresh;')) expect(seen.names).toEqual(bench.names(250));
    else expect(seen.sourceStatus).toMatch(/^one;state=(partial|inconsistent);reason=(offset|total|window|drift);/);
  });

  it.each([
    ['twice on a page', [0, 0], 3],
    ['on two pages, and does so when it is asked again', [0, 150], 6],
  ])('but not where it lists a team %s', async (_title, places, requests) => {
    const [twin = {}, ...records] = dialect.records(250);
    for (const place of places) records.splice(place, 0, twin);
    const { upstream, seen } = await bench.drain(dialect.serve(records));
    // Of two things with one integer id the second could never be asked for.
    const isTeam = typeof twin['id'] !== 'number';
    expect(seen.sourceStatus).toMatch(
      isTeam ? /^one;state=fresh;records=251;/ : /^one;state=inconsistent;reason=drift;/,
    );
    if (isTeam) expect(upstream.requests).toHaveLength(requests);
  });

  it('nor where a team has moved from one page to the next while they were read: they are read once more', async () => {
    const [all, more] = [dialect.records(250), dialect.records(251).slice(250)];
    let moved = false;
    const records: PagingBehaviour['records'] = ({ query }) => {
      moved ||= query.get('offset') !== '0';
      // One more at the beginning, and the last one gone: there are as many.
      return moved ? [...more, ...all.slice(0, -1)] : all;
    };
    const { seen } = await bench.drain(dialect.serve([], { records }));
    const isTeam = typeof all[0]?.['id'] !== 'number';
    const names = bench.names(251);
    if (isTeam) expect(seen.names).toEqual([...names.slice(0, 249), ...names.slice(250)]);
    if (isTeam) expect(seen.sourceStatus).toBe('one;state=fresh;records=250;age=0');
  });

  it.each(['true', 'absent'] as const)(
    'where a source gives the same pages in a circle (total: %s): with every record once, and the doubt',
    async (total) => {
      const all = dialect.records(300);
      const given = Array.from({ length: total === 'absent' ? 100_000 : 700 }, (_, at) => all[at % 300]);
      const inCircle: PagingBehaviour['records'] = () => given;
      const paging: PagingBehaviour = { records: inCircle, ...(total === 'absent' && { total }) };
      const { seen } = await bench.drain(dialect.serve([], paging));
      expect(seen.names).toEqual(bench.names(300));
      expect(seen.sourceStatus).toMatch(
        /^one;state=(partial|inconsistent);reason=(offset|total|window);records=300;age=0$/,
      );
    },
  );

  it('where a source gives its last page again for every later offset, though it counts more', async () => {
    const records: PagingBehaviour['records'] = ({ query }) => {
      const offset = Number(query.get('offset'));
      const all = dialect.records(300);
      return offset < 300 ? [...all, ...all, ...all] : [...all, ...all, ...all].map((_, at) => all[200 + (at % 100)]);
    };
    const { seen } = await bench.drain(dialect.serve([], { records }));
    expect(seen.names).toEqual(bench.names(300));
    expect(seen.sourceStatus).not.toContain('state=fresh');
  });

  it('where a source counts more than may be held: partial, with nothing of it', async () => {
    const { upstream, got, seen } = await bench.drain(dialect.serve(dialect.records(100), { total: 5_000_000 }));
    expect(got.status).toBe(502);
    expect(seen.sources).toEqual([{ 'source-name': 'one', state: 'partial', reason: 'too-large', total: 5_000_100 }]);
    expect(upstream.requests).toHaveLength(1);
  });
}
