import type { Problem } from '../../model/error-catalogue.js';
import type { Resource } from '../../model/resource.js';
import { formats, jsonFormat, jsonpMediaType } from '../../render/formats.js';
import type { Format } from '../../render/formats.js';
import { withDefaultMediaType, negotiateFormat } from './content-negotiation.js';
import type { FormatChoice } from './content-negotiation.js';
import { findFormatByExtension } from './request-target.js';

/** What decides about the format of an answer. */
export interface FormatCriteria {
  readonly path: string;
  /** The Accept field. */
  readonly accept: string | undefined;
  /** The function that the answer shall call, where its name is valid. */
  readonly callback?: string | undefined;
  /** What is asked for, where there is something at the path. */
  readonly resource?: Resource;
}

/** The form in which a request wants its answer, an error too. */
export interface ResponseFormat extends FormatChoice {
  /** Why no answer can be written as it is asked for; the error is JSON. */
  readonly problem?: Problem;
}

/** Request headers on which answers depend (decisions.md, section 7). */
export const VARY = 'Accept, Accept-Encoding, Prefer';

/** The format asked for (decisions.md, section 2): by extension, which wins, then by Accept. */
export function chooseResponseFormat(wish: FormatCriteria): ResponseFormat {
  const { path, accept, callback, resource } = wish;
  const served = formats.filter(({ name }) => resource?.unsupportedFormats?.includes(name) !== true);
  const named = findFormatByExtension(path, formats);
  const chosen = named
    ? withDefaultMediaType(named)
    : negotiateFormat(accept, callback === undefined ? served : served.map(withScriptMediaType));
  if (chosen !== undefined && (named === undefined || served.includes(named))) return chosen;
  const wanted = chosen ?? negotiateFormat(accept, formats);
  return {
    ...withDefaultMediaType(jsonFormat),
    problem: createNotAcceptableProblem(served, wanted && resource, wanted?.format),
  };
}

/** With a callback JSON is a script, and may be asked for as one. */
function withScriptMediaType(format: Format): Format {
  return format.name === 'json' ? { ...format, mediaTypes: [...format.mediaTypes, jsonpMediaType] } : format;
}

function createNotAcceptableProblem(served: readonly Format[], resource?: Resource, refused?: Format): Problem {
  const types = served.map(({ mediaTypes }) => mediaTypes[0] ?? '').join(', ');
  const never = resource && refused ? `${resource.path} are never served as ${refused.name}; ` : '';
  return { kind: 'not-acceptable', message: `${never}the formats served here are ${types}` };
}
