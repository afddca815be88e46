import { expect, it } from 'vitest';
import { createJsonResponse } from '../../../../src/admin/server/admin-response.js';
import { mergeActionResponses } from '../../../../src/cli/serve/workers/merge-actions.js';

const list = (name: string, state: string): object => ({ access: 'public', list: name, state });

function merge(
  responses: readonly (readonly [status: number, body: object])[],
  missing: readonly number[] = [],
): unknown {
  const merged = mergeActionResponses(
    responses.map(([status, body], at) => ({ worker: at + 1, report: createJsonResponse(status, body) })),
    missing.map((worker) => ({ worker, reason: 'no answer' })),
  );
  return [merged.status, JSON.parse(merged.body)];
}

it('reports of each list the state that needs most attention', () => {
  const one = { lists: [list('news', 'fresh'), list('channels', 'failed')] };
  const two = { lists: [list('news', 'running'), list('channels', 'fresh')] };
  const merged = { lists: [list('news', 'running'), list('channels', 'failed')] };
  expect(merge([[200, one], [202, two]])).toEqual([202, merged]); // prettier-ignore
});

it('counts an action as performed that one worker performed', () => {
  const refused = [409, { message: 'no number is doubted' }] as const;
  const performed = [200, { lists: [list('news', 'fresh')] }] as const;
  expect(merge([refused, performed])).toEqual(performed);
  expect(merge([refused, refused])).toEqual(refused);
});

it('says that an action took effect in the workers only, where it did so in each of them', () => {
  const onlyHere = { forgotten: true, onlyThisInstance: true };
  expect(merge([[200, onlyHere], [200, onlyHere]])).toEqual([200, onlyHere]); // prettier-ignore
  expect(merge([[200, onlyHere], [200, { forgotten: true }]])).toEqual([200, { forgotten: true }]); // prettier-ignore
  const lists = [list('news', 'fresh')];
  expect(merge([[200, { lists, onlyThisInstance: true }]])).toEqual([200, { lists, onlyThisInstance: true }]);
});

it('names the workers that did not answer, and fails where none did', () => {
  const missingWorkers = [{ worker: 2, reason: 'no answer' }];
  expect(merge([[200, { forgotten: true }]], [2])).toEqual([200, { forgotten: true, missingWorkers }]);
  expect(merge([], [2])).toEqual([503, { message: 'no worker answers', missingWorkers }]);
});
