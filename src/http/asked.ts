import type { Problem } from '../model/error.js';
import type { Resource } from '../model/resource.js';
import { formats, json, jsonpMediaType } from '../render/formats.js';
import type { Format } from '../render/formats.js';
import { byDefault, negotiate } from './negotiate.js';
import type { Choice } from './negotiate.js';
import { formatOfPath } from './target.js';

/** What decides about the format of an answer. */
export interface Wish {
  readonly path: string;
  /** The Accept field. */
  readonly accept: string | undefined;
  /** The function that the answer shall call, where its name is valid. */
  readonly callback?: string | undefined;
  /** What is asked for, where there is something at the path. */
  readonly resource?: Resource;
}

/** The form in which a request wants its answer, an error too. */
export interface Asked extends Choice {
  /** Why no answer can be written as it is asked for; the error is JSON. */
  readonly refused?: Problem;
}

/** Request headers on which answers depend (decisions.md, section 7). */
export const VARY = 'Accept, Accept-Encoding, Prefer';

/** The format asked for (decisions.md, section 2): by extension, which wins, then by Accept. */
export function askedFormat(wish: Wish): Asked {
  const { path, accept, callback, resource } = wish;
  const served = formats.filter(({ name }) => resource?.refuses?.includes(name) !== true);
  const named = formatOfPath(path, formats);
  const chosen = named ? byDefault(named) : negotiate(accept, callback === undefined ? served : served.map(asScript));
  if (chosen !== undefined && (named === undefined || served.includes(named))) return chosen;
  const wanted = chosen ?? negotiate(accept, formats);
  return { ...byDefault(json), refused: notAcceptable(served, wanted && resource, wanted?.format) };
}

/** With a callback JSON is a script, and may be asked for as one. */
function asScript(format: Format): Format {
  return format.name === 'json' ? { ...format, mediaTypes: [...format.mediaTypes, jsonpMediaType] } : format;
}

function notAcceptable(served: readonly Format[], resource?: Resource, refused?: Format): Problem {
  const types = served.map(({ mediaTypes }) => mediaTypes[0] ?? '').join(', ');
  const never = resource && refused ? `${resource.path} are never served as ${refused.name}; ` : '';
  return { kind: 'not-acceptable', message: `${never}the formats served here are ${types}` };
}
