import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(closeDataGateways);

/** A gateway over a source whose only page is this body. */
async function startWithPage(body: object): Promise<DataGateway> {
  const page = faulty.body(JSON.stringify(body));
  const end = faulty.body(JSON.stringify({ ...body, data: [] }));
  const handler = faulty.when(faulty.atOffset(0), page, end);
  return startDataGateway({ one: { records: {}, handler, registration: { site: SITE } } });
}

const SITE = 'https://www.example.org';

/** The data-quality findings in the log. */
function findings({ gateway }: DataGateway): unknown {
  return gateway.log.map(({ facts }) => ('findings' in facts ? facts.findings : undefined)).find((value) => value);
}

describe('teams in the form of 2014, before version 1', () => {
  const body = {
    status: 200,
    length: 2,
    data: [
      {
        id: 'harbour-br',
        team: 'HARBOUR/BR',
        'team-full': 'Harbour Research Network CSIRT',
        host: 'Harbour Research Network',
        country: 'BR',
        website: 'http://www.harbour.example.org/',
        email: 'cert@harbour.example.org',
        phone: '+1-202-555-0100',
        fax: '+1-202-555-0101',
        'phone-emergency': '+1-202-555-0102',
        timezone: 'UTC-03',
        'timezone-dst': 'UTC-02',
        'other-communication': 'INOC-DBA: 64496*800',
      },
      {
        id: 'inland_cert',
        team: 'Inland CERT',
        country: 'BR',
        website: 'www.inland.example.org',
        phone: '+1-202-555-0103',
      },
    ],
  };

  it('keep all their properties, with scalars as lists', async () => {
    const gateway = await startWithPage(body);
    const response = await gateway.ask('/teams');
    const [harbour] = body.data;
    expect(JSON.stringify(response.data)).toBe(
      JSON.stringify(
        [
          {
            ...harbour,
            id: 'one.harbour-br',
            website: ['http://www.harbour.example.org/'],
            phone: ['+1-202-555-0100'],
            'source-name': 'one',
          },
          {
            id: 'one.inland_cert',
            team: 'Inland CERT',
            country: 'BR',
            website: ['www.inland.example.org'],
            phone: ['+1-202-555-0103'],
            'source-name': 'one',
          },
        ].map(inTableOrder),
      ),
    );
    expect(findings(gateway)).toEqual({
      'not-a-url website': 1,
    });
  });

  it('have the same values on the directory interface', async () => {
    const { gateway } = await startWithPage(body);
    expect((await gateway.get('/directory/v1/teams?short-team-name=harbour/br')).json).toEqual([
      {
        'short-team-name': 'HARBOUR/BR',
        'official-team-name': 'Harbour Research Network CSIRT',
        'country-code': 'BR',
        website: ['http://www.harbour.example.org/'],
        email: 'cert@harbour.example.org',
        host: 'Harbour Research Network',
        'phone-numbers': ['+1-202-555-0102', '+1-202-555-0100', '+1-202-555-0101 (fax)'],
        'source-name': 'one',
      },
    ]);
  });
});

describe('teams in the form of the documentation of 2016', () => {
  const team = {
    id: 'harbour',
    team: 'Harbour CERT',
    'team-full': 'Harbour Computer Emergency Response Team',
    host: 'Harbour Authority',
    establishment: '2014-11-15',
    address: 'Quay 1\r\nHarbour',
    country: 'NO',
    website: ['https://harbour.example.org/'],
    email: 'cert@harbour.example.org',
    phone: ['+1 202 555 0100', '+1 202 555 0101 (fax)'],
    fax: '+1 202 555 0101',
    'phone-emergency': '+1 202 555 0100',
    timezone: 'UTC+1',
    'timezone-dst': 'UTC+2',
    'operating-hours': 'Mo-Fr 9-17',
    constituency: 'Government',
    'constituency-description': 'Harbours and their authorities',
    'last-modified': '2016-06-09 13:59:39+00:00',
  };
  const envelope = { status: 'OK', 'status-code': 200, version: '1', 'last-modified': 'Thu, 09 Jun 2016 13:59:39 GMT' };
  const body = { ...envelope, total: 1, access: 'public', data: [team] };

  it('are shown unchanged except for id and source-name, with an identical envelope', async () => {
    const gateway = await startWithPage(body);
    const { text, headers } = await gateway.ask('/teams');
    const { 'last-modified': lastModified, ...facts } = team;
    const data = [{ ...facts, id: 'one.harbour', 'source-name': 'one', 'last-modified': lastModified }];
    expect(text).toBe(JSON.stringify({ ...envelope, total: 1, access: 'public', data }, undefined, 4));
    expect(headers.get('last-modified')).toBe(envelope['last-modified']);
    expect(findings(gateway)).toEqual({});
  });

  it('list a fax and an emergency number that repeat a phone number only once on the directory interface', async () => {
    const { gateway } = await startWithPage(body);
    const { json } = await gateway.get('/directory/v1/teams?fields=phone-numbers,last-modified');
    expect(json).toEqual([
      { 'phone-numbers': ['+1 202 555 0100', '+1 202 555 0101 (fax)'], 'last-modified': '2016-06-09T13:59:39+00:00' },
    ]);
  });
});

