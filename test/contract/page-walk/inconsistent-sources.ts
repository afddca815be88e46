import { afterEach, describe, expect, it } from 'vitest';
import type { PagingBehaviour } from '../../support/upstream/paged-responses.js';
import type { UpstreamRequest } from '../../support/upstream/upstream-server.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { ContractFixture } from '../contract-fixture.js';
import type { OffsetDialectFixture } from './offset-fixture.js';

/** Sources whose responses do not show whether they returned every record (decisions 5.6, 5.7, 5.8). */
export function testInconsistentSources(dialect: OffsetDialectFixture): void {
  const fixture = new ContractFixture(dialect);
  afterEach(() => fixture.clear());

  describe(`a source of ${dialect.name} that is inconsistent`, () => {
    it('shows all records, with a reason, when paging ends before the total', async () => {
      const [state, reason] = dialect.short;
      const { list } = await fixture.drain(dialect.serve(dialect.records(250), { total: 50 }));
      expect(list).toMatchObject({ status: 200, names: fixture.names(250), total: 250 });
      expect(list.sourceStatus).toBe(`one;state=${state};reason=${reason};records=250;age=0`);
      expect(list.sources).toEqual([{ 'source-name': 'one', state, reason, total: 300 }]);
    });

    it('is inconsistent with reason drift after two restarts when its total changes with every page', async () => {
      const records: PagingBehaviour['records'] = ({ number }) => dialect.records(250 + (number % 2));
      const { upstream, list } = await fixture.drain(dialect.serve([], { records }), { concurrency: 1 });
      expect(list.sourceStatus).toMatch(/^one;state=inconsistent;reason=drift;records=\d+;age=0$/);
      expect(upstream.requests.filter(faulty.atOffset(0))).toHaveLength(3);
    });

    it('is partial with the records received when the source ignores the offset and caps its pages', async () => {
      const { list } = await fixture.drain(dialect.serve(dialect.records(250), { offset: 'ignored', cap: 100 }));
      expect(list).toMatchObject({ status: 200, names: fixture.names(100), total: 100 });
      expect(list.sourceStatus).toBe('one;state=partial;reason=offset;records=100;age=0');
      expect(list.sources).toEqual([{ 'source-name': 'one', state: 'partial', reason: 'offset', total: 250 }]);
    });

    it('is partial when the source ignores the offset and reports no total', async () => {
      const paging: PagingBehaviour = { offset: 'ignored', total: 'absent' };
      const { list } = await fixture.drain(dialect.serve(dialect.records(250), paging));
      expect(list.sourceStatus).toBe('one;state=partial;reason=offset;records=250;age=0');
    });

    it('is partial when the source repeats its only page and reports no total, because the page may be capped', async () => {
      const paging: PagingBehaviour = { offset: 'clamped', total: 'absent' };
      const { list } = await fixture.drain(dialect.serve(dialect.records(30), paging));
      expect(list.sourceStatus).toBe('one;state=partial;reason=offset;records=30;age=0');
    });

    it('is partial with one page when the source ignores the offset and refuses a longer page', async () => {
      const serve = dialect.serve(dialect.records(250), { offset: 'ignored', total: 'page' });
      const isLonger = ({ query }: UpstreamRequest): boolean => Number(query.get('limit')) > 100;
      for (const refusal of [400, 403, 404, 416, 422]) {
        const { list } = await fixture.drain(faulty.when(isLonger, faulty.status(refusal), serve));
        expect(list.sourceStatus).toBe('one;state=partial;reason=offset;records=100;age=0');
        expect(list.names).toEqual(fixture.names(100));
      }
    });

    it.each<[title: string, paging: PagingBehaviour]>([
      [
        'reports a total on its first page only and returns fewer records',
        { cut: (all, offset, limit) => all.slice(0, 200).slice(offset, offset + limit), total: 'first' },
      ],
      [
        'counts the records from the offset on and returns fewer',
        { cut: (all, offset, limit) => all.slice(0, 200).slice(offset, offset + limit), total: 'left' },
      ],
      ['ignores the offset and counts only the page', { cut: (all, _, limit) => all.slice(0, limit), total: 'page' }],
      [
        'ignores offsets beyond 100 and counts only the page',
        { cut: (all, offset, limit) => all.slice(Math.min(offset, 100)).slice(0, limit), total: 'page' },
      ],
      [
        'returns its last full page for every later offset, overlapping the page before',
        { cut: (all, offset, limit) => all.slice(Math.min(offset, all.length - limit)).slice(0, limit) },
      ],
      [
        'drops records after it has cut its pages, so that the next page overlaps',
        {
          cut: (all, offset, limit) => all.slice(offset, offset + limit).filter((_, at) => (offset + at) % 20 > 0),
          total: 'absent',
        },
      ],
      [
        'changes the order of its records between pages',
        { cut: (all, offset, limit) => (offset === 100 ? [...all].reverse() : all).slice(offset, offset + limit) },
      ],
    ])('never reports an incomplete list as fresh when the source %s', async (_title, paging) => {
      const { list } = await fixture.drain(dialect.serve(dialect.records(250), paging));
      // The remaining news are fetched with `before`, so the list may be complete.
      if (list.sourceStatus.startsWith('one;state=fresh;')) expect(list.names).toEqual(fixture.names(250));
      else expect(list.sourceStatus).toMatch(/^one;state=(partial|inconsistent);reason=(offset|total|window|drift);/);
    });

    it.each([
      ['twice on one page', [0, 0], 3],
      ['on two pages in both drains', [0, 150], 6],
    ])('accepts a team that the source lists %s, but not an integer id', async (_title, places, requests) => {
      const [twin = {}, ...records] = dialect.records(250);
      for (const place of places) records.splice(place, 0, twin);
      const { upstream, list } = await fixture.drain(dialect.serve(records));
      // Of two records with one integer id the second could never be requested.
      const isTeam = typeof twin['id'] !== 'number';
      expect(list.sourceStatus).toMatch(
        isTeam ? /^one;state=fresh;records=251;/ : /^one;state=inconsistent;reason=drift;/,
      );
      if (isTeam) expect(upstream.requests).toHaveLength(requests);
    });

    it.each(['true', 'absent'] as const)(
      'shows every record once, and is not fresh, when the pages repeat in a cycle (total: %s)',
      async (total) => {
        const all = dialect.records(300);
        const repeated = Array.from({ length: total === 'absent' ? 100_000 : 700 }, (_, at) => all[at % 300]);
        const inCycle: PagingBehaviour['records'] = () => repeated;
        const paging: PagingBehaviour = { records: inCycle, ...(total === 'absent' && { total }) };
        const { list } = await fixture.drain(dialect.serve([], paging));
        expect(list.names).toEqual(fixture.names(300));
        expect(list.sourceStatus).toMatch(
          /^one;state=(partial|inconsistent);reason=(offset|total|window);records=300;age=0$/,
        );
      },
    );

    it('shows every record once, and is not fresh, when the last page repeats and the total is larger', async () => {
      const records: PagingBehaviour['records'] = ({ query }) => {
        const offset = Number(query.get('offset'));
        const all = dialect.records(300);
        return offset < 300 ? [...all, ...all, ...all] : [...all, ...all, ...all].map((_, at) => all[200 + (at % 100)]);
      };
      const { list } = await fixture.drain(dialect.serve([], { records }));
      expect(list.names).toEqual(fixture.names(300));
      expect(list.sourceStatus).not.toContain('state=fresh');
    });

    it('is partial without records after one request when the total exceeds the memory limit', async () => {
      const { upstream, response, list } = await fixture.drain(
        dialect.serve(dialect.records(100), { total: 5_000_000 }),
      );
      expect(response.status).toBe(502);
      expect(list.sources).toEqual([{ 'source-name': 'one', state: 'partial', reason: 'too-large', total: 5_000_100 }]);
      expect(upstream.requests).toHaveLength(1);
    });

    it('caches a result in doubt for a few seconds only', async () => {
      const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(30), { total: 1 }));
      await fetchList();
      upstream.handler = dialect.serve(dialect.records(30));
      clock.advance(6_000);
      expect((await fetchList()).sourceStatus).toBe('one;state=fresh;records=30;age=0');
    });

    it('serves a newer result in doubt, and never returns to the older snapshot', async () => {
      const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(30)));
      await fetchList();
      clock.advance(60_000);
      upstream.handler = dialect.serve(dialect.records(31), { total: 1 });
      expect((await fetchList()).names).toEqual(fixture.names(30));
      const [state, reason] = dialect.short;
      const doubt = `one;state=${state};reason=${reason};records=31;age=0`;
      await expect.poll(async () => (await fetchList()).sourceStatus).toBe(doubt);
      clock.advance(5_000);
      upstream.handler = dialect.serve(dialect.records(32));
      expect(await fetchList()).toMatchObject(fixture.fresh(32));
    });
  });
}
