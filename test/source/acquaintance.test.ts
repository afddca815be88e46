import { describe, expect, it } from 'vitest';
import { news } from '../../src/model/resources/news.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { Acquaintance } from '../../src/source/acquaintance.js';
import { weightOfNames } from '../../src/source/weight.js';
import { fakeClock } from '../support/clock.js';

const TEAMS = { resource: directoryTeams, parameters: {} };

describe('the gateways that a source named last', () => {
  it('are told for a minute, of the resource that was asked for, and whatever it was narrowed by', () => {
    const clock = fakeClock();
    const acquaintance = new Acquaintance(clock);
    expect(acquaintance.of(TEAMS)).toEqual({});
    acquaintance.note({ ...TEAMS, parameters: { country: 'PT' } }, ['b', 'a']);
    acquaintance.note(TEAMS, []);
    acquaintance.note(TEAMS);
    expect(acquaintance.of({ resource: news, parameters: {} })).toEqual({});
    clock.advance(59_999);
    expect(acquaintance.of(TEAMS)).toEqual({ via: ['b', 'a'] });
    acquaintance.note(TEAMS, ['c']);
    clock.advance(59_999);
    expect(acquaintance.of(TEAMS)).toEqual({ via: ['c'] });
    clock.advance(1);
    expect(acquaintance.of(TEAMS)).toEqual({});
  });

  it('count for what is held with them', () => {
    const names = Array.from({ length: 600 }, () => 'n'.repeat(64));
    expect(weightOfNames(names)).toBeGreaterThanOrEqual(names.join('').length);
    expect(weightOfNames([])).toBe(0);
  });
});
