import { attic } from './attic.js';
import { ministries, nationals, productTeams } from './authorities.js';
import { curiosities } from './curiosities.js';
import { harbour } from './harbour.js';
import { lantern } from './lantern.js';
import { listings } from './listing.js';
import { organisations } from './organisations.js';
import { fileOf } from './record.js';

/** The data of the three sample repositories: file name to text, the same at every run. */
export function demoFiles(): ReadonlyMap<string, string> {
  const teams = [...nationals(), ...organisations(), ...ministries(), ...productTeams(), ...curiosities()];
  return new Map([
    ['harbour.json', fileOf(harbour(listings('harbour', teams)))],
    ['lantern.json', fileOf(lantern(listings('lantern', teams)))],
    ['attic.json', fileOf(attic(listings('attic', teams)))],
  ]);
}
