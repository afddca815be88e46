import { makeUpFingerprint, modified } from './contacts.js';
import { replaceFingerprint } from './keys.js';
import { createSeededRandom } from './seeded-random.js';
import type { SeededRandom } from './seeded-random.js';
import type { Entry, Repository, Team } from './team.js';

/** A team as one repository lists it. */
export interface Listing {
  readonly team: Team;
  readonly entry: Entry;
}

/**
 * The data of a repository about its teams. The first home of a team has the most exact data. The others differ in
 * spelling and in mailbox, key or date, as independent directories do.
 */
export function listings(repository: Repository, teams: readonly Team[]): readonly Listing[] {
  return teams.flatMap((team) => {
    const position = team.homes.indexOf(repository);
    return position < 0 ? [] : [{ team, entry: withKeys(asListed(team, position)) }];
  });
}

function withKeys(entry: Entry): Entry {
  return entry.enckeys === undefined ? entry : { ...entry, enckeys: entry.enckeys.map(replaceFingerprint) };
}

function asListed(team: Team, position: number): Entry {
  if (position === 0) return team.entry;
  const dice = createSeededRandom(`${JSON.stringify(team.latin)} ${team.entry['country-code'] ?? ''} ${position}`);
  const shouted = { ...team.latin, 'short-team-name': (team.entry['short-team-name'] ?? '').toUpperCase() };
  return { ...team.entry, ...(position === 1 ? team.latin : shouted), ...outOfStep(team.entry, dice) };
}

function outOfStep(entry: Entry, dice: SeededRandom): Entry {
  const differences: readonly Entry[] = [
    { email: (entry.email ?? 'post@cert.example.org').replace(/^[^@]+/, 'abuse') },
    { enckeys: [makeUpFingerprint(dice)] },
    { 'last-modified': modified(dice) },
  ];
  return { ...dice.pick(differences), ...dice.pick(differences) };
}
