import { describe, expect, test } from 'vitest';
import { createIncompleteAnswerProblem } from '../../../src/http/source-report/incomplete-answer-error.js';
import { summarizeSourceFailures } from '../../../src/http/source-report/source-failure-summary.js';
import type { Outcome, SourceOutcome } from '../../../src/model/outcome.js';

function outcome(code: string, of: Outcome<string>): SourceOutcome<string> {
  return { code, sourceName: `The ${code}`, outcome: of, milliseconds: 1 };
}

const FRESH: Outcome<string> = { state: 'fresh', snapshot: 'all' };
const TIMED_OUT: Outcome<string> = { state: 'failed', reason: 'timeout' };
const EXCLUDED: Outcome<string> = { state: 'excluded', reason: 'source-name' };

/** Messages of 502 and 504 (decisions 6.8). */
describe('createIncompleteAnswerProblem', () => {
  test('states that no source is usable, and the failure of each', () => {
    const outcomes = [outcome('first', { state: 'failed', reason: 'dns' }), outcome('ti', TIMED_OUT)];
    expect(createIncompleteAnswerProblem(outcomes)).toEqual({
      kind: 'no-source',
      message: 'none of the 2 sources returned a usable response: first: host name not found; ti: timed out',
    });
  });

  test('states the HTTP status, and the property that most of the records lack', () => {
    const missing = { property: 'short-team-name', recordsWithout: 4_980, recordsReceived: 5_000 };
    const status = { reason: 'status', detail: { status: 500 } } as const;
    const outcomes = [
      outcome('a', { state: 'failed', ...status }),
      outcome('b', { state: 'suspended', ...status }),
      outcome('c', { state: 'stale', ...status, snapshot: 'old' }),
      outcome('d', { state: 'failed', reason: 'schema', detail: { missing } }),
    ];
    expect(createIncompleteAnswerProblem(outcomes).message).toBe(
      'none of the 4 sources returned a usable response: a: HTTP status 500; ' +
        'b: suspended after repeated failures (HTTP status 500); c: stale (HTTP status 500); ' +
        'd: 4,980 of 5,000 records have no short-team-name',
    );
  });

  test.each([
    [401, 'requires credentials, or refuses those configured (HTTP status 401)'],
    [403, 'refuses access (HTTP status 403)'],
    [407, 'a proxy requires credentials (HTTP status 407)'],
  ])('names a refusal with HTTP status %i', (status, words) => {
    const failed = outcome('a', { state: 'failed', reason: 'status', detail: { status } });
    expect(createIncompleteAnswerProblem([failed]).message).toBe(
      `the only queried source returned no usable response: a: ${words}`,
    );
  });

  test('calls a source with some of its records incomplete, not unusable', () => {
    const some = outcome('top', { state: 'partial', reason: 'upstream', snapshot: 'some' });
    expect(createIncompleteAnswerProblem([some]).message).toBe(
      'the only queried source returned no complete response: top: reports an incomplete source of its own',
    );
    expect(createIncompleteAnswerProblem([some, outcome('a', { state: 'failed', reason: 'dns' })]).message).toBe(
      'none of the 2 sources returned a complete response: top: reports an incomplete source of its own; a: host name not found',
    );
    expect(
      createIncompleteAnswerProblem([outcome('big', { state: 'partial', reason: 'too-large' })]).message,
    ).toContain('no usable response');
  });

  test('counts only the sources that were queried', () => {
    const outcomes = [outcome('first', { state: 'failed', reason: 'schema' }), outcome('ti', EXCLUDED)];
    expect(createIncompleteAnswerProblem(outcomes).message).toBe(
      'the only queried source returned no usable response: first: not in the expected form',
    );
  });

  test('is 504 where timeouts are the only cause', () => {
    expect(createIncompleteAnswerProblem([outcome('a', TIMED_OUT), outcome('b', TIMED_OUT)])).toEqual({
      kind: 'sources-late',
      message: 'all 2 sources timed out: a: timed out; b: timed out',
    });
    expect(createIncompleteAnswerProblem([outcome('a', TIMED_OUT)]).message).toBe(
      'the only queried source timed out: a: timed out',
    );
    expect(createIncompleteAnswerProblem([outcome('a', TIMED_OUT), outcome('b', FRESH)])).toEqual({
      kind: 'sources-late',
      message: '1 of the 2 sources timed out: a: timed out',
    });
  });

  test('names the sources that are the cause where others are complete', () => {
    const outcomes = [
      outcome('a', FRESH),
      outcome('b', { state: 'stale', reason: 'connect', snapshot: 'old' }),
      outcome('c', { state: 'suspended', reason: 'timeout' }),
      outcome('d', { state: 'partial', reason: 'offset', snapshot: 'some' }),
    ];
    expect(createIncompleteAnswerProblem(outcomes)).toEqual({
      kind: 'no-source',
      message:
        '3 of the 4 sources returned no complete response: b: stale (connection failed); ' +
        'c: suspended after repeated failures (timed out); d: ignores offset',
    });
  });

  test('states that no source could be queried only where none was', () => {
    const loop = outcome('ring', { state: 'excluded', reason: 'loop' });
    expect(createIncompleteAnswerProblem([loop, outcome('a', EXCLUDED)])).toEqual({
      kind: 'no-source',
      message: 'no source could be queried: ring: leads back to this gateway',
    });
    expect(createIncompleteAnswerProblem([loop, outcome('a', TIMED_OUT)]).message).not.toContain('ring');
  });
});

describe('summarizeSourceFailures', () => {
  test('describes five sources and counts the others, whatever their codes are', () => {
    const many = Array.from({ length: 300 }, (_, at) => outcome(`${'s'.repeat(200)}${at}`, TIMED_OUT));
    const summary = summarizeSourceFailures(many);
    expect(summary).toMatch(/^(s{40}: timed out; ){5}and 295 more$/);
  });

  test('is empty where every source is complete', () => {
    expect(summarizeSourceFailures([outcome('a', FRESH), outcome('b', EXCLUDED)])).toBe('');
  });
});
