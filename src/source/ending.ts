/** Who is told that work is to end. */
export type Listener = (() => void) | { handleEvent(): void };

/**
 * Tells work that it is to end, and why: an AbortSignal, or what does as much for the line of a source at a fraction of the cost, for there
 * are two of them for each request.
 */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: Listener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: Listener): void;
}

/** An ending that whoever has it can bring about, once. */
export class Ended implements Ending {
  aborted = false;
  reason: unknown;
  /** The first one apart: most have no other. */
  private first: Listener | undefined;
  private others: Set<Listener> | undefined;

  /** Tells all who listen. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { first, others } = this;
    this.first = this.others = undefined;
    if (first !== undefined) tell(first);
    others?.forEach(tell);
  }

  throwIfAborted(): void {
    if (!this.aborted) return;
    throw this.reason instanceof Error ? this.reason : new Error(String(this.reason));
  }

  addEventListener(_: 'abort', listener: Listener): void {
    if (this.aborted || this.first === listener) return;
    if (this.first === undefined) this.first = listener;
    else (this.others ??= new Set()).add(listener);
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    if (this.first === listener) this.first = undefined;
    else this.others?.delete(listener);
  }
}

function tell(listener: Listener): void {
  if (typeof listener === 'function') listener();
  else listener.handleEvent();
}
