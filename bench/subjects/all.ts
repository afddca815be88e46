import { dataTeams } from './data-teams.js';
import { directory } from './directory.js';
import { news } from './news.js';
import type { Subject } from './subject.js';

/** What draining, filters and memory are measured of. */
export const subjects: readonly Subject[] = [directory, dataTeams, news];

/** The subject with this name. Throws where there is none. */
export function subjectOf(name: string): Subject {
  const subject = subjects.find((one) => one.name === name);
  if (subject === undefined) throw new Error(`no subject ${name}`);
  return subject;
}
