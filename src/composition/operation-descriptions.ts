import type { OperationDescription } from '../http/operations/served-resource.js';

const SEARCH_DESCRIPTION =
  'The teams of all sources that a text finds, the most relevant first: a short name, beginnings of words, words, misspelled and transliterated ones; a host name, URL or e-mail address; a telephone number; a fingerprint, key id or public key; an IP address or AS number. Filters select the teams that are searched. A source whose present records are not indexed is `stale` where its records before are searched, else `partial`: reason `index`.';

/** For the description of the interfaces (decisions 2.42). The examples are requests to the demo; a test sends them. */
export const operationDescriptions = {
  listDirectoryTeams: {
    operationId: 'listDirectoryTeams',
    summary: 'List teams',
    description:
      'The teams of all sources, in the form of the directory interface, by default sorted by `short-team-name`. Filters, searches and countries combine with AND. Records of different sources are never merged.',
    examples: [
      {
        summary: 'The teams of one organisation in a region',
        parameters: {
          region: '154',
          host: 'haggvalla lasarett',
          fields: 'short-team-name,host,source-name',
          envelope: 'false',
        },
        response: [
          {
            'short-team-name': 'Häggvalla Health CERT',
            host: 'Häggvalla lasarett',
            'source-name': 'Lantern Network (sample)',
          },
        ],
      },
      {
        summary: 'The first of many matches, in an envelope',
        parameters: {
          country: 'DK',
          limit: '1',
          fields: 'short-team-name,country-code,source-name',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          status_code: 200,
          version: '1.0',
          total: 80,
          'last-modified': 'Wed, 30 Sep 2026 20:00:00 GMT',
          limit: 1,
          offset: 0,
          data: [
            {
              'short-team-name': 'BankCERT Blæsenborg',
              'country-code': 'DK',
              'source-name': 'Ledger List (sample)',
            },
          ],
        },
      },
    ],
  },
  readDirectoryTeam: {
    operationId: 'readDirectoryTeam',
    summary: 'Read one team',
    description:
      'One team by its id, which is the property `-rollcall-id` of lists, and the `id` of the data interface. Only the source with the code before the dot is queried.',
    examples: [
      {
        summary: 'A team',
        itemId: 'lantern.thorsvik-health-cert',
        parameters: {
          fields: '-rollcall-id,short-team-name,country-code,source-name',
          envelope: 'false',
        },
        response: {
          'short-team-name': 'Thorsvik Health CERT',
          'country-code': 'IS',
          'source-name': 'Lantern Network (sample)',
          '-rollcall-id': 'lantern.thorsvik-health-cert',
        },
      },
    ],
  },
  listSameDirectoryTeam: {
    operationId: 'listSameDirectoryTeam',
    summary: 'List records of the same team',
    description:
      'The records of other repositories that are probably of the same team, with the reasons and the properties that disagree. The records stay separate.',
    examples: [
      {
        summary: 'The other records of a team',
        itemId: 'harbour.mossgate-psirt',
        parameters: { envelope: 'false' },
        response: [
          {
            'short-team-name': 'Mossgate PSIRT',
            'official-team-name': 'Mossgate Product Security Incident Response Team',
            'country-code': 'NZ',
            'source-name': 'Chronicle of Teams (sample)',
            '-rollcall-id': 'chronicle.mossgate-psirt',
            'last-modified': '2024-06-16T07:15:02+00:00',
            reasons: [{ kind: 'domain-and-name', domain: 'example.org', name: 'Mossgate PSIRT' }],
            disagreements: [
              {
                property: 'email',
                here: ['cert@mossgate-psirt-nz.example.org'],
                there: ['abuse@mossgate-psirt-nz.example.org'],
              },
            ],
          },
        ],
      },
    ],
  },
  searchDirectoryTeams: {
    operationId: 'searchDirectoryTeams',
    summary: 'Search teams by relevance',
    description: `${SEARCH_DESCRIPTION} Records have the form of the directory interface.`,
    examples: [
      {
        summary: 'A name as it was heard',
        parameters: {
          q: 'thorsvik helth',
          limit: '1',
          fields: 'short-team-name,source-name,-rollcall-score,-rollcall-matches',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          status_code: 200,
          version: '1.0',
          total: 4,
          limit: 1,
          offset: 0,
          'did-you-mean': 'thorsvik health',
          data: [
            {
              'short-team-name': 'Þórsvík Health CERT',
              'source-name': 'Harbour Register (sample)',
              '-rollcall-score': 0.804,
              '-rollcall-matches': [
                {
                  kind: 'word',
                  property: 'short-team-name',
                  text: 'thorsvik',
                },
                {
                  kind: 'spelling',
                  property: 'short-team-name',
                  text: 'health',
                },
              ],
            },
          ],
        },
      },
    ],
  },
  listDataTeams: {
    operationId: 'listDataTeams',
    summary: 'List team profiles',
    description:
      'The teams of all sources, in the form of the data interface, by default sorted by `team`. `scope` selects the properties.',
    examples: [
      {
        summary: 'A search by words',
        parameters: {
          q: 'iceland health',
          fields: 'id,team,country,source-name',
          envelope: 'true',
          limit: '2',
        },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          'last-modified': 'Wed, 30 Sep 2026 20:00:00 GMT',
          total: 4,
          access: 'public',
          data: [
            {
              id: 'lantern.thorsvik-health-cert',
              team: 'Thorsvik Health CERT',
              country: 'IS',
              'source-name': 'Lantern Network (sample)',
            },
            {
              id: 'attic.thorsvik-health-cert',
              team: 'ÞÓRSVÍK HEALTH CERT',
              country: 'IS',
              'source-name': 'The Attic List (sample)',
            },
          ],
        },
      },
    ],
  },
  readDataTeam: {
    operationId: 'readDataTeam',
    summary: 'Read one team profile',
    description: 'One team by its id. Only the source with the code before the dot is queried.',
    examples: [
      {
        summary: 'A team',
        itemId: 'lantern.thorsvik-health-cert',
        parameters: {
          fields: 'id,team,country,source-name',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          'last-modified': 'Fri, 14 Aug 2026 18:30:00 GMT',
          access: 'public',
          data: {
            id: 'lantern.thorsvik-health-cert',
            team: 'Thorsvik Health CERT',
            country: 'IS',
            'source-name': 'Lantern Network (sample)',
          },
        },
      },
    ],
  },
  searchDataTeams: {
    operationId: 'searchDataTeams',
    summary: 'Search team profiles by relevance',
    description: `${SEARCH_DESCRIPTION} Records have the form of the data interface, in the selected scope.`,
    examples: [
      {
        summary: 'A name as it was heard',
        parameters: { q: 'thorsvik helth', limit: '1', scope: 'minimal', envelope: 'false' },
        response: [
          {
            u: 'https://cert.thorsvik-hospital.example.org/',
            s: 'Þórsvík Health CERT',
            t: 'Sjúkrahúsið í Þórsvík Cyber Defence Centre',
            c: 'IS',
            r: 'Europe',
            'source-name': 'Harbour Register (sample)',
            '-rollcall-score': 0.804,
            '-rollcall-matches': [
              {
                kind: 'word',
                property: 'team',
                text: 'thorsvik',
              },
              {
                kind: 'spelling',
                property: 'team',
                text: 'health',
              },
            ],
          },
        ],
      },
    ],
  },
  listNews: {
    operationId: 'listNews',
    summary: 'List news',
    description:
      'The news items of all sources, newest first. Paging reaches the first 10,000 items; use `before` and `after` for others.',
    examples: [
      {
        summary: 'Items of a channel',
        parameters: {
          channel: 'Advisories',
          limit: '1',
          fields: 'id,title,published,source-name',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          'last-modified': 'Wed, 30 Sep 2026 20:00:00 GMT',
          total: 38,
          limit: 1,
          offset: 0,
          access: 'public',
          data: [
            {
              id: 139004,
              title: 'Papyrus & Sons: a date that comes after all others (CHR-2026-136)',
              published: 'Sat, 19 Sep 2026 09:55:27 GMT',
              'source-name': 'Chronicle of Teams (sample)',
            },
          ],
        },
      },
    ],
  },
  readNewsItem: {
    operationId: 'readNewsItem',
    summary: 'Read one news item',
    description:
      'One news item by its id, with its content and its channels. Only the source that owns the id is queried.',
    examples: [
      {
        summary: 'An item',
        itemId: '140004',
        parameters: {
          fields: 'id,title,channels,source-name',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          'last-modified': 'Wed, 30 Sep 2026 06:00:00 GMT',
          access: 'public',
          data: {
            id: 140004,
            title: 'Blouheuwel Telecom looks for an incident handler',
            channels: ['Vacancies'],
            'source-name': 'Chronicle of Teams (sample)',
          },
        },
      },
    ],
  },
  listChannels: {
    operationId: 'listChannels',
    summary: 'List channels',
    description: 'The channels on which the sources publish news, by default sorted by `title`.',
    examples: [
      {
        summary: 'The channels of a title',
        parameters: {
          channel: 'Advisories',
          limit: '1',
          fields: 'id,title,link,source-name',
          envelope: 'true',
        },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          'last-modified': 'Wed, 30 Sep 2026 20:00:00 GMT',
          total: 1,
          limit: 1,
          offset: 0,
          access: 'public',
          data: [
            {
              id: 2004,
              title: 'Advisories',
              link: 'https://www.chronicle.example.org/advisories',
              'source-name': 'Chronicle of Teams (sample)',
            },
          ],
        },
      },
    ],
  },
  listCountries: {
    operationId: 'listCountries',
    summary: 'List countries',
    description: 'Countries and their regions, by their codes. The list is of this gateway, and rests on no source.',
    examples: [
      {
        summary: 'The first countries of a region',
        parameters: { region: 'Africa', limit: '2', envelope: 'true' },
        response: {
          status: 'OK',
          'status-code': 200,
          version: '1',
          total: 60,
          limit: 2,
          offset: 0,
          access: 'public',
          data: {
            DZ: {
              country: 'Algeria',
              region: 'Africa',
            },
            AO: {
              country: 'Angola',
              region: 'Africa',
            },
          },
        },
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDescription>>;
