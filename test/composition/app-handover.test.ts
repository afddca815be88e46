import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import { AppHandover, decideHandovers } from '../../src/composition/app-handover.js';
import type { Config, SourceConfig } from '../../src/config/config.js';
import type { AdmissionControl } from '../../src/http/admission-control.js';
import { parseConfig } from '../../src/config/parse-config.js';
import type { AccessLevel } from '../../src/model/access-level.js';
import { systemClock } from '../../src/model/clock.js';

function configOf(settings: object): Config {
  const parsed = parseConfig(JSON.stringify(settings), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

function sourcesOf(sources: object, defaults: object = {}): readonly SourceConfig[] {
  return configOf({ defaults, sources }).sources;
}

const ALPHA = { number: 1, directory: 'http://alpha.example.org/directory' };
const BETA = { number: 2, directory: 'http://beta.example.org/directory' };
const KEY = { credentials: { public: { bearer: 'one' } } };

/** What the source alpha keeps, when one registration replaces another. */
function handoverOfAlpha(before: object, after: object, access: AccessLevel = 'public'): string | undefined {
  const change = { previous: sourcesOf(before), next: sourcesOf(after) };
  return decideHandovers(change, access).get('alpha');
}

describe('decideHandovers', () => {
  it.each([
    ['everything', 'nothing changes', ALPHA],
    ['snapshots', 'a time changes', { ...ALPHA, ttl: '7m' }],
    ['snapshots', 'capabilities change', { ...ALPHA, supports: { teams: { total: true } } }],
    ['snapshots', 'its coverage changes', { ...ALPHA, coverage: { countries: ['NO'] } }],
    ['stale-snapshots', 'its header fields change', { ...ALPHA, headers: { 'X-Key': 'a' } }],
    ['none', 'its address changes', { ...ALPHA, directory: BETA.directory }],
    ['none', 'its name changes', { ...ALPHA, 'source-name': 'Another' }],
    ['none', 'it becomes an aggregate', { ...ALPHA, aggregate: true }],
    ['none', 'it gets a public credential, and may show other records', { ...ALPHA, ...KEY }],
  ])('keeps %s where %s', (expected, _, after) => {
    expect(handoverOfAlpha({ alpha: ALPHA }, { alpha: after })).toBe(expected);
  });

  it('keeps snapshots, due for a refresh, where the public credential is another one', () => {
    const other = { credentials: { public: { bearer: 'two' } } };
    expect(handoverOfAlpha({ alpha: { ...ALPHA, ...KEY } }, { alpha: { ...ALPHA, ...other } })).toBe('stale-snapshots');
  });

  it('keeps no members snapshot where a credential changes', () => {
    const members = (bearer: string): object => ({ ...ALPHA, credentials: { members: { bearer } } });
    const change = [{ alpha: members('one') }, { alpha: members('two') }] as const;
    expect(handoverOfAlpha(...change, 'members')).toBe('none');
    expect(handoverOfAlpha(...change, 'public')).toBe('stale-snapshots');
  });

  it('keeps everything where an unrelated source comes or goes', () => {
    expect(handoverOfAlpha({ alpha: ALPHA }, { alpha: ALPHA, beta: BETA })).toBe('everything');
    expect(handoverOfAlpha({ alpha: ALPHA, beta: BETA }, { alpha: ALPHA })).toBe('everything');
  });

  it('refreshes an aggregate where a source comes whose records it may repeat', () => {
    const aggregate = { ...ALPHA, aggregate: true };
    expect(handoverOfAlpha({ alpha: aggregate }, { alpha: aggregate, beta: BETA })).toBe('stale-snapshots');
  });

  it('refreshes a source where another one comes whose code begins with its own', () => {
    expect(handoverOfAlpha({ alpha: ALPHA }, { alpha: ALPHA, 'alpha-two': BETA })).toBe('stale-snapshots');
  });

  it('gives a new source nothing', () => {
    expect(handoverOfAlpha({ beta: BETA }, { alpha: ALPHA, beta: BETA })).toBe('none');
  });
});

describe('AppHandover', () => {
  const admissionControl: AdmissionControl = { admit: () => ({ state: 'admitted', headers: {} }) };
  const REDIS = { redis: 'redis://redis.example.org', 'redis-key': 'a secret of more than 32 characters' };

  function continuesCounts(before: object, after: object): boolean {
    const [previous, next] = [before, after].map((settings) => configOf({ sources: { alpha: ALPHA }, ...settings }));
    if (previous === undefined || next === undefined) throw new Error('no configurations');
    const app = { config: previous, levels: { public: undefined, members: undefined }, admissionControl };
    return new AppHandover(app, next).continuedParts.continuedAdmissionControl === admissionControl;
  }

  it.each([
    ['nothing changes', {}, {}],
    ['nothing changes and requests are counted in Redis', { cache: REDIS }, { cache: REDIS }],
    ['the size of the cache changes', { cache: REDIS }, { cache: { memory: '100MiB', ...REDIS } }],
    ['the name of the gateway changes, which counts by itself', {}, { server: { name: 'other' } }],
  ])('continues the counts of rate limits where %s', (_, before, after) => {
    expect(continuesCounts(before, after)).toBe(true);
  });

  it.each([
    ['a limit changes', {}, { server: { limits: { rate: '7/1m' } } }],
    ['requests are no longer counted in Redis', { cache: REDIS }, {}],
    ['the address of Redis changes', { cache: REDIS }, { cache: { ...REDIS, redis: 'redis://other.example.org' } }],
    ['the secret for Redis changes', { cache: REDIS }, { cache: { ...REDIS, 'redis-key': 'x'.repeat(32) } }],
    [
      'the name of the gateway changes, whose instances count together',
      { cache: REDIS },
      { cache: REDIS, server: { name: 'other' } },
    ],
  ])('begins new counts where %s', (_, before, after) => {
    expect(continuesCounts(before, after)).toBe(false);
  });
});

describe('a reload', () => {
  /** A configuration whose `read` is called whenever the prefixes or properties of a source are read. */
  function observeReads(config: Config, read: () => void): Config {
    const sources = config.sources.map(
      (source) =>
        new Proxy(source, {
          get: (target, name): unknown => {
            if (name === 'prefixes' || name === 'properties') read();
            return Reflect.get(target, name);
          },
        }),
    );
    return { ...config, sources };
  }

  it('reads each registration equally often however many there are', () => {
    const readsOf = (count: number): number => {
      const names = Array.from({ length: count }, (_, at) => `source-${at + 1}`);
      const sources = names.map((name, at): [string, object] => [
        name,
        { number: at + 1, directory: `http://${name}.example.org/directory`, prefixes: [`${name}-a`] },
      ]);
      let reads = 0;
      const config = observeReads(configOf({ sources: Object.fromEntries(sources) }), () => (reads += 1));
      const transport = (): Promise<never> => Promise.reject(new Error('nothing is requested'));
      const app = createApp(config, { transport, clock: systemClock });
      expect(decideHandovers({ previous: app.config.sources, next: config.sources }, 'public').size).toBe(count);
      app.stopBackgroundWork();
      return reads / count;
    };
    expect(readsOf(60)).toBe(readsOf(20));
  });
});
