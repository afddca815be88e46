import { beforeEach, describe, expect, it } from 'vitest';
import {
  InstanceAgreement,
  MAX_CLOCK_DIFFERENCE_MS,
  NOTICE_MS,
} from '../../../src/state/sharing/instance-agreement.js';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';

/** For how long a report counts, in milliseconds. */
const COVERED_MS = NOTICE_MS - MAX_CLOCK_DIFFERENCE_MS;

let clock: FakeClock;
let agreement: InstanceAgreement;

beforeEach(() => {
  clock = fakeClock();
  agreement = new InstanceAgreement(clock, () => clock.now());
});

function report(
  parts: { readonly since?: number; readonly isMixed?: boolean; readonly hasSameTime?: boolean } = {},
): void {
  const { since = 5, isMixed = false, hasSameTime = true } = parts;
  agreement.noteReport({ sentAt: clock.now(), epochSince: since, isMixed, hasSameTime });
}

describe('an instance is in agreement with the others', () => {
  it('from its first report on, since the present epoch', () => {
    expect(agreement.findReason()).toBe('unreachable');
    report({ since: 7 });
    expect(agreement.agreedSince()).toBe(7);
  });

  it('until its report is so old that others may serve something that it does not know', () => {
    report();
    clock.advance(COVERED_MS - 1);
    expect(agreement.agreedSince()).toBeDefined();
    clock.advance(1);
    expect(agreement.findReason()).toBe('unreachable');
  });

  it('not before the epoch begins', () => {
    report({ since: clock.now() + 100 });
    expect(agreement.findReason()).toBe('new-epoch');
    clock.advance(100);
    expect(agreement.findReason()).toBeUndefined();
  });

  it('not while an instance with another configuration is alive, or the clocks differ', () => {
    report({ isMixed: true });
    expect(agreement.findReason()).toBe('mixed');
    report({ hasSameTime: false });
    expect(agreement.findReason()).toBe('clock');
  });

  it('not from the moment on at which a change becomes active that it does not serve yet', () => {
    report();
    const change = agreement.expect(clock.now() + 10);
    const later = agreement.expect(clock.now() + 20);
    expect(agreement.findReason()).toBeUndefined();
    clock.advance(10);
    expect(agreement.findReason()).toBe('behind');
    agreement.resolve(change);
    expect(agreement.findReason()).toBeUndefined();
    clock.advance(10);
    expect(agreement.findReason()).toBe('behind');
    agreement.reschedule(later, clock.now() + 1);
    expect(agreement.findReason()).toBeUndefined();
  });

  it('not between a reload and the next report', () => {
    report();
    agreement.forgetReport();
    expect(agreement.findReason()).toBe('unreachable');
  });
});
