import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../../../src/model/document-node.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { extractPublicKeys } from '../../../src/render/exports/public-key-armor.js';
import { renderVcards } from '../../../src/render/exports/vcard.js';
import { createRenderInput } from '../../../src/render/render-input.js';
import type { ContributingSource, RecordItem, ResponseFacts } from '../../../src/render/render-input.js';
import { readVcards, valuesOf } from '../../support/formats/vcard-reader.js';
import { anyText } from '../../support/generators/any-text.js';
import { hostileTexts } from '../../support/generators/hostile-values.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

const FINGERPRINT = '763306A222FB0858CDA72E262000ACB2AFA61BBA';

function item(properties: Readonly<Record<string, DocumentNode>>, facts: Partial<RecordItem> = {}): RecordItem {
  const base = { id: 'harbour.a', title: 'A', sourceName: 'Harbour', address: undefined };
  return { ...base, ...facts, properties: new Map(Object.entries(properties)) };
}

function render(
  items: readonly RecordItem[],
  sources: readonly ContributingSource[] = [],
  more: Partial<ResponseFacts> = {},
): string {
  const { facts } = createRenderInput({});
  const completeness = sources.some(({ state }) => state === 'failed') ? 'partial' : 'complete';
  return [...renderVcards({ items, facts: { ...facts, sources, completeness, ...more } })].join('');
}

const cardOf = (properties: Readonly<Record<string, DocumentNode>>): ReturnType<typeof readVcards>[number] =>
  readVcards(render([item(properties)]))[0] ?? [];

const noteOf = (properties: Readonly<Record<string, DocumentNode>>): string =>
  valuesOf(cardOf(properties), 'note').join();

