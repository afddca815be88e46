import { formats, jsonpMediaType } from '../../render/formats.js';
import type { Format } from '../../render/formats.js';

const labelByMediaType: ReadonlyMap<string, Format['name'] | 'jsonp'> = new Map([
  ...formats.flatMap(({ name, mediaTypes }) => mediaTypes.map((type) => [type, name] as const)),
  [jsonpMediaType, 'jsonp'],
]);

/** By Content-Type; undefined where the response has no format. */
export function findFormatLabel(contentType: string | number | undefined): Format['name'] | 'jsonp' | undefined {
  return labelByMediaType.get(String(contentType).split(';', 1)[0] ?? '');
}
