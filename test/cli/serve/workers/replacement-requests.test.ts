import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ReplacementRequests } from '../../../../src/cli/serve/workers/replacement-requests.js';
import { parseConfig } from '../../../../src/config/parse-config.js';
import type { Config } from '../../../../src/config/config.js';

/** A configuration that is known by the name of its gateway. */
function configOf(name: string): Config {
  const sources = { one: { number: 1, directory: 'http://127.0.0.1:1' } };
  const parsed = parseConfig(JSON.stringify({ server: { name }, sources }), {});
  if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

describe('requests to replace the configuration of a worker', () => {
  let events: string[];
  /** Ends the preparation of a configuration. */
  let finish: Map<string, (error?: Error) => void>;
  let requests: ReplacementRequests;

  beforeEach(() => {
    events = [];
    finish = new Map();
    requests = new ReplacementRequests(async ({ server: { name = '' } }) => {
      events.push(`prepare ${name}`);
      await new Promise<void>((resolve, reject) => {
        finish.set(name, (error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });
      return {
        commit: () => {
          events.push(`commit ${name}`);
          return Promise.resolve(true);
        },
        abandon: () => {
          events.push(`abandon ${name}`);
          return Promise.resolve();
        },
      };
    });
  });

  /** Waits until the preparation of a configuration has begun, and ends it. */
  const finishNext = async (name: string, error?: Error): Promise<void> => {
    await vi.waitFor(() => expect(finish.has(name)).toBe(true));
    finish.get(name)?.(error);
  };

  test('put the configuration in force that the request names, once', async () => {
    const preparation = requests.prepare(1, configOf('first'));
    await finishNext('first');
    await preparation;
    await expect(requests.commit(2)).rejects.toThrow('configuration 2 is not prepared');
    await requests.commit(1);
    await expect(requests.commit(1)).rejects.toThrow('configuration 1 is not prepared');
    expect(events).toEqual(['prepare first', 'commit first']);
  });

  test('abandon a configuration whose preparation ends after it was given up, before another one is prepared', async () => {
    const first = requests.prepare(1, configOf('first'));
    await vi.waitFor(() => expect(events).toEqual(['prepare first']));
    const abandonment = requests.abandon(1);
    const second = requests.prepare(2, configOf('second'));
    await finishNext('first');
    await Promise.all([first, abandonment]);
    await finishNext('second');
    await second;
    await requests.commit(2);
    expect(events).toEqual(['prepare first', 'abandon first', 'prepare second', 'commit second']);
  });

  test('abandon a configuration that another one replaces without having been given up', async () => {
    const first = requests.prepare(1, configOf('first'));
    await finishNext('first');
    await first;
    const second = requests.prepare(2, configOf('second'));
    await requests.abandon(1);
    await finishNext('second');
    await second;
    await requests.commit(2);
    expect(events).toEqual(['prepare first', 'abandon first', 'prepare second', 'commit second']);
  });

  test('report why a configuration cannot be prepared, and prepare the next one', async () => {
    const first = requests.prepare(1, configOf('first'));
    await finishNext('first', new Error('the address is in use'));
    await expect(first).rejects.toThrow('the address is in use');
    await requests.abandon(1);
    const second = requests.prepare(2, configOf('second'));
    await finishNext('second');
    await second;
    await requests.commit(2);
    expect(events).toEqual(['prepare first', 'prepare second', 'commit second']);
  });
});
