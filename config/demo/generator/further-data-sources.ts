import { createSeededRandom } from './seeded-random.js';
import type { Repository, Team } from './team.js';

/**
 * Lists about every tenth team of the directories at a data source too, after its other homes, with another spelling.
 */
export function withFurtherDataSources(team: Team): Team {
  // A data source lists the place of the first query of the README as well.
  if (team.entry.email?.includes('@thorsvik-') === true) return { ...team, homes: [...team.homes, 'beacon'] };
  const dice = createSeededRandom(`data home of ${JSON.stringify(team.latin)} ${team.entry.email ?? ''}`);
  const homes: readonly Repository[] = [...team.homes, dice.pick<Repository>(['chronicle', 'beacon', 'quay'])];
  return dice.chance(10) ? { ...team, homes } : team;
}
