import { plain } from './languages.js';
import type { Entry, Repository, Sector, Team } from './team.js';

const everywhere: readonly Repository[] = ['harbour', 'lantern', 'attic'];

/** Teams whose records are hard to read, search, sort or write, each in the repositories where that matters. */
export function unusualTeams(): readonly Team[] {
  return [...namesakes(), ...scripts(), ...punctuation(), ...formulas(), ...extremes()];
}

/** The same short name in two countries, and twice in one repository. */
function namesakes(): readonly Team[] {
  return [
    curiosity(['harbour'], 'transport', {
      'short-team-name': 'DELTA-CERT',
      'official-team-name': 'Delta Lock Keepers CERT, North Bank',
      'country-code': 'NL',
      email: 'cert@north.delta-locks.example.org',
      'last-modified': '2025-03-04T08:15:00+00:00',
    }),
    curiosity(['harbour'], 'transport', {
      'short-team-name': 'DELTA-CERT',
      'official-team-name': 'Delta Lock Keepers CERT, South Bank',
      'country-code': 'NL',
      email: 'cert@south.delta-locks.example.org',
      'last-modified': '2025-03-04T08:15:00+00:00',
    }),
    curiosity(['lantern'], 'energy', {
      'short-team-name': 'DELTA-CERT',
      'official-team-name': 'Delta Marsh Power Cooperative CERT',
      'country-code': 'RO',
      'additional-country-code': ['UA', 'BG'],
      email: 'cert@delta-marsh.example.net',
      establishment: '2011',
    }),
    curiosity(['attic'], 'other', {
      'short-team-name': 'delta-cert',
      'official-team-name': 'Delta Ferrymen',
      'country-code': 'GR',
      email: 'ferry@delta.example.com',
      establishment: '2008-09-08',
    }),
  ];
}

/** Emoji, combining marks, right-to-left text, letters that folding replaces, capital dotted and small dotless i. */
function scripts(): readonly Team[] {
  return [
    curiosity(['harbour', 'lantern'], 'other', {
      'short-team-name': '🦉 Night Owl CSIRT',
      'official-team-name': '🦉 Night Owl CSIRT 👩🏽‍💻 (volunteers)',
      'country-code': 'CA',
      email: 'owl@night.example.org',
      'operating-hours': '🌙 22:00–06:00',
    }),
    curiosity(everywhere, 'education', {
      'short-team-name': 'Cafe\u0301-CERT',
      'official-team-name': 'Réseau des Cafés Universitaires, e\u0301quipe de re\u0301ponse',
      'country-code': 'FR',
      email: 'cafe@cert.example.org',
      host: 'Œuvre des Cafés',
    }),
    curiosity(['lantern'], 'finance', {
      'short-team-name': 'IŞIK-SOME',
      'official-team-name': 'Işık Takas Odası Siber Olaylara Müdahale Ekibi, İZMARİT Şubesi',
      'country-code': 'TR',
      email: 'some@isik-takas.example.org',
    }),
    curiosity(['harbour'], 'telecom', {
      'short-team-name': 'Straßen-CERT GROẞFELD',
      'official-team-name': 'Straßennetze Großfeld, Æther- und Øresund-Anbindung',
      'country-code': 'DE',
      'additional-country-code': ['DK', 'AT'],
      email: 'cert@strassen-grossfeld.example.org',
    }),
    curiosity(['harbour', 'attic'], 'national', {
      'short-team-name': 'نجم CERT \u200f(sample)',
      'official-team-name': 'فريق الاستجابة «النجم» CERT (sample)',
      'country-code': 'JO',
      email: 'najm@cert.example.org',
    }),
    curiosity(['lantern'], 'education', {
      'short-team-name': 'ＦＵＬＬＷＩＤＴＨ－ＣＥＲＴ',
      'official-team-name': '全角ネットワーク ﾊﾝｶｸ ＣＥＲＴ',
      'country-code': 'JP',
      email: 'cert@fullwidth.example.org',
    }),
    curiosity(['attic'], 'education', {
      'short-team-name': 'तारा CERT',
      'official-team-name': 'तारा विद्यापीठ संगणक आपातकालीन दल',
      'country-code': 'IN',
      email: 'tara@cert.example.org',
    }),
  ];
}

