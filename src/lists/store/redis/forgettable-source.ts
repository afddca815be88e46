import { randomUUID } from 'node:crypto';

/** Of an epoch that begins because the source was forgotten. Another one begins where Redis lost the one before. */
const FORGOTTEN = 'forgotten:';

/** A source at all access levels, because they are forgotten together. */
export class ForgettableSource {
  /** How often this instance had it forgotten, or saw that another one did. */
  forgetCount = 0;
  private readonly listeners = new Set<() => void>();
  /** Undefined: not known yet. */
  private epoch: string | undefined;
  private ownEpoch: string | undefined;

  constructor(
    readonly name: string,
    private readonly begin: (epoch: string) => Promise<unknown>,
  ) {}

  /** Never rejects. */
  async forget(): Promise<boolean> {
    this.forgetCount += 1;
    this.ownEpoch = FORGOTTEN + randomUUID();
    return this.begin(this.ownEpoch).then(
      () => true,
      () => false,
    );
  }

  onForget(listener: () => void, until: AbortSignal): void {
    this.listeners.add(listener);
    until.addEventListener('abort', () => this.listeners.delete(listener), { once: true });
  }

  /** In the order of the replies of Redis. */
  noteEpoch(epoch: string): void {
    const isBegun = this.epoch !== undefined && epoch !== this.epoch && epoch !== this.ownEpoch;
    this.epoch = epoch;
    if (!isBegun || !epoch.startsWith(FORGOTTEN)) return;
    this.forgetCount += 1;
    for (const listener of this.listeners) listener();
  }
}
