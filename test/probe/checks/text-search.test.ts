import { describe, expect, it } from 'vitest';
import { repository } from '../../support/habits.js';
import type { Habit } from '../../support/habits.js';
import { probeAnswering, tellingTeams } from '../../support/probing.js';
import type { Probed } from '../../support/probing.js';
import { ignoresSearch, narrowSearches, wideSearches } from '../../support/search-habits.js';

const shelves = { directory: tellingTeams(153, 'directory'), teams: tellingTeams(153, 'data') };

function probed(face: 'directory' | 'data', habit: Habit): Promise<Probed> {
  return probeAnswering(repository(shelves, [{ manners: { cap: 100 } }, habit]), [face], {
    registered: { resources: ['teams'] },
  });
}

describe('search: true', () => {
  it.each(
    Object.entries<Habit>(narrowSearches).flatMap(
      ([name, habit]) =>
        [
          [name, 'directory', habit],
          [name, 'data', habit],
        ] as const,
    ),
  )('is refused to a source that %s, on the %s interface', async (_, face, habit) => {
    const { report, of } = await probed(face, habit);
    expect(report.supports.teams?.search).toBe(false);
    expect(of('search q')).toMatch(/^refuted: \d+ of \d+ did not come, such as "/);
  });

  it.each(
    Object.entries<Habit>(wideSearches).flatMap(
      ([name, habit]) =>
        [
          [name, 'directory', habit],
          [name, 'data', habit],
        ] as const,
    ),
  )('is printed of a source that %s, on the %s interface, and never exact: true', async (name, face, habit) => {
    const { report, of } = await probed(face, habit);
    expect(of('search q')).toMatch(/^proved: all that match came in \d of \d searches/);
    expect(of('search q')).toMatch(
      name === 'searches as defined'
        ? /, and no other$/
        : /, and \d+ records that do not match, which are filtered again$/,
    );
    expect(report.supports.teams).toMatchObject({ search: true, exact: false });
  });

  it('is refused to a source that gives all records, whatever is searched for', async () => {
    const { report, of } = await probed('directory', ignoresSearch);
    expect(of('search q')).toBe('refuted: ignored: what came was the same as without it');
    expect(report.supports.teams?.search).toBe(false);
  });
});
