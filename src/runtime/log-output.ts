import { writeSync } from 'node:fs';

/** Lines that wait while the reader of the log is slow. Further lines are dropped (operation 5.1). */
const MAX_WAITING_BYTES = 2 ** 20;

/** In milliseconds: a pipe of 64 KiB then takes 6 MB a second. */
const RETRY_MS = 10;

/** A process that ends waits this long for the reader, in milliseconds. */
const EXIT_WAIT_MS = 500;

interface LogOutputListener {
  /** For each line. */
  onDropped(): void;
  /** A line was written again. `lines`: the number of lines that were dropped before it. */
  onResumed(lines: number): void;
}

/**
 * Writes lines to an open file descriptor at once, so that a process that ends loses none. Never throws, and never
 * blocks where the descriptor does not: lines wait for a slow reader within a bound, and what cannot be written is
 * dropped.
 */
export class LogOutput {
  /** The first one may be the rest of a line. */
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  private droppedLines = 0;
  private isCut = false;

  constructor(
    private readonly descriptor: number,
    private readonly listener: LogOutputListener,
  ) {}

  write(line: string): void {
    const bytes = Buffer.from(line);
    const isFirst = this.waiting.length === 0;
    if (!isFirst && this.waitingBytes + bytes.length > MAX_WAITING_BYTES) {
      this.drop();
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (!isFirst || this.writeWaiting()) return;
    process.once('exit', this.writeAtExit);
    const timer = setInterval(() => {
      if (!this.writeWaiting()) return;
      clearInterval(timer);
      process.off('exit', this.writeAtExit);
    }, RETRY_MS).unref();
  }

  private readonly writeAtExit = (): void => {
    const end = performance.now() + EXIT_WAIT_MS;
    const neverWoken = new Int32Array(new SharedArrayBuffer(4));
    while (!this.writeWaiting() && performance.now() < end) Atomics.wait(neverWoken, 0, 0, RETRY_MS);
  };

  /** Returns whether no line waits any more. */
  private writeWaiting(): boolean {
    for (let [line] = this.waiting; line !== undefined; [line] = this.waiting) {
      const droppedBefore = this.droppedLines;
      const rest = this.writeBytes(line);
      this.waitingBytes -= line.length - rest.length;
      if (rest.length > 0) {
        this.waiting[0] = rest;
        return false;
      }
      // Race: what `onResumed` writes waits behind this line, which is still the first one.
      if (this.waiting.length === 1 && this.droppedLines === droppedBefore) this.reportDropped();
      this.waiting.shift();
    }
    return true;
  }

  /** Returns what the reader does not take yet. */
  private writeBytes(line: Buffer): Buffer {
    let rest = line;
    try {
      if (this.isCut) {
        writeSync(this.descriptor, '\n');
        this.isCut = false;
      }
      while (rest.length > 0) rest = rest.subarray(writeSync(this.descriptor, rest));
    } catch (error) {
      if (isFull(error)) return rest;
      this.isCut ||= rest.length < line.length;
      this.drop();
      return rest.subarray(rest.length);
    }
    return rest;
  }

  private drop(): void {
    this.droppedLines += 1;
    this.listener.onDropped();
  }

  private reportDropped(): void {
    const { droppedLines } = this;
    if (droppedLines === 0) return;
    this.droppedLines = 0;
    this.listener.onResumed(droppedLines);
  }
}

/** A pipe or socket is full. A full disk is ENOSPC. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
