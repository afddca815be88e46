import type { SnapshotPersistence } from '../../source/snapshot-persistence.js';
import type { SnapshotFolder, SnapshotSource } from './snapshot-folder.js';

/**
 * The folder as one configuration uses it. What an earlier configuration fetches after a reload is no longer saved
 * (operation 6.2).
 */
export class SnapshotFolderView {
  private isDetached = false;

  constructor(private readonly folder: Pick<SnapshotFolder, 'forSource'>) {}

  /** From now on nothing is saved. */
  detach(): void {
    this.isDetached = true;
  }

  forSource(source: SnapshotSource): SnapshotPersistence {
    const persistence = this.folder.forSource(source);
    return {
      load: () => persistence.load(),
      save: (snapshot) => {
        if (!this.isDetached) persistence.save(snapshot);
      },
      forget: () => {
        if (!this.isDetached) persistence.forget();
      },
    };
  }
}
