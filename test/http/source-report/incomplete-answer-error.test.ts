import { describe, expect, test } from 'vitest';
import { createIncompleteAnswerProblem } from '../../../src/http/source-report/incomplete-answer-error.js';
import { summarizeSourceFailures } from '../../../src/http/source-report/source-failure-summary.js';
import type { Outcome, SourceOutcome } from '../../../src/model/outcome.js';

function outcome(code: string, of: Outcome<string>): SourceOutcome<string> {
  return { code, sourceName: `The ${code}`, outcome: of, milliseconds: 1 };
}

const FRESH: Outcome<string> = { state: 'fresh', snapshot: 'all' };
const LATE: Outcome<string> = { state: 'failed', reason: 'timeout' };
const NOT_ASKED: Outcome<string> = { state: 'excluded', reason: 'source-name' };

describe('refusalOf', () => {
  test('says that no source answered, and what happened to each', () => {
    const outcomes = [outcome('first', { state: 'failed', reason: 'dns' }), outcome('ti', LATE)];
    expect(createIncompleteAnswerProblem(outcomes)).toEqual({
      kind: 'no-source',
      message: 'none of the 2 sources gave a usable answer: first: host name not found; ti: timed out',
    });
  });

  test('says which HTTP status came, and which property most of the records lack', () => {
    const missing = { property: 'short-team-name', recordsWithout: 4_980, recordsReceived: 5_000 };
    const status = { reason: 'status', detail: { status: 401 } } as const;
    const outcomes = [
      outcome('a', { state: 'failed', ...status }),
      outcome('b', { state: 'suspended', ...status }),
      outcome('c', { state: 'stale', ...status, snapshot: 'old' }),
      outcome('d', { state: 'failed', reason: 'schema', detail: { missing } }),
    ];
    expect(createIncompleteAnswerProblem(outcomes).message).toBe(
      'none of the 4 sources gave a usable answer: a: HTTP status 401; ' +
        'b: suspended after repeated failures (HTTP status 401); c: stale (HTTP status 401); ' +
        'd: 4,980 of 5,000 records have no short-team-name',
    );
  });

  test('does not call an answer useless that has records, but not all', () => {
    const some = outcome('top', { state: 'partial', reason: 'upstream', snapshot: 'some' });
    expect(createIncompleteAnswerProblem([some]).message).toBe(
      'the one source that was asked did not answer completely: top: lacks a source of its own',
    );
    expect(createIncompleteAnswerProblem([some, outcome('a', { state: 'failed', reason: 'dns' })]).message).toBe(
      'none of the 2 sources answered completely: top: lacks a source of its own; a: host name not found',
    );
    expect(
      createIncompleteAnswerProblem([outcome('big', { state: 'partial', reason: 'too-large' })]).message,
    ).toContain('no usable answer');
  });

  test('counts only the sources that were asked', () => {
    const outcomes = [outcome('first', { state: 'failed', reason: 'schema' }), outcome('ti', NOT_ASKED)];
    expect(createIncompleteAnswerProblem(outcomes).message).toBe(
      'the one source that was asked gave no usable answer: first: not in the expected form',
    );
  });

  test('is 504 where timeouts are the only cause', () => {
    expect(createIncompleteAnswerProblem([outcome('a', LATE), outcome('b', LATE)])).toEqual({
      kind: 'sources-late',
      message: 'none of the 2 sources answered in time: a: timed out; b: timed out',
    });
    expect(createIncompleteAnswerProblem([outcome('a', LATE)]).message).toBe(
      'the one source that was asked did not answer in time: a: timed out',
    );
    expect(createIncompleteAnswerProblem([outcome('a', LATE), outcome('b', FRESH)])).toEqual({
      kind: 'sources-late',
      message: '1 of the 2 sources did not answer in time: a: timed out',
    });
  });

  test('says which sources are the cause where others answered', () => {
    const outcomes = [
      outcome('a', FRESH),
      outcome('b', { state: 'stale', reason: 'connect', snapshot: 'old' }),
      outcome('c', { state: 'suspended', reason: 'timeout' }),
      outcome('d', { state: 'partial', reason: 'offset', snapshot: 'some' }),
    ];
    expect(createIncompleteAnswerProblem(outcomes)).toEqual({
      kind: 'no-source',
      message:
        '3 of the 4 sources did not answer completely: b: stale (connection failed); ' +
        'c: suspended after repeated failures (timed out); d: ignores offset',
    });
  });

  test('says that no source could be asked only where none was', () => {
    const loop = outcome('ring', { state: 'excluded', reason: 'loop' });
    expect(createIncompleteAnswerProblem([loop, outcome('a', NOT_ASKED)])).toEqual({
      kind: 'no-source',
      message: 'no source could be asked: ring: leads back to this gateway',
    });
    expect(createIncompleteAnswerProblem([loop, outcome('a', LATE)]).message).not.toContain('ring');
  });
});

describe('sourceSummary', () => {
  test('describes five sources and counts the others, whatever their codes are', () => {
    const many = Array.from({ length: 300 }, (_, at) => outcome(`${'s'.repeat(200)}${at}`, LATE));
    const summary = summarizeSourceFailures(many);
    expect(summary).toMatch(/^(s{40}: timed out; ){5}and 295 more$/);
  });

  test('is empty where every source gave all', () => {
    expect(summarizeSourceFailures([outcome('a', FRESH), outcome('b', NOT_ASKED)])).toBe('');
  });
});
