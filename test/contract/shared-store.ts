import { testLeases } from './shared-store/leases.js';
import { testPublications } from './shared-store/publications.js';
import { testRecordsAndHints } from './shared-store/records-and-hints.js';
import type { SharedStoreFixture } from './shared-store/store-fixture.js';
import { testSynchronization } from './shared-store/synchronization.js';

/** Tests what every memory that instances share must do (operation 2.5.4). */
export function testSharedStore(fixture: SharedStoreFixture): void {
  testSynchronization(fixture);
  testLeases(fixture);
  testPublications(fixture);
  testRecordsAndHints(fixture);
}
