import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { TTL } from '../contract-fixture.js';
import { useDirectory } from '../directory-teams.js';

/** Default of `confirm-shrink`, in milliseconds (operation 2.7.5). */
const CONFIRM = 600_000;

/** Sources that suddenly return far fewer records (decisions 6.11). */
describe('a source with far fewer records than before', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;
  const settings = { 'stale-while-revalidate': '0s' };

  it('is accepted when half of the records remain, and when fewer remain for confirm-shrink', async () => {
    const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(60)), settings);
    await fetchList();
    upstream.handler = dialect.serve(dialect.records(30));
    clock.advance(TTL);
    expect(await fetchList()).toMatchObject(fixture.fresh(30));
    upstream.handler = dialect.serve(dialect.records(3));
    clock.advance(TTL);
    expect((await fetchList()).sourceStatus).toContain('state=stale;reason=shrunk');
    clock.advance(CONFIRM);
    expect(await fetchList()).toMatchObject(fixture.fresh(3));
  });

  it('is served from its last list when it counts records and returns none, however few it had', async () => {
    const { upstream, fetchList } = await fixture.startDrained(dialect.serve(dialect.records(5)));
    upstream.handler = dialect.serve([], { total: 5 });
    expect(await fetchList()).toMatchObject({
      names: fixture.names(5),
      sourceStatus: 'one;state=stale;reason=total;records=5;age=60',
    });
  });

  it('is not believed to have shrunk because it failed', async () => {
    const { clock, upstream, fetchList } = await fixture.start(dialect.serve(dialect.records(30)), settings);
    await fetchList();
    upstream.handler = faulty.status(500);
    for (let time = 0; time < 2; time += 1) {
      clock.advance(CONFIRM);
      expect((await fetchList()).names).toEqual(fixture.names(30));
    }
    upstream.handler = dialect.serve(dialect.records(3));
    clock.advance(TTL);
    expect((await fetchList()).sourceStatus).toContain('state=stale;reason=shrunk;records=30');
  });
});
