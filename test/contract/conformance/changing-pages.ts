import { afterEach, describe, expect, it } from 'vitest';
import type { ListBehaviour } from '../../support/upstream/paged-responses.js';
import { ContractFixture, MANY } from '../contract-fixture.js';
import type { DialectFixture } from '../contract-fixture.js';

const dateOf = (number: number): string => new Date(number * 1_000).toUTCString();

/** Lists that change between their pages (decisions 5.7): for each way of reading pages, and for integer ids. */
export function testChangingPages(dialect: DialectFixture): void {
  const fixture = new ContractFixture(dialect);
  afterEach(() => fixture.clear());

  describe(`${dialect.name} whose pages change`, () => {
    it('is the new list of a source that changed once meanwhile', async () => {
      const records: ListBehaviour['records'] = ({ number }) => dialect.records(number === 1 ? MANY - 1 : MANY);
      const lastModified: ListBehaviour['lastModified'] = ({ number }) => dateOf(number === 1 ? 1 : 2);
      const { upstream, list } = await fixture.drain(dialect.serve([], { records, lastModified }));
      expect(list).toMatchObject(fixture.fresh(MANY));
      expect(upstream.requests.length).toBeGreaterThan(dialect.lastPart + 1);
    });

    it('is complete after two equal readings from a source whose date differs in every response', async () => {
      const lastModified: ListBehaviour['lastModified'] = ({ number }) => dateOf(number);
      const { upstream, list } = await fixture.drain(dialect.serve(dialect.records(MANY), { lastModified }));
      expect(list).toMatchObject(fixture.fresh(MANY));
      expect(upstream.requests).toHaveLength(2 * (dialect.lastPart + 1));
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

    it('is read once more when a record is on two pages, which only a team may be', async () => {
      const [twin = {}, ...records] = dialect.records(MANY);
      const { upstream, list } = await fixture.drain(
        dialect.serve([twin, ...records.slice(0, 150), twin, ...records.slice(150)]),
      );
      const isTeam = dialect.twins === 'two-records';
      expect(list.sourceStatus).toMatch(
        isTeam ? /^one;state=fresh;records=251;/ : /^one;state=inconsistent;reason=drift;/,
      );
      if (isTeam) expect(upstream.requests.filter(fixture.isFirstPart)).toHaveLength(2);
    });

    if (dialect.twins === 'two-records')
      it('is read once more when a team moved to the next page meanwhile', async () => {
        const [all, more] = [dialect.records(MANY), dialect.records(MANY + 1).slice(MANY)];
        let hasMoved = false;
        const records: ListBehaviour['records'] = (request) => {
          hasMoved ||= !fixture.isFirstPart(request);
          // One record is added at the beginning and the last one is gone, so the total stays the same.
          return hasMoved ? [...more, ...all.slice(0, -1)] : all;
        };
        const { list } = await fixture.drain(dialect.serve([], { records }));
        const names = fixture.names(MANY + 1);
        expect(list.names).toEqual([...names.slice(0, MANY - 1), ...names.slice(MANY)]);
        expect(list.sourceStatus).toBe(`one;state=fresh;records=${MANY};age=0`);
      });
  });
}