/** Characters with a meaning in JSON, XML, CSV, YAML, HTML or regular expressions. */
function punctuation(): readonly Team[] {
  return [
    curiosity(['harbour'], 'other', {
      'short-team-name': 'Quote "Unquote" CERT',
      'official-team-name': 'The "Quote", \'Unquote\' & Back\\slash Society <cert@quote.example.org>',
      'postal-address': 'c/o "The Printers"\r\n1 \\\\share\\street, 2nd floor\r\n<none>',
      'country-code': 'IE',
      email: 'cert@quote.example.org',
      'constituency-description':
        '<script>alert("not today")</script> & <!-- nor --> <![CDATA[ tomorrow ]]> ${or} {{ever}}',
    }),
    curiosity(['lantern'], 'other', {
      'short-team-name': 'Pipe|Comma,Semi;CERT',
      'official-team-name': 'Pipe | Fitters, Plumbers; and Sons: a "CSIRT"',
      'country-code': 'US',
      website: ['https://pipes.example.com/a|b,c?d=e&f=%7C', 'https://pipes.example.com/\\'],
      email: 'cert@pipes.example.com',
      'phone-numbers': ['+1 202-555-0161', '+1 202-555-0162 | ask for "Sam"', '+1 202-555-0163 (fax)'],
    }),
    curiosity(['lantern'], 'government', {
      'short-team-name': 'NO',
      'official-team-name': 'null: a team whose name is NO, and whose host is "yes"',
      'country-code': 'NO',
      host: 'yes',
      email: 'no@no.example.org',
      'operating-hours': '08:30',
      establishment: '2001',
    }),
    curiosity(['harbour'], 'telecom', {
      'short-team-name': '.*+?^${}()|[]\\ CERT',
      'official-team-name': 'The Regular Expressions Carrier %20 %2B + _ %',
      'country-code': 'CH',
      email: 'regex+cert@carrier.example.net',
    }),
  ];
}

/** Values that a spreadsheet would compute. */
function formulas(): readonly Team[] {
  return [
    curiosity(['harbour'], 'finance', {
      'short-team-name': '=SUM(A1:A9) CERT',
      'official-team-name': '=HYPERLINK("https://sheet.example.com","Spreadsheet Bank CERT")',
      'country-code': 'SG',
      email: 'cert@sheet.example.com',
      host: '+Plus Bank',
    }),
    curiosity(['lantern'], 'vendor', {
      'short-team-name': '@sign PSIRT',
      'official-team-name': '@sign Mailing Machines PSIRT',
      'country-code': 'PT',
      email: 'psirt@sign.example.com',
      host: '-1+1',
      'phone-numbers': ['+999 5550 0171', '+999 (5550) 0172 ext. 9'],
    }),
    curiosity(['attic'], 'other', {
      'short-team-name': '-Dash- CSIRT',
      'official-team-name': '-Dash- CSIRT',
      'country-code': 'BR',
      email: 'dash@cert.example.org',
      host: '\tTab & Sons',
    }),
  ];
}

/** Very long, very short and very few values. */
function extremes(): readonly Team[] {
  const name = `The Confederated Response Team of ${'the Upper, Middle and Lower '.repeat(8)}Valleys`;
  const sentence = (n: number): string =>
    `${n}. Whoever is plugged into cabinet ${n} of the long corridor is in our care. `;
  return [
    curiosity(['harbour', 'lantern'], 'education', {
      'short-team-name': 'LONG-CERT',
      'official-team-name': 'Long Corridor Library CERT',
      'country-code': 'MX',
      email: 'cert@long-corridor.example.org',
      'constituency-description': Array.from({ length: 120 }, (_, at) => sentence(at + 1)).join('\r\n'),
    }),
    curiosity(['lantern'], 'other', {
      'short-team-name': name,
      'official-team-name': `${name}, and of All Who Live There`,
      'country-code': 'AR',
      'additional-country-code': ['CL', 'PE', 'CO', 'BR', 'MX', 'JM'],
      email: 'cert@valleys.example.org',
    }),
    curiosity(['harbour'], 'other', { 'short-team-name': 'Ö', 'country-code': 'SE' }),
    curiosity(['lantern'], 'other', {
      'official-team-name': 'A team that never took a short name',
      'country-code': 'NZ',
    }),
  ];
}

function curiosity(homes: readonly Repository[], sector: Sector, entry: Entry): Team {
  const short = plain(entry['short-team-name'] ?? '');
  const official = plain(entry['official-team-name'] ?? '');
  return { homes, sector, entry, latin: { 'short-team-name': short, 'official-team-name': official } };
}
