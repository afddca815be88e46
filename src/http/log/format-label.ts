import { formats, jsonpMediaType } from '../../render/formats.js';
import type { Format } from '../../render/formats.js';

const labelByMediaType: ReadonlyMap<string, Format['name'] | 'jsonp'> = new Map([
  ...formats.flatMap(({ name, mediaTypes }) => mediaTypes.map((type) => [type, name] as const)),
  [jsonpMediaType, 'jsonp'],
]);

/** Name of a response's format by its Content-Type, for log and metrics; undefined where it has none. */
export function findFormatLabel(contentType: string | number | undefined): Format['name'] | 'jsonp' | undefined {
  return labelByMediaType.get(String(contentType).split(';', 1)[0] ?? '');
}
