import { diceFor } from './dice.js';
import type { Repository, Team } from './team.js';

/** Lists about every tenth team of the directories on a data source too, behind its other homes: there its names are spelt otherwise. */
export function withDataHomes(team: Team): Team {
  // The place of the README's first query is known to a data source as well.
  if (team.entry.email?.includes('@thorsvik-') === true) return { ...team, homes: [...team.homes, 'beacon'] };
  const dice = diceFor(`data home of ${JSON.stringify(team.latin)} ${team.entry.email ?? ''}`);
  const homes: readonly Repository[] = [...team.homes, dice.pick<Repository>(['chronicle', 'beacon', 'quay'])];
  return dice.chance(10) ? { ...team, homes } : team;
}
