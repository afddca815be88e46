/**
 * The program of a worker (operation 2.3.9): the primary process starts it. A worker ignores the signals that a terminal or a
 * service manager sends to all processes of a group. The primary process gets them too, and stops the workers.
 */
import { configureHeap } from '../../../runtime/heap-settings.js';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
configureHeap();
const { runWorker } = await import('./worker.js');
await runWorker();
