import type { SeededRandom } from '../../../config/demo/generator/seeded-random.js';
import type { DemoTeam, TeamList } from './demo-team.js';

/** A query as typed, and the teams that are right as the first hit. */
export interface TypedQuery {
  readonly q: string;
  readonly right: ReadonlySet<DemoTeam>;
}

/** Writes a query for a team. Undefined if the team has nothing to be found by in this form, or others fit the query too. */
export type QueryForm = (team: DemoTeam, list: TeamList, dice: SeededRandom) => TypedQuery | undefined;
