import { describe, expect, it } from 'vitest';
import {
  findFormatByExtension,
  isBelowBasePath,
  compilePathPattern,
  parseRequestTarget,
  toRoutableTarget,
} from '../../../src/http/request/request-target.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { news } from '../../../src/model/resources/news.js';
import { jsonFormat } from '../../../src/render/formats.js';
import { plainFormats } from '../../support/formats/plain-formats.js';

const formats = plainFormats(jsonFormat);

describe('routable', () => {
  it.each([
    ['/x?y', '/x?y'],
    ['/x#y', '/x%23y'],
    ['*', '*'],
    ['http://a', '/'],
    ['http://me:secret@a?q=/x', '/?q=/x'],
    ['http://[/x?y=http://b/', '/x?y=http://b/'],
    ['coap+tcp://a/x', '/x'],
  ])('takes %s for %s', (target, expected) => expect(toRoutableTarget(target)).toBe(expected));
});

describe('readTarget', () => {
  it('parts a target at its first question mark, and repairs nothing', () => {
    expect(parseRequestTarget('/data/v1/teams?q=a?b%zz')).toEqual({ path: '/data/v1/teams', rawQuery: 'q=a?b%zz' });
    expect(parseRequestTarget('/data//v1/teams')).toEqual({ path: '/data//v1/teams', rawQuery: '' });
  });

  it('takes the absolute form that proxies send', () => {
    expect(parseRequestTarget('http://a.example:80/x?y=http://b')).toEqual({ path: '/x', rawQuery: 'y=http://b' });
  });
});

describe('isBelow', () => {
  it('is of the base address and of all below it, and of no other that begins alike', () => {
    expect(['/data/v1', '/data/v1/x', '/data/v10', '/'].map((path) => isBelowBasePath(path, '/data/v1'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('pathPattern', () => {
  const teams = compilePathPattern('/data.v1', dataTeams, { item: false, formats });
  const item = compilePathPattern('/data.v1', news, { item: true, formats });

  it.each(['', '.json', '.yml', '.yaml', '.xml', '.csv', '.xlsx'])('takes a list and an item as %s', (extension) => {
    expect(teams.test(`/data.v1/teams${extension}`)).toBe(true);
    expect(item.exec(`/data.v1/news/12${extension}`)?.groups?.['item']).toBe('12');
  });

  it.each(['/data.v1/teams.', '/data.v1/teams.tar', '/data.v1/teamsxml', '/data-v1/teams', '/data.v1/teams.XML'])(
    'does not take %s',
    (path) => {
      expect(teams.test(path)).toBe(false);
    },
  );

  it.each(['/data.v1/news/', '/data.v1/news/012', '/data.v1/news/-1', '/data.v1/news/1x.xml', '/data.v1/news/1/.xml'])(
    'does not take %s for an item',
    (path) => {
      expect(item.test(path)).toBe(false);
    },
  );
});

describe('formatOfPath', () => {
  it('goes by the extension, whether or not there is anything at the path', () => {
    const names = ['/x.csv', '/x.yaml', '/x.yml', '/x', '/csv', '/x.csv/'].map(
      (path) => findFormatByExtension(path, formats)?.name,
    );
    expect(names).toEqual(['csv', 'yaml', 'yaml', undefined, undefined, undefined]);
  });
});