describe('a vCard', () => {
  it('has the names, addresses and dates of the directory interface', () => {
    const card = cardOf({
      'short-team-name': 'Fjord-CERT',
      'official-team-name': 'The Fjord, CERT; of Bergen',
      'postal-address': 'Strandgata 1\r\n5003 Bergen',
      'country-code': 'NO',
      email: 'cert@example.no',
      'last-modified': '2026-03-13T16:07:00+00:00',
    });
    expect(Object.fromEntries(card.map(({ name, values }) => [name, values]))).toMatchObject({
      version: ['4.0'],
      kind: ['org'],
      uid: ['harbour.a'],
      fn: ['The Fjord, CERT; of Bergen'],
      org: ['The Fjord, CERT; of Bergen'],
      nickname: ['Fjord-CERT'],
      adr: [['', '', 'Strandgata 1\n5003 Bergen', '', '', '', 'Norway']],
      email: ['cert@example.no'],
      rev: [expect.stringContaining('2026-03-13T16:07:00')],
      'x-rollcall-source-name': ['Harbour'],
    });
  });

  it('has the names of the data interface and of its scopes', () => {
    expect(valuesOf(cardOf({ team: 'A', 'team-full': 'Team A' }), 'fn')).toEqual(['Team A']);
    expect(valuesOf(cardOf({ s: 'A', t: 'Team A' }), 'nickname')).toEqual(['A']);
    expect(valuesOf(cardOf({ u: 'https://a.example/' }), 'url')).toEqual(['https://a.example/']);
    expect(valuesOf(cardOf({ timezone: 'UTC+01:00' }), 'tz')).toEqual(['UTC+01:00']);
  });

  it.each([
    ['+47 5550 (01) 00', 'uri', 'voice', 'tel:+4755500100'],
    ['+47 5550 0101 (fax)', 'uri', 'fax', 'tel:+4755500101'],
    ['5550 0100', 'text', 'voice', '5550 0100'],
    ['+47 (0)55 50 01 00', 'text', 'voice', '+47 (0)55 50 01 00'],
    ['+47 5550 0100/101', 'text', 'voice', '+47 5550 0100/101'],
    ['+47 5550 0100 ext. 5', 'text', 'voice', '+47 5550 0100 ext. 5'],
    ['+1234', 'uri', 'voice', 'tel:+1234'],
    ['+123', 'text', 'voice', '+123'],
    ['+123456789012345', 'uri', 'voice', 'tel:+123456789012345'],
    ['+1234567890123456', 'text', 'voice', '+1234567890123456'],
  ])('writes the telephone number %s as %s of type %s', (text, value, type, written) => {
    const lines = render([item({ 'phone-numbers': [text] })]).split('\r\n');
    expect(lines).toContain(`TEL;VALUE=${value};TYPE=${type}:${written}`);
  });

  it('writes fingerprints and armored keys, and puts key ids into the note', () => {
    const armored = openpgpKeys[0]?.armored ?? '';
    const card = cardOf({ enckeys: [`0x${FINGERPRINT.toLowerCase()}`, '0x2000ACB2AFA61BBA'], 'pgp-key': armored });
    expect(valuesOf(card, 'key')).toEqual([
      `openpgp4fpr:${FINGERPRINT}`,
      `data:application/pgp-keys;base64,${Buffer.from(extractPublicKeys(armored) ?? '').toString('base64')}`,
    ]);
    expect(valuesOf(card, 'note').join()).toContain('Key id: 0x2000ACB2AFA61BBA');
  });

  it('is written in pieces, also a text of a megabyte', () => {
    const text = 'é\r\n'.repeat(300_000);
    const properties = new Map([
      ['team', text],
      ['address', text],
      ['pgp-fingerprint', text],
      ['host', text],
    ]);
    const { facts } = createRenderInput({});
    const pieces = [...renderVcards({ facts, items: [{ ...item({}), properties }] })];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(20_000);
    const [card = []] = readVcards(pieces.join(''));
    expect(valuesOf(card, 'fn')).toEqual([text.replaceAll('\r\n', '\n')]);
  });

  it.each([`+47 1${' '.repeat(1_000_000)}x`, `+1${' (fax)'.repeat(100_000)}`])(
    'has a number that is too long for one as text: %.10s…',
    (text) => {
      const card = cardOf({ phone: text });
      expect(card.find(({ name }) => name === 'tel')?.values).toEqual([text]);
    },
  );

  it.each(['-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxVgEawXk\n-----END PGP PRIVATE KEY BLOCK-----', '-----BEGIN'])(
    'says in its note that a key is left out, and does not show it: %j',
    (text) => {
      const card = cardOf({ 'pgp-key': text });
      expect(valuesOf(card, 'key')).toEqual([]);
      expect(valuesOf(card, 'note').join()).toContain('Key: left out, because it cannot be read as a public key\n');
      expect(render([item({ 'pgp-key': text })])).not.toMatch(/xVgEawXk|-----/);
    },
  );

  it('writes several fingerprints of one text', () => {
    const other = FINGERPRINT.replace('76', '67');
    expect(valuesOf(cardOf({ 'pgp-fingerprint': `${FINGERPRINT}, ${other}` }), 'key')).toHaveLength(2);
  });

  it('has fingerprints of 64 digits as keys, lists split at commas and semicolons, and no empty item', () => {
    const long = 'AB'.repeat(32);
    const card = cardOf({ 'pgp-fingerprint': ` ${FINGERPRINT} ;${long},, 0x0123 ; ` });
    expect(valuesOf(card, 'key')).toEqual([`openpgp4fpr:${FINGERPRINT}`, `openpgp4fpr:${long}`]);
    expect(valuesOf(card, 'note')).toEqual(['Key id: 0x0123\nSource: Harbour.']);
  });

  it('has the emergency number as a telephone number and in its note, and no number twice', () => {
    const card = cardOf({ phone: ['+47 5550 0100', '112'], 'phone-emergency': '+4755500100' });
    expect(valuesOf(card, 'tel')).toEqual(['tel:+4755500100', '112']);
    expect(valuesOf(card, 'note')).toEqual(['Emergency phone: +4755500100\nSource: Harbour.']);
    expect(valuesOf(cardOf({ phone: '112', 'phone-emergency': '+47 113' }), 'tel')).toEqual(['112', 'tel:+47113']);
  });

  it.each(['country-code', 'country', 'c'])(
    'has the country of %s by its name, and an unknown one as it is',
    (name) => {
      const address = ['', '', '', '', '', ''];
      expect(valuesOf(cardOf({ [name]: 'NO' }), 'adr')).toEqual([[...address, 'Norway']]);
      expect(valuesOf(cardOf({ [name]: 'Atlantis' }), 'adr')).toEqual([[...address, 'Atlantis']]);
    },
  );

  it.each([
    ['additional-country-code', 'Further countries'],
    ['country-other', 'Further countries'],
    ['o', 'Further countries'],
    ['timezone-dst', 'Time zone in summer'],
    ['constituency-code', 'Constituency code'],
    ['establishment', 'Establishment'],
    ['membership', 'Membership'],
    ['member-since', 'Member since'],
    ['team-type', 'Team type'],
    ['region', 'Region'],
    ['r', 'Region'],
    ['-harbour-member-type', '-harbour-member-type'],
  ])('has %s in its note as %s', (name, label) => {
    expect(noteOf({ [name]: ['one', 'two'] })).toBe(`${label}: one, two\nSource: Harbour.`);
  });

  it('loses no property of teams, whatever its name is', () => {
    const names = [directoryTeams, dataTeams].flatMap(({ properties, knownExtraProperties, trailingProperty }) =>
      [...properties, ...knownExtraProperties, ...(trailingProperty ? [trailingProperty] : [])].map(({ name }) => name),
    );
    for (const name of [...names, '-harbour-anything', 'unheard-of']) {
      const sourceName = name === 'source-name' ? 'Value of it' : 'Harbour';
      const id = name === 'id' ? 'Value of it' : 'harbour.a';
      const text = name === 'pgp-key' ? (openpgpKeys[0]?.armored ?? '').trim() : 'Value of it';
      const shown = name === 'pgp-key' ? Buffer.from(extractPublicKeys(text) ?? '').toString('base64') : text;
      expect(render([item({ [name]: text }, { sourceName, id })]).replaceAll('\r\n ', '')).toContain(shown);
    }
  });

  it('has a date of change without a time in its note, and not as a revision', () => {
    const card = cardOf({ 'last-modified': '2026-03-13' });
    expect([valuesOf(card, 'rev'), valuesOf(card, 'note')]).toEqual([
      [],
      ['Last modified: 2026-03-13\nSource: Harbour.'],
    ]);
    expect(noteOf({ 'last-modified': '2026-03-13T16:07:00+00:00' })).toBe('Source: Harbour.');
  });

  it('has no line in its note for an empty list', () => {
    expect(noteOf({ '-harbour-codes': [], 'country-other': [] })).toBe('Source: Harbour.');
  });

  it('has its id and its source in no note', () => {
    expect(noteOf({ id: 'harbour.a', '-rollcall-id': 'harbour.a', 'source-name': 'Harbour' })).toBe('Source: Harbour.');
  });

  it('has addresses that are ambiguous in its note', () => {
    const both = 'https://a.example/\nhttps://b.example/';
    expect(valuesOf(cardOf({ website: [both] }), 'url')).toEqual([]);
    expect(noteOf({ website: [both] })).toContain(`Website: ${both}\n`);
  });

  it('states the source in the last line of its note, also where the name has line ends', () => {
    const name = 'Evil\nSource: Trusted.\r\nComplete\u2028x';
    const [card] = readVcards(render([item({ host: 'H' }, { sourceName: name })]));
    expect(valuesOf(card, 'note')).toEqual(['Host: H\nSource: Evil Source: Trusted. Complete x.']);
  });

  it('states in its note which cards of the list the file has, unless it has all', () => {
    const closing = (page: ResponseFacts['page']): string =>
      valuesOf(readVcards(render([item({})], [], { total: 723, ...(page && { page }) }))[0], 'note').join();
    expect(closing({ offset: 0, count: 100 })).toBe('Source: Harbour. Cards 1 to 100 of 723.');
    expect(closing({ offset: 700, count: 23 })).toBe('Source: Harbour. Cards 701 to 723 of 723.');
    expect(closing({ offset: 0, count: 723 })).toBe('Source: Harbour.');
    expect(closing(undefined)).toBe('Source: Harbour.');
  });

  it('states in its note what is wrong with its keys', () => {
    const keyProblems = [`Key ${FINGERPRINT}: has expired`, 'Key: cannot be read'];
    const [card] = readVcards(render([item({}, { keyProblems })]));
    expect(valuesOf(card, 'note')).toEqual([`${keyProblems.join('\n')}\nSource: Harbour.`]);
  });

  it('has in its note what no property can hold, and its source at the end', () => {
    const card = cardOf({
      website: ['javascript:alert(1)'],
      host: 'Host',
      constituency: 'All',
      'operating-hours': '9',
    });
    expect(valuesOf(card, 'url')).toEqual([]);
    expect(valuesOf(card, 'note')).toEqual([
      'Website: javascript:alert(1)\nConstituency: All\nOperating hours: 9\nHost: Host\nSource: Harbour.',
    ]);
  });

  it('states in the note of each card which sources are missing or stale, and adds no card', () => {
    const detail = {};
    const cards = readVcards(
      render(
        [item({}), item({})],
        [
          { sourceName: 'Harbour', state: 'fresh', detail, records: 2 },
          { sourceName: 'Lagoon', state: 'failed', reason: 'timeout', description: 'timed out', detail },
          { sourceName: 'Mole', state: 'stale', reason: 'status', description: 'HTTP status 500', detail, records: 1 },
        ],
      ),
    );
    expect(cards.map((card) => valuesOf(card, 'note').join())).toEqual(
      Array.from({ length: 2 }, () =>
        [
          'Source: Harbour.',
          'Incomplete: Lagoon is missing (timed out);',
          'Mole is shown as of its last good response (HTTP status 500).',
        ].join(' '),
      ),
    );
  });

  it('has a name and an id whatever properties are shown', () => {
    const card = readVcards(render([item({ email: 'a@example.org' }, { title: 'A' })]))[0];
    expect([valuesOf(card, 'fn'), valuesOf(card, 'uid')]).toEqual([['A'], ['harbour.a']]);
  });

  it('is folded at 75 bytes without splitting a character', () => {
    const text = `${'Ж€😀'.repeat(60)}${'x'.repeat(300)}`;
    const rendered = render([item({ 'official-team-name': text })]);
    for (const line of rendered.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line.isWellFormed()).toBe(true);
    }
    expect(valuesOf(readVcards(rendered)[0], 'fn')).toEqual([text]);
  });

  it('has the same properties whatever the texts are: no text begins a property or a card', () => {
    const properties = (text: string): Readonly<Record<string, DocumentNode>> => ({
      'short-team-name': text,
      'official-team-name': text,
      'postal-address': text,
      'country-code': text,
      email: text,
      'phone-numbers': [`+${text}`],
      website: [text],
      timezone: text,
      host: text,
    });
    const names = (text: string): readonly string[][] =>
      readVcards(render([item(properties(text), { id: text, sourceName: text })])).map((card) =>
        card.map(({ name }) => name).filter((name) => name !== 'url'),
      );
    const expected = names('plain');
    const breaks = ['\r\nEMAIL:x@example.org', '\nEND:VCARD\nBEGIN:VCARD', '\u2028X:1', '\u0085X:1', '\vX:1', 'a\\'];
    for (const text of [...hostileTexts.filter((one) => one !== ''), ...breaks]) expect(names(text)).toEqual(expected);
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== ''),
        (text) => {
          expect(names(text)).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('escapes the commas of a text, at which readers would split it into a list', () => {
    const lines = render([item({ 'official-team-name': 'Fjord, CERT', host: 'a\\b, c' })]).split('\r\n');
    expect(lines).toContain('FN:Fjord\\, CERT');
    expect(lines).toContain('ORG:Fjord\\, CERT');
    expect(lines).toContain('NOTE:Host: a\\\\b\\, c\\nSource: Harbour.');
  });

  it('has a replacement character for each character that a vCard cannot carry, and keeps tabs', () => {
    expect(valuesOf(cardOf({ team: 'a\0b\u001bc\u007fd\ud800e\tf' }), 'fn')).toEqual([
      'a\ufffdb\ufffdc\ufffdd\ufffde\tf',
    ]);
  });

  it('of a very long text is yielded in short pieces', () => {
    const { facts } = createRenderInput({});
    const pieces = [...renderVcards({ items: [item({ host: 'x'.repeat(1_000_000) })], facts })];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64 * 1024);
  });
});
