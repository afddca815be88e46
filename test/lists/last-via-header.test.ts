import { describe, expect, it } from 'vitest';
import { LastVia } from '../../src/lists/last-via-header.js';
import { fakeClock } from '../support/fake-clock.js';

const TEAMS = 'directory-teams';

describe('Via of the last responses of a source', () => {
  it('is remembered for a minute after the last response about the resource', () => {
    const clock = fakeClock();
    const lastVia = new LastVia(clock);
    expect(lastVia.get(TEAMS)).toEqual({});
    lastVia.note(TEAMS, ['b', 'a']);
    lastVia.note(TEAMS, []);
    lastVia.note(TEAMS);
    expect(lastVia.get('news')).toEqual({});
    clock.advance(59_999);
    expect(lastVia.get(TEAMS)).toEqual({ via: ['b', 'a'] });
    lastVia.note(TEAMS, ['c']);
    clock.advance(59_999);
    expect(lastVia.get(TEAMS)).toEqual({ via: ['c'] });
    clock.advance(1);
    expect(lastVia.get(TEAMS)).toEqual({});
  });
});
