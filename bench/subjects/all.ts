import { dataTeams } from './data-teams.js';
import { directory } from './directory.js';
import { news } from './news.js';
import type { Subject } from './subject.js';

/** Whatever draining, querying and memory are measured of. */
export const subjects: readonly Subject[] = [directory, dataTeams, news];
