import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.js';
import type { App } from '../../../src/app.js';
import { AppHandover } from '../../../src/composition/app-handover.js';
import { findSnapshot } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { createSourceRequestContext } from '../../../src/source/request/source-request-context.js';
import type { Snapshot } from '../../../src/source/snapshot/snapshot.js';
import { SharedMemoryView } from '../../../src/state/sharing/shared-memory-view.js';
import { openGroup } from '../../freshness/instance-group.js';
import type { GroupMember, InstanceGroup } from '../../freshness/instance-group.js';
import { fakeClock } from '../../support/fake-clock.js';
import { MemoryStore } from '../../support/gateway/sharing/memory-store.js';
import { joinMemory } from '../../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../../support/gateway/sharing/shared-instances.js';
import { waitFor } from '../../support/wait-for.js';

const SOURCE = {
  code: 'one',
  number: 1,
  access: 'public',
  fingerprints: { definition: 'definition', context: 'context' },
  credentials: '',
} as const;

/** Registers the source, and returns what is called when another instance has it forgotten. */
function followRemovals(view: SharedMemoryView): ReturnType<typeof vi.fn> {
  const onForget = vi.fn();
  view.forSource(SOURCE)?.onForget(onForget);
  return onForget;
}

describe('the views of two configurations of one instance', () => {
  const clock = fakeClock();
  let own: SharedInstance;
  let other: SharedInstance;

  beforeEach(async () => {
    const store = new MemoryStore(clock);
    [own, other] = [await joinMemory(store, { clock }), await joinMemory(store, { clock })];
  });
  afterEach(() => Promise.all([own.close(), other.close()]));

  /** Has the other instance forget the source, and this one report. */
  const forgetByOther = async (): Promise<void> => {
    clock.advance(1_000);
    await other.view.forSource(SOURCE)?.forget();
    await sleep(20);
  };

  it('let that of the configuration in force follow removals, also after another one was abandoned', async () => {
    const serving = followRemovals(own.view);
    const prepared = new SharedMemoryView(own.memory);
    const abandoned = followRemovals(prepared);
    await forgetByOther();
    expect([serving, abandoned].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    prepared.detach();
    await forgetByOther();
    expect([serving, abandoned].map(({ mock }) => mock.calls.length)).toEqual([2, 0]);
  });

  it('let the next one follow a removal that the earlier one did not reach', async () => {
    followRemovals(own.view);
    own.connection.isAvailable = false;
    await forgetByOther();
    clock.advance(5_000);
    const next = new SharedMemoryView(own.memory);
    const onForget = followRemovals(next);
    next.activate(own.view);
    own.view.detach();
    own.connection.isAvailable = true;
    await waitFor(() => expect(onForget).toHaveBeenCalledOnce());
  });

  it('let no registration of the earlier one take the place of the next one', async () => {
    const next = new SharedMemoryView(own.memory);
    const onForget = followRemovals(next);
    next.activate(own.view);
    own.view.detach();
    const late = followRemovals(own.view);
    await forgetByOther();
    expect([onForget, late].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  it('call the listeners of the one in force, and no others, when the agreement ends', async () => {
    const [earlier, next, prepared] = [own.view, new SharedMemoryView(own.memory), new SharedMemoryView(own.memory)];
    const listeners = [earlier, next, prepared].map((view) => {
      const listener = vi.fn();
      view.onAgreementChange(listener);
      return listener;
    });
    clock.advance(2_000);
    await own.memory.synchronize();
    const before = listeners.map(({ mock }) => mock.calls.length);
    next.activate(earlier);
    earlier.detach();
    own.connection.isAvailable = false;
    clock.advance(5_000);
    await own.memory.synchronize();
    expect(listeners.map(({ mock }, at) => mock.calls.length - (before[at] ?? 0))).toEqual([0, 1, 0]);
  });
});

describe('a prepared configuration of one of two instances', () => {
  let group: InstanceGroup;
  let one: GroupMember;
  let other: GroupMember;
  let view: SharedMemoryView;

  beforeEach(async () => {
    group = await openGroup();
    [one, other] = group.members;
    view = new SharedMemoryView(other.shared.memory);
  });
  afterEach(async () => {
    view.detach();
    await group.close();
  });

  /** Creates an application of the second instance that may replace its present one. */
  const prepare = (): App =>
    createApp(other.gateway.config, {
      transport: () => Promise.reject(new Error('no request is expected')),
      clock: other.shared.memory.clock,
      sharedMemory: view,
    });
  const commit = (next: App): void => {
    other.shared.view.detach();
    view.activate(other.shared.view);
    new AppHandover(other.gateway.app, other.gateway.config).complete(next, other.shared.memory.clock);
  };
  const readFrom = async ({ sources }: App): Promise<Snapshot | undefined> => {
    const context = createSourceRequestContext(AbortSignal.timeout(5_000));
    const outcome = await sources[0]?.getRecords({ resource: directoryTeams, scope: 'public' }, context);
    return outcome && findSnapshot(outcome);
  };
  const forget = ({ gateway }: GroupMember): Promise<boolean> | undefined =>
    gateway.app.sources[0]?.operations.forget();
  const storedEntries = (): number => group.memory.takeSnapshot().entries.size;

  it('does not publish again what was forgotten while it was prepared', async () => {
    await one.get();
    await other.get();
    await group.pass(2_000, 100);
    const next = prepare();
    // The second instance learns of the removal after the commit only.
    let resume = (): void => undefined;
    const pause = new Promise<void>((resolve) => (resume = resolve));
    other.shared.connection.beforeCommand = (command) => (command === 'synchronize' ? pause : Promise.resolve());
    await forget(one);
    group.memory.tamper(({ entries }) => {
      entries.clear();
    });
    await group.pass(100);
    commit(next);
    await group.pass(100);
    resume();
    await group.pass(2_000, 100);
    expect(storedEntries()).toBe(0);
  });

  it('adopts lists for its warm-up, and follows what others published meanwhile when it is in force', async () => {
    await one.get();
    await group.pass(2_000, 100);
    const next = prepare();
    const adopted = await readFrom(next);
    expect(adopted?.agreedVersion).toBeDefined();
    group.setTeam('Second');
    await one.gateway.app.sources[0]?.operations.refreshNow(AbortSignal.timeout(50));
    await group.pass(2_000, 100);
    expect((await readFrom(next))?.agreedVersion).toBe(adopted?.agreedVersion);
    other.shared.view.detach();
    view.activate(other.shared.view);
    await group.pass(2_000, 100);
    expect((await readFrom(next))?.agreedVersion).toBeGreaterThan(adopted?.agreedVersion ?? Infinity);
  });
});
