import { afterEach, expect, it } from 'vitest';
import { createApp } from '../../../src/app.js';
import { AppHandover } from '../../../src/composition/app-handover.js';
import { findSnapshot } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { createSourceRequestContext } from '../../../src/source/request/source-request-context.js';
import { SharedMemoryView } from '../../../src/state/sharing/shared-memory-view.js';
import { openGroup } from '../../freshness/instance-group.js';
import type { GroupMember, InstanceGroup } from '../../freshness/instance-group.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';

let group: InstanceGroup;
afterEach(() => group.close());

it('shows no date that a snapshot had under an earlier configuration once it was replaced', async () => {
  group = await openGroup();
  const [one, other] = group.members;
  await one.get();
  await other.get();
  group.setTeam('Second');
  await group.pass(10_500);
  await one.get();
  // The second instance knows that the list will be replaced, and is reloaded before.
  await group.pass(500, 100);
  const view = new SharedMemoryView(other.shared.memory);
  view.activate(other.shared.view);
  const source = reload(other, view, other.shared.memory.clock);
  other.shared.view.detach();
  await group.pass(2_000, 100);
  const outcome = await source.getRecords(
    { resource: directoryTeams, scope: 'public' },
    createSourceRequestContext(AbortSignal.timeout(5_000)),
  );
  const snapshot = findSnapshot(outcome);
  const version = await one.shared.connection.read([...group.memory.takeSnapshot().entries.keys()][0] ?? '');
  expect(snapshot?.agreedVersion ?? version?.version).toBe(version?.version);
  view.detach();
});

/** Lets another application take over the sources of an instance, as a reload of an equal configuration does. */
function reload({ gateway }: GroupMember, view: SharedMemoryView, clock: { now(): number }): Source {
  const next = createApp(gateway.config, {
    transport: () => Promise.reject(new Error('no request is expected')),
    clock,
    sharedMemory: view,
  });
  const handover = new AppHandover(gateway.app, gateway.config);
  handover.prepare(next);
  handover.complete(next, clock);
  const source = next.levels.public?.sources[0];
  if (source === undefined) throw new Error('the configuration has no source');
  return source;
}

type Source = NonNullable<TestGateway['app']['levels']['public']>['sources'][number];
