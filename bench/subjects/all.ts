import { dataTeams } from './data-teams.js';
import { directory } from './directory.js';
import { news } from './news.js';
import type { Subject } from './subject.js';

/** The subjects for which draining, filters and memory are measured. */
export const subjects: readonly Subject[] = [directory, dataTeams, news];

/** The subject with a name. Throws if there is none. */
export function subjectOf(name: string): Subject {
  const subject = subjects.find((candidate) => candidate.name === name);
  if (subject === undefined) throw new Error(`unknown subject ${name}`);
  return subject;
}
