import { afterEach, describe, expect, it } from 'vitest';
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
