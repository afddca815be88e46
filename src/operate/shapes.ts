import { createHook } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * V8 knows what the objects look like that code makes, and compiles by it. It forgets a shape of which no object is alive when the heap is
 * collected; code that makes such objects again is then told apart no more, and slow for good. Requests, answers and ticks are dead whenever
 * nobody asks, and most collections are while sources are drained: every other process took a tenth more CPU for each held answer.
 * One of each is kept here, so that their shapes stay.
 */
const kept: object[] = [];

/** Keeps the shapes of what node:http makes for each request. To be called once, before anything is served. Returns what it keeps. */
export function keepShapes(): readonly object[] {
  kept.push(...ticks());
  const request = new IncomingMessage(new Socket());
  kept.push(request, new ServerResponse(request));
  return kept;
}

/** What `process.nextTick` makes of a callback with one argument, and of one without. */
function ticks(): readonly object[] {
  const made: object[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, tick) => {
      if (type === 'TickObject') made.push(tick);
    },
  });
  hook.enable();
  process.nextTick(nothing);
  process.nextTick(nothing, undefined);
  hook.disable();
  return made;
}

function nothing(): void {
  return undefined;
}
