export class ChangeSignals {
  private readonly waits = new Map<string, Set<() => void>>();

  async wait(name: string, limit: Promise<void>): Promise<void> {
    let wake = (): void => undefined;
    const change = new Promise<void>((resolve) => (wake = resolve));
    const waits = this.waits.get(name) ?? new Set();
    this.waits.set(name, waits.add(wake));
    await Promise.race([change, limit]);
    waits.delete(wake);
    if (waits.size === 0 && this.waits.get(name) === waits) this.waits.delete(name);
  }

  /** Undefined: for any name. */
  notify(name?: string): void {
    const names = name === undefined ? [...this.waits.keys()] : [name];
    for (const each of names) for (const wake of this.waits.get(each) ?? []) wake();
  }
}
