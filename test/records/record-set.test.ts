import { describe, expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import { firstSource } from '../support/gateway/first-source.js';

describe('computeOnceBounded', () => {
  it('keeps the eight most recently used results, and computes an evicted one again', async () => {
    const set = new RecordSet(directoryTeams, firstSource, []);
    const computed: string[] = [];
    const use = (name: string): Promise<string> =>
      set.computeOnceBounded(name, () => {
        computed.push(name);
        return Promise.resolve(name);
      });
    const eight = Array.from({ length: 8 }, (_, nth) => `property ${nth}`);
    for (const name of eight) await use(name);
    await use('property 0');
    await use('property 8');
    expect(computed).toEqual([...eight, 'property 8']);
    await use('property 0');
    await use('property 2');
    expect(computed).toHaveLength(9);
    await use('property 1');
    expect(computed.slice(9)).toEqual(['property 1']);
    await use('property 0');
    await use('property 2');
    await use('property 3');
    expect(computed.slice(10)).toEqual(['property 3']);
  });

  it('repeats a computation that failed', async () => {
    const set = new RecordSet(directoryTeams, firstSource, []);
    await expect(set.computeOnceBounded('one', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await set.computeOnceBounded('one', () => Promise.resolve(1))).toBe(1);
  });
});
