import { attic } from './repositories/attic.js';
import { ministries, nationals, productTeams } from './authorities.js';
import { beaconChannels, beaconNews } from './repositories/beacon-news.js';
import { beacon } from './repositories/beacon.js';
import { chronicleChannels, chronicleNews } from './repositories/chronicle-news.js';
import { chronicle } from './repositories/chronicle.js';
import { unusualTeams } from './unusual-teams.js';
import { gazetteAtom, gazetteRss } from './repositories/gazette.js';
import { harbour } from './repositories/harbour.js';
import { ledgerTeams, withLedger } from './repositories/ledger-teams.js';
import { ledger } from './repositories/ledger.js';
import { lantern } from './repositories/lantern.js';
import type { Listing } from './team-listing.js';
import { listings } from './team-listing.js';
import { newsOf } from './news/news-items.js';
import { newcomers, organisations } from './organisations.js';
import { quayChannels, quayNews } from './repositories/quay-news.js';
import { quayDirectory, quayTeams } from './repositories/quay.js';
import { fileOf } from './record.js';
import { withFurtherDataSources } from './further-data-sources.js';
import type { Repository } from './team.js';

/**
 * The data of the sample repositories: text by file name, the same at every run. The directory interface of a
 * repository has its records in `<name>.json`, the data interface in `<name>-teams.json`, `<name>-news.json` and
 * `<name>-channels.json`. A published document is `<name>.csv`, and feeds are `<name>-<feed>.rss` and `<name>-<feed>.atom`.
 */
export function demoFiles(): ReadonlyMap<string, string> {
  const known = [...nationals(), ...organisations(), ...ministries(), ...productTeams(), ...unusualTeams()];
  const listedElsewhere = [...known.map(withFurtherDataSources), ...newcomers()];
  const teams = [...listedElsewhere.map(withLedger), ...ledgerTeams()];
  const listed = (repository: Repository): readonly Listing[] => listings(repository, teams);
  const files = new Map([
    ['harbour', harbour(listed('harbour'))],
    ['lantern', lantern(listed('lantern'))],
    ['attic', attic(listed('attic'))],
    ['chronicle-teams', chronicle(listed('chronicle'))],
    ['chronicle-news', newsOf(chronicleNews)],
    ['chronicle-channels', chronicleChannels],
    ['beacon-teams', beacon(listed('beacon'))],
    ['beacon-news', newsOf(beaconNews)],
    ['beacon-channels', beaconChannels],
    ['quay', quayDirectory(listed('quay'))],
    ['quay-teams', quayTeams(listed('quay'))],
    ['quay-news', newsOf(quayNews)],
    ['quay-channels', quayChannels],
  ]);
  const texts = [...files].map(([name, records]) => [`${name}.json`, fileOf(records)] as const);
  return new Map([
    ...texts,
    ['ledger.csv', ledger(listed('ledger'))],
    ['gazette-advisories.rss', gazetteRss()],
    ['gazette-bulletins.atom', gazetteAtom()],
  ]);
}
