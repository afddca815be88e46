import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/clock.js';
import { directory } from '../support/directory-upstream.js';
import * as mischief from '../support/mischief.js';
import { startRollcall } from '../support/rollcall.js';
import type { Rollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';
import type { Asked, Upstream } from '../support/upstream.js';

const open: (Upstream | Rollcall)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const forKeys = ({ query }: Asked): boolean => query.get('scope') === 'pgp';

it('an answer that is made of two copies of a source is no better than the worse of them', async () => {
  const clock = fakeClock();
  const teams = directory([{ id: 'a', team: 'A' }]);
  const keys = directory([{ id: 'a', team: 'A', 'pgp-id': '0123456789ABCDEF' }]);
  const upstream = await openUpstream(mischief.when(forKeys, keys, teams));
  const rollcall = await startRollcall(
    { defaults: { 'stale-while-revalidate': '0s' }, sources: { one: { data: upstream.address } } },
    { clock },
  );
  open.push(upstream, rollcall);
  const ask = async (): Promise<[status: string | null, shown: string]> => {
    const { headers, text } = await rollcall.get('/data/v1/teams?scope=pgp&pretty=0');
    return [headers.get('source-status'), /"pgp-id":"(\w+)"/.exec(text)?.[1] ?? 'no key'];
  };
  expect(await ask()).toEqual(['one;state=fresh;records=1;age=0', '0123456789ABCDEF']);
  upstream.answering = mischief.when(forKeys, mischief.status(500), teams);
  clock.advance(60_000);
  expect(await ask()).toEqual(['one;state=stale;reason=status;status=500;records=1;age=60', '0123456789ABCDEF']);
});
