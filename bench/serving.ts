import type { Figure } from './measure.js';
import { withWorkshop } from './serving/build.js';
import { flood } from './serving/flood.js';
import { heldAnswers } from './serving/held-answers.js';
import { punctual } from './serving/punctual.js';
import { newPages } from './serving/new-pages.js';
import { isInstalled } from './serving/nginx.js';
import { refreshing, refreshCost } from './serving/refreshing.js';

/** What is measured with: Debian's packages wrk, nginx-light and util-linux. */
const TOOLS = ['wrk', 'nginx', 'taskset'];

/** The built program as its clients meet it, over loopback sockets, to the least that node:http and nginx can do. */
export async function serving(): Promise<Figure[]> {
  for (const tool of TOOLS) {
    if (await isInstalled(tool)) continue;
    console.log(`  nothing is measured: ${tool} is not installed`);
    return [];
  }
  return withWorkshop(async (workshop) => [
    ...(await heldAnswers(workshop)),
    ...(await refreshing(workshop)),
    ...(await newPages(workshop)),
    ...(await punctual(workshop)),
    ...(await flood(workshop)),
    ...(await refreshCost(workshop)),
  ]);
}
