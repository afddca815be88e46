import { describe, expect, it } from 'vitest';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour } from '../support/repository/simulated-repository.js';
import { probeUpstream, distinctiveTeams } from '../support/gateway/run-probe.js';
import type { ProbeRun } from '../support/gateway/run-probe.js';
import { ignoresSearch, narrowSearches, wideSearches } from '../support/repository/search-behaviours.js';

const lists = { directory: distinctiveTeams(153, 'directory'), teams: distinctiveTeams(153, 'data') };

function probed(apiInterface: 'directory' | 'data', behaviour: Behaviour): Promise<ProbeRun> {
  return probeUpstream(simulatedRepository(lists, [{ paging: { cap: 100 } }, behaviour]), [apiInterface], {
    registered: { resources: ['teams'] },
  });
}

describe('probe of the search', () => {
  it.each(
    Object.entries<Behaviour>(narrowSearches).flatMap(
      ([name, behaviour]) =>
        [
          [name, 'directory', behaviour],
          [name, 'data', behaviour],
        ] as const,
    ),
  )('refutes the search of a source that %s, on the %s interface', async (_, apiInterface, behaviour) => {
    const { report, of } = await probed(apiInterface, behaviour);
    expect(report.supports.teams?.search).toBe(false);
    expect(of('search q')).toMatch(/^refuted: missing \d+ of \d+ records?, such as "/);
  });

  it.each(
    Object.entries<Behaviour>(wideSearches).flatMap(
      ([name, behaviour]) =>
        [
          [name, 'directory', behaviour],
          [name, 'data', behaviour],
        ] as const,
    ),
  )(
    'proves search: true, but not exact: true, for a source that %s, on the %s interface',
    async (name, apiInterface, behaviour) => {
      const { report, of } = await probed(apiInterface, behaviour);
      expect(of('search q')).toMatch(/^proved: all matches in \d of \d searches/);
      expect(of('search q')).toMatch(
        name === 'searches as defined' ? /, no others$/ : /, and \d+ records more, which Rollcall filters out$/,
      );
      expect(report.supports.teams).toMatchObject({ search: true, exact: false });
    },
  );

  it('refutes the search of a source that returns all records for every search', async () => {
    const { report, of } = await probed('directory', ignoresSearch);
    expect(of('search q')).toBe('refuted: ignored: all records are returned');
    expect(report.supports.teams?.search).toBe(false);
  });
});
