import { describe, expect, it } from 'vitest';
import { simulatedRepository } from '../../support/repository/simulated-repository.js';
import type { Behaviour } from '../../support/repository/simulated-repository.js';
import { probeUpstream, distinctiveTeams } from '../../support/repository/run-probe.js';
import type { ProbeRun } from '../../support/repository/run-probe.js';
import { ignoresSearch, narrowSearches, wideSearches } from '../../support/repository/search-behaviours.js';

const lists = { directory: distinctiveTeams(153, 'directory'), teams: distinctiveTeams(153, 'data') };

function probed(apiInterface: 'directory' | 'data', behaviour: Behaviour): Promise<ProbeRun> {
  return probeUpstream(simulatedRepository(lists, [{ paging: { cap: 100 } }, behaviour]), [apiInterface], {
    registered: { resources: ['teams'] },
  });
}

describe('search: true', () => {
  it.each(
    Object.entries<Behaviour>(narrowSearches).flatMap(
      ([name, behaviour]) =>
        [
          [name, 'directory', behaviour],
          [name, 'data', behaviour],
        ] as const,
    ),
  )('is refused to a source that %s, on the %s interface', async (_, apiInterface, behaviour) => {
    const { report, of } = await probed(apiInterface, behaviour);
    expect(report.supports.teams?.search).toBe(false);
    expect(of('search q')).toMatch(/^refuted: \d+ of \d+ did not come, such as "/);
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
    'is printed of a source that %s, on the %s interface, and never exact: true',
    async (name, apiInterface, behaviour) => {
      const { report, of } = await probed(apiInterface, behaviour);
      expect(of('search q')).toMatch(/^proved: all that match came in \d of \d searches/);
      expect(of('search q')).toMatch(
        name === 'searches as defined'
          ? /, and no other$/
          : /, and \d+ records that do not match, which are filtered again$/,
      );
      expect(report.supports.teams).toMatchObject({ search: true, exact: false });
    },
  );

  it('is refused to a source that gives all records, whatever is searched for', async () => {
    const { report, of } = await probed('directory', ignoresSearch);
    expect(of('search q')).toBe('refuted: ignored: what came was the same as without it');
    expect(report.supports.teams?.search).toBe(false);
  });
});
