import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Of a bundle, with line and column from 1. */
const POSITION = /(file:\S+?\.js):(\d+):(\d+)/;

/**
 * Stack traces name the lines of the TypeScript sources. The maps of the bundles are read when a stack is first shown:
 * Node.js itself would parse all of them at the start.
 */
export function mapStackTraces(): void {
  const maps = new Map<string, SourceMap | undefined>();
  const mapPosition = (position: string, url: string, line: string, column: string): string => {
    if (!maps.has(url)) maps.set(url, readSourceMap(url));
    const entry = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry !== undefined && 'originalSource' in entry
      ? `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : position;
  };
  Error.prepareStackTrace = (error, frames) => {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- V8 defines how a frame is written
    const lines = frames.map((frame) => `    at ${String(frame).replace(POSITION, mapPosition)}`);
    return [String(error), ...lines].join('\n');
  };
}

function readSourceMap(url: string): SourceMap | undefined {
  try {
    // The build writes the maps beside the bundles, in the format of this type.
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMap['payload']);
  } catch {
    return undefined;
  }
}
