import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Figure } from './measure.js';
import { withWorkshop } from './serving/build.js';
import { flood } from './serving/flood.js';
import { heldAnswers } from './serving/held-answers.js';
import { newPages } from './serving/new-pages.js';

/** What is measured with: Debian's packages wrk and util-linux. */
const TOOLS = ['wrk', 'taskset'];

/** The built program as its clients meet it, over loopback sockets, to the least that node:http can do. */
export async function serving(): Promise<Figure[]> {
  for (const tool of TOOLS) {
    if (await isInstalled(tool)) continue;
    console.log(`  nothing is measured: ${tool} is not installed`);
    return [];
  }
  return withWorkshop(async (workshop) => [
    ...(await heldAnswers(workshop)),
    ...(await newPages(workshop)),
    ...(await flood(workshop)),
  ]);
}

function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
}
