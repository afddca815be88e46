import { beforeEach, describe, expect, it } from 'vitest';
import { createJsonResponse } from '../../../../src/admin/server/admin-response.js';
import { performAction } from '../../../../src/cli/serve/workers/worker-actions.js';
import type { ActingWorker, ActionAnswers } from '../../../../src/cli/serve/workers/worker-actions.js';

const request = {
  method: 'post',
  route: '/sources/:code/refresh',
  query: '',
  pathParameters: { code: 'one' },
  accept: '',
  isCrossSite: false,
} as const;

/** What a worker does with the action: its response, or nothing. */
type Behaviour = readonly [status: number, body: object] | undefined;

const PERFORMED = [200, { lists: [] }] as const;
const ONLY_HERE = [200, { forgotten: true, onlyThisInstance: true }] as const;
const REFUSED = [409, { message: 'no number of records is doubted' }] as const;

describe('an action of the operator', () => {
  /** Number of each worker that was asked, with the access level if it was restricted to one. */
  let asked: string[];
  beforeEach(() => (asked = []));

  const perform = (behaviours: readonly Behaviour[], isMembersDataShared = true): Promise<ActionAnswers> => {
    const workers = behaviours.map((behaviour, at): ActingWorker => ({
      number: at + 1,
      request: (message) => {
        const { access } = message.type === 'operate' ? message.request.pathParameters : {};
        asked.push([String(at + 1), ...(access === undefined ? [] : [access])].join(' '));
        if (behaviour === undefined) return Promise.reject(new Error('the process has ended'));
        return Promise.resolve(createJsonResponse(...behaviour));
      },
    }));
    return performAction(workers, { request, milliseconds: 1_000, isMembersDataShared });
  };

  it('is performed by one worker, whose result the others adopt', async () => {
    const { answers, missing } = await perform([PERFORMED, PERFORMED, PERFORMED]);
    expect(asked).toEqual(['1']);
    expect(answers).toMatchObject([{ worker: 1, report: { status: 200 } }]);
    expect(missing).toEqual([]);
  });

  it('is performed by the others, too, where it took effect in the first one only', async () => {
    const { answers } = await perform([ONLY_HERE, PERFORMED, ONLY_HERE]);
    expect(asked).toEqual(['1', '2', '3']);
    expect(answers.map(({ worker }) => worker)).toEqual([1, 2, 3]);
  });

  it('is performed by the next worker where one does not answer, which is reported', async () => {
    const { answers, missing } = await perform([undefined, PERFORMED, PERFORMED]);
    expect(asked).toEqual(['1', '2']);
    expect(answers.map(({ worker }) => worker)).toEqual([2]);
    expect(missing).toEqual([{ worker: 1, reason: 'the process has ended' }]);
  });

  it('is performed by the next worker where one has nothing to do', async () => {
    await perform([REFUSED, PERFORMED, PERFORMED]);
    expect(asked).toEqual(['1', '2']);
  });

  it('is refused where no worker has something to do', async () => {
    const { answers } = await perform([REFUSED, REFUSED]);
    expect(answers.map(({ report }) => report.status)).toEqual([409, 409]);
  });

  it('is performed by all workers at members access where they do not share members data', async () => {
    await perform([PERFORMED, PERFORMED, REFUSED], false);
    expect(asked).toEqual(['1', '2 members', '3 members']);
  });
});
