import { getErrorMessage } from '../../../text/get-error-message.js';
import { InvalidMessage, objectOf, oneOf, parseNumber, parseText } from './message-parser.js';

/** The process at the other end of a channel, as `node:cluster` has it: the primary for a worker, a worker for the primary. */
export interface Peer {
  isConnected(): boolean;
  send(message: object, onSent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

/** Answers a request of the other process. A rejection is sent back as its message. */
export type RequestHandler = (request: unknown) => Promise<unknown>;

/** A request that the other process has not answered in time, or cannot answer any more. */
export class NoAnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoAnswerError';
  }
}

/** A request that waits for its answer. */
interface WaitingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const parseFrame = objectOf((frame) => ({
  id: frame.get('id', parseNumber),
  kind: frame.get('kind', oneOf(['request', 'result', 'error'])),
  content: frame.get('content', (content) => content),
}));

/**
 * Requests and answers between the primary process and a worker, in both directions (operation 2.3.9). The order of messages
 * is preserved. What arrives is unknown until its reader has parsed it.
 */
export class ProcessChannel {
  private readonly waiting = new Map<number, WaitingRequest>();
  private lastId = 0;

  constructor(
    private readonly peer: Peer,
    private readonly handle: RequestHandler,
  ) {
    peer.on('message', (message: unknown) => {
      this.receive(message);
    });
    peer.on('disconnect', () => {
      this.abandon();
    });
  }

  /**
   * Sends a request. Rejects with {@link NoAnswerError} if there is no answer within `milliseconds`, or if the process ends.
   */
  request(content: object, milliseconds: number): Promise<unknown> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.settle(id)?.reject(new NoAnswerError(`no answer within ${milliseconds} ms`));
      }, milliseconds);
      this.waiting.set(id, {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.send({ id, kind: 'request', content });
    });
  }

  private send(frame: { readonly id: number; readonly kind: string; readonly content: unknown }): void {
    const fail = (): void => {
      if (frame.kind === 'request') this.settle(frame.id)?.reject(new NoAnswerError('the process has ended'));
    };
    if (!this.peer.isConnected()) fail();
    else
      this.peer.send(frame, (error) => {
        if (error !== null) fail();
      });
  }

  private receive(message: unknown): void {
    const frame = ignoreInvalid(() => parseFrame(message));
    if (frame === undefined) return;
    const { id, kind, content } = frame;
    if (kind === 'request') void this.answer(id, content);
    else if (kind === 'result') this.settle(id)?.resolve(content);
    else this.settle(id)?.reject(new Error(ignoreInvalid(() => parseText(content)) ?? 'unknown error'));
  }

  private async answer(id: number, request: unknown): Promise<void> {
    try {
      this.send({ id, kind: 'result', content: await this.handle(request) });
    } catch (error) {
      this.send({ id, kind: 'error', content: getErrorMessage(error) });
    }
  }

  private settle(id: number): WaitingRequest | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  private abandon(): void {
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(new NoAnswerError('the process has ended'));
  }
}

function ignoreInvalid<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidMessage) return undefined;
    throw error;
  }
}
