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
import { plainFormats } from '../../support/gateway/plain-formats.js';

const formats = plainFormats(jsonFormat);

describe('toRoutableTarget', () => {
  it.each([
    ['/x?y', '/x?y'],
    ['/x#y', '/x%23y'],
    ['*', '*'],
    ['http://a', '/'],
    ['http://me:secret@a?q=/x', '/?q=/x'],
    ['http://[/x?y=http://b/', '/x?y=http://b/'],
    ['coap+tcp://a/x', '/x'],
  ])('converts %s to %s', (target, expected) => expect(toRoutableTarget(target)).toBe(expected));
});

describe('parseRequestTarget', () => {
  it('splits a target at its first question mark, and normalizes nothing', () => {
    expect(parseRequestTarget('/data/v1/teams?q=a?b%zz')).toEqual({ path: '/data/v1/teams', rawQuery: 'q=a?b%zz' });
    expect(parseRequestTarget('/data//v1/teams')).toEqual({ path: '/data//v1/teams', rawQuery: '' });
  });

  it('reads the absolute form that proxies send', () => {
    expect(parseRequestTarget('http://a.example:80/x?y=http://b')).toEqual({ path: '/x', rawQuery: 'y=http://b' });
  });
});

describe('isBelowBasePath', () => {
  it('accepts the base path and paths below it, and no other path with the same prefix', () => {
    expect(['/data/v1', '/data/v1/x', '/data/v10', '/'].map((path) => isBelowBasePath(path, '/data/v1'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('compilePathPattern', () => {
  const teams = compilePathPattern('/data.v1', dataTeams, { item: false, formats });
  const item = compilePathPattern('/data.v1', news, { item: true, formats });

  it.each(['', '.json', '.yml', '.yaml', '.xml', '.csv', '.xlsx'])(
    'matches a list and an item with extension "%s"',
    (extension) => {
      expect(teams.test(`/data.v1/teams${extension}`)).toBe(true);
      expect(item.exec(`/data.v1/news/12${extension}`)?.groups?.['item']).toBe('12');
    },
  );

  it.each(['/data.v1/teams.', '/data.v1/teams.tar', '/data.v1/teamsxml', '/data-v1/teams', '/data.v1/teams.XML'])(
    'does not match %s',
    (path) => {
      expect(teams.test(path)).toBe(false);
    },
  );

  it.each(['/data.v1/news/', '/data.v1/news/012', '/data.v1/news/-1', '/data.v1/news/1x.xml', '/data.v1/news/1/.xml'])(
    'does not match %s as an item',
    (path) => {
      expect(item.test(path)).toBe(false);
    },
  );
});

describe('findFormatByExtension', () => {
  it('finds the format by the extension, whether or not the path exists', () => {
    const names = ['/x.csv', '/x.yaml', '/x.yml', '/x', '/csv', '/x.csv/'].map(
      (path) => findFormatByExtension(path, formats)?.name,
    );
    expect(names).toEqual(['csv', 'yaml', 'yaml', undefined, undefined, undefined]);
  });
});
