import { describe, expect, it } from 'vitest';
import type { ListBehaviour } from '../../support/upstream/paged-responses.js';
import { MANY } from './contract-fixture.js';
import type { ContractFixture, ListResponse } from './contract-fixture.js';

/** Lists that change between their pages, and lists with repeated records (decisions 5.7). */
export function testChangingLists(fixture: ContractFixture): void {
  const { dialect } = fixture;
  const dateOf = (number: number): string => new Date(number * 1_000).toUTCString();
  /** Of two records with one integer id the second could never be requested; two teams may be equal. */
  const hasTeams = typeof dialect.records(1)[0]?.['id'] !== 'number';

  const expectTwins = (list: ListResponse): void => {
    const [first = '', ...names] = fixture.names(30);
    expect(list.names).toEqual(hasTeams && dialect.hasVersions !== true ? [first, first, ...names] : [first, ...names]);
    if (dialect.hasVersions === true) expect(list.sourceStatus).toMatch(/^one;state=fresh;records=30;/);
    else
      expect(list.sourceStatus).toMatch(
        hasTeams ? /^one;state=fresh;records=31;/ : /^one;state=inconsistent;reason=drift;/,
      );
  };

  it('returns a team that the source lists twice, but only one record with an integer id', async () => {
    const [twin = {}, ...records] = dialect.records(30);
    const { list } = await fixture.drain(dialect.serve([twin, twin, ...records]));
    expectTwins(list);
  });

  if (dialect.isPaged)
    describe('on several pages', () => {
      it('reads the new list of a source that changed once meanwhile', async () => {
        const records: ListBehaviour['records'] = ({ number }) => dialect.records(number === 1 ? MANY - 1 : MANY);
        const lastModified: ListBehaviour['lastModified'] = ({ number }) => dateOf(number === 1 ? 1 : 2);
        const { upstream, list } = await fixture.drain(dialect.serve([], { records, lastModified }));
        expect(list).toMatchObject(fixture.fresh(MANY));
        expect(upstream.requests.length).toBeGreaterThan(dialect.lastPart + 1);
      });

      it('accepts a list after two equal readings from a source whose date differs in every response', async () => {
        const lastModified: ListBehaviour['lastModified'] = ({ number }) => dateOf(number);
        const { upstream, list } = await fixture.drain(dialect.serve(dialect.records(MANY), { lastModified }));
        expect(list).toMatchObject(fixture.fresh(MANY));
        expect(upstream.requests).toHaveLength(2 * (await fixture.countRequests(dialect.records(MANY))));
      });

      it('is inconsistent with reason drift after three readings of a source that keeps changing', async () => {
        let readings = 0;
        const behaviour: ListBehaviour = {
          records: (request) => dialect.records(MANY + (readings += Number(fixture.isFirstPart(request)))),
          lastModified: ({ number }) => dateOf(number),
        };
        const { upstream, list } = await fixture.drain(dialect.serve([], behaviour), { concurrency: 1 });
        expect(list.sourceStatus).toMatch(/^one;state=inconsistent;reason=drift;records=\d+;age=0$/);
        expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(3);
      });

      it('reads the list once more when a record is on two pages, and accepts it when it is again', async () => {
        const [twin = {}, ...records] = dialect.records(MANY);
        const { upstream, list } = await fixture.drain(
          dialect.serve([twin, ...records.slice(0, 150), twin, ...records.slice(150)]),
        );
        expect(list.sourceStatus).toMatch(
          hasTeams ? /^one;state=fresh;records=251;/ : /^one;state=inconsistent;reason=drift;/,
        );
        if (hasTeams) expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(2);
      });

      it('reads the list once more when a team moved to the next page meanwhile', async () => {
        const [all, more] = [dialect.records(MANY), dialect.records(MANY + 1).slice(MANY)];
        let hasMoved = false;
        const records: ListBehaviour['records'] = (request) => {
          hasMoved ||= !fixture.isFirstPart(request);
          // One record is added at the beginning and the last one is gone, so the total stays the same.
          return hasMoved ? [...more, ...all.slice(0, -1)] : all;
        };
        const { list } = await fixture.drain(dialect.serve([], { records }));
        const names = fixture.names(MANY + 1);
        if (!hasTeams) return;
        expect(list.names).toEqual([...names.slice(0, MANY - 1), ...names.slice(MANY)]);
        expect(list.sourceStatus).toBe(`one;state=fresh;records=${MANY};age=0`);
      });
    });
}
