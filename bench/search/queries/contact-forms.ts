import { digitsOf } from './demo-team.js';
import type { DemoTeam, TeamList } from './demo-team.js';
import type { QueryForm } from './query-form.js';

/** Labels below the whole of the demo's names, which are no organisation: `example.org`. */
const PUBLIC_LABELS = 2;

/** The teams whose e-mail domain or website is nearest to a host name: that name itself, else the next above it. */
function nearestTo(host: string, list: TeamList): ReadonlySet<DemoTeam> {
  const labels = host.split('.');
  for (let at = 0; at < labels.length - PUBLIC_LABELS; at += 1) {
    const name = labels.slice(at).join('.');
    const found = list.where(({ emailDomain, webHosts }) => emailDomain === name || webHosts.includes(name));
    if (found.size > 0) return found;
  }
  return new Set();
}

/** A text with a host name of the team, which is found by that name. */
function named(hostOf: (team: DemoTeam) => string | undefined, textOf: (host: string) => string): QueryForm {
  return (team, list) => {
    const host = hostOf(team);
    return host === undefined || host === '' ? undefined : { q: textOf(host), right: nearestTo(host, list) };
  };
}

const mailDomain = ({ emailDomain }: DemoTeam): string => emailDomain;
const website = ({ webHosts }: DemoTeam): string | undefined => webHosts[0];

/** A host below a name of the team. */
function below(hosts: readonly string[]): QueryForm {
  return (team, list, dice) => {
    const host = `${dice.pick(hosts)}.${team.emailDomain}`;
    return team.emailDomain === '' ? undefined : { q: host, right: nearestTo(host, list) };
  };
}

export const domainForms: readonly QueryForm[] = [
  named(mailDomain, (host) => host),
  below(['mail', 'vpn', 'srv-12.dc2', 'static-203-0-113-9.dsl', 'owa']),
  named(website, (host) => `https://${host}/en/contact.php?id=17&print=1#top`),
  named(mailDomain, (host) => `kim.larsen@${host}`),
];

/** Numbers of countries with a range for fiction; those of other countries are shared by many teams of the demo. */
const NUMBER = /^\+(?<country>1|33|353|44|46|49|61) (?<national>[\d -]+\d)(?: \(fax\))?$/;

/** Digit before a national number within the country. */
const TRUNK_PREFIX: Readonly<Record<string, string>> = { 1: '' };

/** A telephone number in another writing. The teams with a number that ends with the digits are right. */
function rewritten(
  write: (country: string, national: string) => string | undefined,
  digits: 'all' | 'national',
): QueryForm {
  return ({ telephones }, list) => {
    for (const telephone of telephones) {
      const { country, national } = NUMBER.exec(telephone)?.groups ?? {};
      if (country === undefined || national === undefined) continue;
      const q = write(country, national);
      const known = digitsOf(digits === 'all' ? country + national : national);
      if (q === undefined) return undefined;
      return { q, right: list.where((other) => other.telephones.some((one) => digitsOf(one).endsWith(known))) };
    }
    return undefined;
  };
}

const trunkOf = (country: string): string => TRUNK_PREFIX[country] ?? '0';

export const telephoneForms: readonly QueryForm[] = [
  rewritten((country, national) => `${trunkOf(country)}${national}`, 'national'),
  rewritten((country, national) => `00${country} ${national}`, 'all'),
  rewritten((country, national) => `+${country}.${national.replaceAll(/[ -]/g, '.')}`, 'all'),
  rewritten((country, national) => `+${country}${digitsOf(national)}`, 'all'),
  rewritten((country, national) => (trunkOf(country) === '' ? undefined : `+${country} (0)${national}`), 'all'),
];

/** The first key of a team in another writing. The teams with a key that ends with the digits are right. */
function keyed(digitsUsed: number, write: (digits: string) => string): QueryForm {
  return ({ keys: [key] }, list) => {
    if (key?.length !== 40) return undefined;
    const digits = key.slice(-digitsUsed);
    return { q: write(digits), right: list.where(({ keys }) => keys.some((other) => other.endsWith(digits))) };
  };
}

/** The whole fingerprint, the long id and the short id, in digits. */
const [WHOLE, LONG, SHORT] = [40, 16, 8];

const inGroups = (digits: string): string => digits.replaceAll(/.{4}(?=.)/g, '$& ');

export const keyForms: readonly QueryForm[] = [
  keyed(WHOLE, inGroups),
  // GnuPG has two spaces in the middle.
  keyed(WHOLE, (digits) => `${inGroups(digits.slice(0, 20))}  ${inGroups(digits.slice(20))}`),
  keyed(WHOLE, (digits) => digits.toLowerCase()),
  keyed(LONG, (digits) => `0x${digits}`),
  keyed(LONG, (digits) => digits.toLowerCase()),
  keyed(SHORT, (digits) => `0x${digits.toLowerCase()}`),
];