describe('teams in the form of the responses recorded in 2026', () => {
  const team = {
    id: 'harbour_csirt',
    team: 'Harbour CSIRT',
    'team-full': 'Harbour Ltd. & Co.',
    membership: 'Full Member',
    'team-type': 'CSIRT',
    host: 'Harbour Ltd.',
    establishment: 'September 8, 2008',
    address: 'Quay 1\nHarbour \n',
    country: 'UK',
    'country-other': ['ES'],
    email: 'csirt@harbour.example.org',
    phone: ['+1 202-555-0100', '(fax)', '+1 202-555-0101'],
    'phone-emergency': '+1 202-555-0101',
    timezone: 'GMT+2',
    'pgp-id': '0x89ABCDEF01234567',
    'pgp-fingerprint': '0123456789ABCDEF0123456789ABCDEF01234567',
    'pgp-key': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----',
    constituency: 'Financial sector',
    'member-since': 'December 7, 2004',
    'last-modified': 'Fri, 08 Aug 2025 13:35:32 GMT',
  };
  const facts = { status: 'OK', 'status-code': 200, version: '1.0', access: 'public', total: 1, offset: 0, limit: 20 };
  const body = { ...facts, data: [team] };

  it('are shown in the documented form, with new properties last and without keys', async () => {
    const gateway = await startWithPage(body);
    const { envelope, data } = await gateway.ask('/teams');
    expect(Object.keys(envelope)).toEqual([
      'status',
      'status-code',
      'version',
      'last-modified',
      'total',
      'access',
      'data',
    ]);
    expect(envelope).toMatchObject({ version: '1' });
    const shown = {
      id: 'one.harbour_csirt',
      team: team.team,
      'team-full': team['team-full'],
      host: team.host,
      establishment: '2008-09-08',
      address: 'Quay 1\nHarbour',
      country: 'GB',
      email: team.email,
      phone: ['+1 202-555-0100', '+1 202-555-0101'],
      'phone-emergency': '+1 202-555-0101',
      timezone: 'GMT+2',
      constituency: 'Financial sector',
      'source-name': 'one',
      membership: 'Full Member',
      'team-type': 'CSIRT',
      'country-other': ['ES'],
      'member-since': '2004-12-07',
      'last-modified': '2025-08-08 13:35:32+00:00',
    };
    expect(JSON.stringify(data)).toBe(JSON.stringify([shown]));
    expect(findings(gateway)).toEqual({
      'date-form establishment': 1,
      'date-form member-since': 1,
      'date-form last-modified': 1,
      'white-space address': 1,
      'country-form country': 1,
      'bare-fax phone': 1,
    });
  });

  it('have their keys and membership on the directory interface', async () => {
    const { gateway } = await startWithPage(body);
    expect((await gateway.get('/directory/v1/teams')).json).toEqual([
      {
        'short-team-name': 'Harbour CSIRT',
        'official-team-name': 'Harbour Ltd. & Co.',
        'postal-address': 'Quay 1\nHarbour',
        'country-code': 'GB',
        'additional-country-code': ['ES'],
        email: 'csirt@harbour.example.org',
        host: 'Harbour Ltd.',
        establishment: '2008-09-08',
        'phone-numbers': ['+1 202-555-0101', '+1 202-555-0100'],
        enckeys: ['0x0123456789ABCDEF0123456789ABCDEF01234567'],
        constituency: 'Financial sector',
        'source-name': 'one',
        '-one-member-type': 'Full Member',
        'last-modified': '2025-08-08T13:35:32+00:00',
      },
    ]);
  });

  it('are an empty list when the source has none', async () => {
    const response = await (await startWithPage({ ...facts, total: 0, data: [] })).ask('/teams');
    expect(response.envelope).toEqual({
      status: 'OK',
      'status-code': 200,
      version: '1',
      total: 0,
      access: 'public',
      data: [],
    });
  });
});

