import type { SharedLists } from '../../shared-lists.js';
export interface SharedStoreStatus {
  readonly reachable: boolean;
  readonly since: number;
  readonly error?: string;
}
export class SharedStore {
  status: SharedStoreStatus = { reachable: true, since: 0 };
  forSource(_s: object): SharedLists {
    throw new Error('stub');
  }
  reconfigure(_c: string): void {}
}
