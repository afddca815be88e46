import { testConformance } from './conformance.js';
import { testChangingPages } from './conformance/changing-pages.js';
import { directoryTeams } from './directory-teams.js';
import { testInconsistentSources } from './page-walk/inconsistent-sources.js';

testConformance(directoryTeams);
testChangingPages(directoryTeams);
testInconsistentSources(directoryTeams);
