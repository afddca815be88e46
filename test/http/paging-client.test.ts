import { afterEach, describe, expect, it } from 'vitest';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';

afterEach(closeDataGateways);

/** A typical client of FIRST's data interface, which knows a base address and nothing of Rollcall. */
async function downloadTeams(api: string): Promise<Team[]> {
  const teams: Team[] = [];
  let total = Infinity;
  for (let offset = 0; offset < total; offset += 100) {
    const response = await fetch(`${api}/teams?limit=100&offset=${offset}`);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const page = (await response.json()) as Page;
    if (page.status !== 'OK') throw new Error(page.status);
    total = page.total;
    teams.push(...page.data);
  }
  return teams;
}

interface Team {
  readonly id: string;
  readonly team: string;
}

interface Page {
  readonly status: string;
  readonly total: number;
  readonly data: readonly Team[];
}

/** Teams of which many share a short name: an order that is not total would break such a client. */
function teams(from: number, to: number): object[] {
  return Array.from({ length: to - from }, (_, at) => ({ id: `t${from + at}`, team: `Team ${(from + at) % 40}` }));
}

describe('a client that pages through /data/v1/teams by limit and offset until the total', () => {
  it('gets all teams of all sources, each once and in one order', async () => {
    const { gateway } = await startDataGateway({
      one: { records: { teams: teams(0, 200) }, behaviour: { generation: 2026, cap: 20 } },
      two: { records: { teams: teams(100, 250) } },
      three: { records: { teams: teams(50, 150) }, behaviour: { form: 'bare' } },
    });
    const downloaded = await downloadTeams(`${gateway.origin}/data/v1`);
    expect(downloaded).toHaveLength(450);
    expect(new Set(downloaded.map(({ id }) => id)).size).toBe(450);
    const names = downloaded.map(({ team }) => team);
    expect(names).toEqual([...names].sort());
  });

  it('gets an empty list where there are no teams', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: [] } } });
    expect(await downloadTeams(`${gateway.origin}/data/v1`)).toEqual([]);
  });
});

describe('a client that reads on after the list has changed', () => {
  it('gets a record again, and with the date of the first page in If-Unmodified-Since a 412', async () => {
    const dated = (from: number): object[] =>
      teams(from, 5).map((one) => ({ ...one, 'last-modified': '2025-04-02 21:28:40+00:00' }));
    let records = dated(1);
    const { gateway, clock } = await startDataGateway({
      one: {
        records: { teams: [] },
        handler: (...exchange) => {
          dataUpstream({ teams: records, news: [], channels: [] })(...exchange);
        },
      },
    });
    const ask = async (offset: number, headers?: Record<string, string>): ReturnType<typeof gateway.get> =>
      gateway.get(`/directory/v1/teams?fields=short-team-name&limit=2&offset=${offset}`, headers);
    const first = await ask(0);
    const condition = { 'If-Unmodified-Since': first.headers.get('last-modified') ?? '' };
    expect(first.json).toEqual([{ 'short-team-name': 'Team 1' }, { 'short-team-name': 'Team 2' }]);
    expect((await ask(2, condition)).status).toBe(200);
    records = dated(0);
    clock.advance(600_000);
    await ask(0);
    expect((await ask(2)).json).toEqual([{ 'short-team-name': 'Team 2' }, { 'short-team-name': 'Team 3' }]);
    expect((await ask(2, condition)).status).toBe(412);
  });
});
