import { canBeProbed, probeSource } from '../composition/examination-options.js';
import { systemClock } from '../model/clock.js';
import type { ProbeReport } from '../probe/probe.js';
import { formatSupportsBlock } from '../probe/supports-block.js';
import { formatIsoDate } from '../text/date.js';
import { examineSource } from './query-registered-source.js';
import { formatProbeReport } from './format-probe-report.js';

interface ProbeOptions {
  readonly code: string;
  readonly file: string;
  readonly write: boolean;
  readonly json: boolean;
}

/** In place of the block of a source that consists of feeds. */
const NO_BLOCK = 'Feeds have no supports block: Rollcall reads each as a whole, and evaluates every query itself.\n';

const EXIT_UNREACHABLE = 2;

/**
 * Finds out which capabilities a source has, or whether its feeds can be read and revalidated (operation 1.5). Returns
 * the exit code: 0 if the source was probed, 1 if the configuration has errors or no source has the code, 2 if the
 * source could not be queried.
 */
export function printProbe({ code, file, write, json }: ProbeOptions): Promise<number> {
  return examineSource(file, code, async ({ source, config, transport }) => {
    if (!canBeProbed(source)) {
      process.stderr.write(`rollcall: ${code} is a document, which evaluates nothing that could be probed\n`);
      return 1;
    }
    const report = await probeSource(source, config, { transport });
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatProbeReport(report));
    if (write && !json && report.reached)
      process.stdout.write(source.origin.kind === 'feed' ? `\n${NO_BLOCK}` : `\n${formatBlock(report)}`);
    return report.reached ? 0 : EXIT_UNREACHABLE;
  });
}

function formatBlock({ supports, requests, tooLarge }: ProbeReport): string {
  const day = formatIsoDate({ epochMs: systemClock.now(), precision: 'day' });
  return formatSupportsBlock(supports, `proved by rollcall probe on ${day}, with ${requests} requests`, tooLarge);
}
