import { established, modified } from './contacts.js';
import type { Country } from './countries.js';
import { countries } from './countries.js';
import { createSeededRandom } from './seeded-random.js';
import { label, plain } from './languages.js';
import { contact, homesFor, neighbours } from './organisations.js';
import type { Entry, Names, Sector, Team } from './team.js';

const remits = [
  'Canals and Ferries',
  'Lighthouses',
  'Bridges and Tolls',
  'Weather and Tides',
  'Public Clocks',
  'Forests and Snow',
];

/** Fictitious vendors: name, product line, country of the head office. */
export const vendors = [
  ['Quillbyte', 'document servers', 'US'],
  ['Ferrowave', 'industrial radios', 'DE'],
  ['Papyrus & Sons', 'printers, plotters and scanners', 'GB'],
  ['Kiteline', 'mesh routers', 'CA'],
  ['Mossgate', 'door locks', 'NZ'],
  ['Hoshikuzu Denki', 'programmable controllers', 'JP'],
  ['Norrsken Signal', 'railway signalling', 'SE'],
  ['Mkonga Pay', 'payment terminals', 'KE'],
  ['Lampwick Forge', 'street lights', 'NL'],
  ['Ostrich OS', 'an operating system with its head in the sand', 'AU'],
  ['Brújula Sistemas', 'ship navigation', 'ES'],
  ['Tideglass', 'tank gauges', 'SG'],
  ['Żuraw Automatyka', 'cranes', 'PL'],
  ['Vetrnice', 'wind turbines', 'CZ'],
  ['Orographix', 'map servers', 'CH'],
  ['Baobyte', 'database engines', 'SN'],
  ['Çınar Yazılım', 'hospital records', 'TR'],
  ['Cloudberry Meters', 'smart meters', 'FI'],
  ['Parallax Tooth', 'X-ray imaging', 'BR'],
  ['Gannet & Gull', 'satellite modems', 'IE'],
  ['Cobalt Fern', 'hypervisors', 'IN'],
  ['Saffron Relay', 'mail gateways', 'AE'],
  ['Nimbus Llama', 'backup software', 'PE'],
  ['Umbra Locksmiths', 'key management', 'ZA'],
] as const;

/** One national team for each country, recognisable as a sample. */
export function nationals(): readonly Team[] {
  return countries.map((country) => {
    const names = named(`N-CSIRT-${country.code}`, `National CSIRT of ${country.name} (sample)`);
    return authority(country, 'national', names, `The people, firms and networks of ${country.name}.`);
  });
}

/** A ministry's team in every fifth country. */
export function ministries(): readonly Team[] {
  return countries
    .filter((_, index) => index % 5 === 2)
    .map((country, index) => {
      const remit = remits[index % remits.length] ?? 'Lighthouses';
      const names = named(`GovCERT ${remit}`, `Ministry of ${remit} of ${country.name} (sample), CERT`);
      return authority(country, 'government', names, `The ministry, its ${remit.toLowerCase()}, and who keeps them.`);
    });
}

/** The product security teams of the vendors, most of which serve several countries. */
export function productTeams(): readonly Team[] {
  return vendors.map(([name, products, code]) => {
    const country = countries.find((candidate) => candidate.code === code);
    if (country === undefined) throw new Error(`${name} has no country ${code}`);
    const names = named(`${name} PSIRT`, `${name} Product Security Incident Response Team`);
    return authority(country, 'vendor', names, `Everybody who runs ${products} made by ${name}.`);
  });
}

function named(short: string, official: string): Names {
  return { 'short-team-name': short, 'official-team-name': official };
}

function authority(country: Country, sector: Sector, names: Names, description: string): Team {
  const dice = createSeededRandom(`${sector} ${country.code} ${names['short-team-name']}`);
  const domain = `${label(`${names['short-team-name'].replace(/-..$/, '')} ${country.code}`)}.example.org`;
  const entry: Entry = {
    ...names,
    'country-code': country.code,
    ...(dice.chance(sector === 'vendor' ? 60 : 10) && { 'additional-country-code': neighbours(dice, country.code) }),
    ...contact(dice, domain, country.code),
    host: names['official-team-name'].replace(/ Product Security.*| \(sample\), CERT$/, ''),
    ...(dice.chance(90) && { establishment: established(dice) }),
    'operating-hours': dice.pick(['24x7', '24x7, duty officer by phone', 'Mon-Fri 08:00-18:00']),
    'constituency-description': description,
    'last-modified': modified(dice),
  };
  const latin = named(plain(names['short-team-name']), plain(names['official-team-name']));
  return { homes: homesFor(dice), sector, entry, latin };
}
