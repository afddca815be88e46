import type { Gateway } from '../src/gateway/gateway.js';
import { dataTeams as resource } from '../src/model/resources/data-teams.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { blocked } from './blocked.js';
import { gatewayOf } from './channels.js';
import { queryOf, requireTotal } from './held.js';
import type { Figure } from './measure.js';
import { codeOf } from './pages.js';
import type { Raw } from './records.js';
import { listName, sourceOver } from './source.js';
import type { Given } from './source.js';
import { dataTeams } from './subjects/data-teams.js';

const queries = ['', 'country=BR', 'q=university'].map((raw) => queryOf(directoryTeams, raw));

/** How sources show the keys of their teams: to everybody, as FIRST does in 2026, or in the scope `pgp` only, as it is documented. */
const manners: ReadonlyMap<string, (teams: readonly Raw[]) => Given> = new Map([
  ['keys in public', (teams) => new Map([[listName('teams'), JSON.stringify(teams)]])],
  [
    'keys on request',
    (teams) =>
      new Map([
        [listName('teams'), JSON.stringify(teams.map(without))],
        [listName('teams', 'scope=pgp'), JSON.stringify(teams.filter((team) => 'pgp-id' in team))],
      ]),
  ],
]);

function without(team: Raw): Raw {
  return Object.fromEntries(Object.entries(team).filter(([name]) => !resource.keys.includes(name)));
}

/** Data teams that are shown on the directory interface: joining them with their keys and translating them must block nobody either. */
export async function translated(records: number): Promise<Figure[]> {
  const teams = dataTeams.recordsOf({ code: codeOf(1), count: records, from: 0 });
  const figures: Figure[] = [];
  for (const [manner, givenOf] of manners) {
    const given = givenOf(teams);
    const open = (): Promise<Gateway> => drained(given, records);
    const where = `on the directory interface, ${manner}`;
    figures.push(await blocked(`data teams: longest block, first queries ${where}`, open, queries));
    const gateway = await open();
    for (const query of queries) await gateway.answer(query);
    figures.push(await blocked(`data teams: longest block, later queries ${where}`, () => gateway, queries));
  }
  return figures;
}

/** A gateway over one source, whose teams are held and not yet translated. */
async function drained(given: Given, count: number): Promise<Gateway> {
  const gateway = gatewayOf([sourceOver(1, given)]);
  await requireTotal(gateway, { ...queryOf(resource, ''), limit: 0 }, count);
  return gateway;
}