describe('channels in the form of the documentation', () => {
  const channel = {
    id: 25,
    title: 'Newsletters',
    link: 'https://www.example.org/newsroom/newsletters',
    rss: 'https://www.example.org/newsroom/newsletters/rss.xml',
    image: 'https://www.example.org/_/img/1st.png',
    summary: 'Harbour Post',
    copyright: '© 1995-2019 by Example.org, Inc.',
  };

  it('are shown unchanged, with further properties last', async () => {
    const facts = {
      status: 'OK',
      'status-code': 200,
      version: '1.0',
      access: 'public',
      total: 1,
      offset: 0,
      limit: 100,
    };
    const gateway = await startWithPage({ ...facts, data: [{ language: 'en', ...channel }] });
    const { text } = await gateway.ask('/channels?pretty=0');
    const envelope = {
      status: 'OK',
      'status-code': 200,
      version: '1',
      total: 1,
      limit: 100,
      offset: 0,
      access: 'public',
    };
    const data = [{ ...channel, id: 25001, 'source-name': 'one', language: 'en' }];
    expect(text).toBe(JSON.stringify({ ...envelope, data }));
    expect(findings(gateway)).toEqual({});
  });
});

describe('news in list form', () => {
  it('has an envelope with limit and offset, and every date as an HTTP date', async () => {
    const news = [
      { published: '2016-06-09 13:59:39 +00:00', link: '/a', title: 'A', id: '7', author: 'Somebody' },
      { id: 8, title: 'B', summary: '', published: 'Thu, 02 Apr 2015 21:28:40 +0000' },
    ];
    const gateway = await startWithPage({ status: 'OK', 'status-code': 200, total: 2, data: news });
    const { text } = await gateway.ask('/news?limit=5&pretty=false');
    const data = [
      {
        id: 7001,
        title: 'A',
        link: `${SITE}/a`,
        published: 'Thu, 09 Jun 2016 13:59:39 GMT',
        'source-name': 'one',
        author: 'Somebody',
      },
      { id: 8001, title: 'B', published: 'Thu, 02 Apr 2015 21:28:40 GMT', 'source-name': 'one' },
    ];
    const facts = { status: 'OK', 'status-code': 200, version: '1', 'last-modified': 'Thu, 09 Jun 2016 13:59:39 GMT' };
    expect(text).toBe(JSON.stringify({ ...facts, total: 2, limit: 5, offset: 0, access: 'public', data }));
  });
});

describe('news received in detail form', () => {
  it('is listed and searched without the properties of the detail form', async () => {
    const item = { id: 7, title: 'A', content: '<p>Secret garden</p>', channels: ['Events'], link: '/a' };
    const gateway = await startWithPage({ status: 'OK', total: 1, data: [item] });
    expect((await gateway.ask('/news')).data).toEqual([
      { id: 7001, title: 'A', link: `${SITE}/a`, 'source-name': 'one' },
    ]);
    expect((await gateway.ask('/news?q=garden')).envelope).toMatchObject({ total: 0 });
  });
});

const TABLE = [
  ...['id', 'team', 'team-full', 'host', 'country', 'website', 'email', 'phone', 'fax', 'phone-emergency', 'timezone'],
  ...['timezone-dst', 'other-communication', 'source-name'],
];

function inTableOrder(team: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(TABLE.flatMap((name) => (team[name] === undefined ? [] : [[name, team[name]]])));
}
