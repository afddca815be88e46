import type {
  Claim,
  ClaimOptions,
  FetchLease,
  InstanceReport,
  Publication,
  PublicationResult,
  RejectedPublication,
  RejectedResult,
  SharedEntry,
  SharedState,
  SharedStore,
} from '../../../../src/state/sharing/shared-store.js';
import type { MemoryStore } from './memory-store.js';

/** The connection of one instance to a {@link MemoryStore}, with the faults that a test gives it. */
export class MemoryConnection implements SharedStore {
  /** Whether commands are executed. If not, they reject, and no hints arrive. */
  isAvailable = true;
  /** Whether replies are lost: commands are executed and reject. */
  losesReplies = false;
  /** Whether hints arrive. */
  receivesHints = true;
  /** Called before each command is executed, and awaited. */
  beforeCommand: (command: keyof SharedStore) => Promise<void> = () => Promise.resolve();
  /** Called before each result is returned, and awaited. */
  beforeReply: (command: keyof SharedStore) => Promise<void> = () => Promise.resolve();
  private readonly listeners: ((name: string | undefined) => void)[] = [];
  private isClosed = false;

  constructor(
    private readonly store: MemoryStore,
    private readonly hintOthers: (sender: MemoryConnection, name: string) => void,
  ) {}

  synchronize(report: InstanceReport): Promise<SharedState> {
    return this.execute('synchronize', () => this.store.synchronize(report));
  }

  claim(name: string, known: ClaimOptions): Promise<Claim> {
    return this.execute('claim', () => this.store.claim(name, known));
  }

  renew(lease: FetchLease, duration: number): Promise<boolean> {
    return this.execute('renew', () => this.store.renew(lease, duration));
  }

  async release(lease: FetchLease): Promise<void> {
    await this.execute('release', () => this.hintIf(this.store.release(lease), lease.name));
  }

  publish(lease: FetchLease, publication: Publication): Promise<PublicationResult> {
    return this.execute('publish', () => {
      const result = this.store.publish(lease, publication);
      this.hintIf(result.state === 'published', lease.name);
      return result;
    });
  }

  publishRejected(lease: FetchLease, rejected: RejectedPublication): Promise<boolean> {
    return this.execute('publishRejected', () => this.hintIf(this.store.publishRejected(lease, rejected), lease.name));
  }

  read(name: string, epoch?: string): Promise<SharedEntry | undefined> {
    return this.execute('read', () => this.store.read(name, epoch));
  }

  readRejected(name: string): Promise<RejectedResult | undefined> {
    return this.execute('readRejected', () => this.store.readRejected(name));
  }

  remove(source: string): Promise<number> {
    return this.execute('remove', () => {
      this.hintIf(true, source);
      return this.store.remove(source);
    });
  }

  lastChange(name: string): Promise<number> {
    return this.execute('lastChange', () => this.store.lastChange(name));
  }

  async writeRecords(id: string, chunks: Iterable<Buffer>): Promise<void> {
    await this.execute('writeRecords', () => this.store.writeRecords(id, chunks));
  }

  async *readRecords(id: string): AsyncIterable<Buffer> {
    yield* await this.execute('readRecords', () => this.store.readRecords(id));
  }

  onChange(listener: (name: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }

  /** Calls the listeners, unless the connection is cut off. */
  hint(name: string): void {
    if (!this.isAvailable || !this.receivesHints || this.isClosed) return;
    for (const listener of this.listeners) listener(name);
  }

  private async execute<T>(command: keyof SharedStore, run: () => T): Promise<T> {
    await this.beforeCommand(command);
    this.checkAvailable();
    const result = run();
    await this.beforeReply(command);
    this.checkAvailable();
    if (this.losesReplies) throw new Error('the reply of the shared memory is lost');
    return result;
  }

  private checkAvailable(): void {
    if (this.isClosed) throw new Error('the connection to the shared memory is closed');
    if (!this.isAvailable) throw new Error('the shared memory does not answer');
  }

  private hintIf(isChanged: boolean, name: string): boolean {
    if (isChanged) this.hintOthers(this, name);
    return isChanged;
  }
}
