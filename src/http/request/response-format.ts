import type { Problem } from '../../model/error-catalogue.js';
import { formatScopes } from '../../model/resources/served-formats.js';
import { formats, jsonFormat, jsonpMediaType } from '../../render/formats.js';
import type { Format } from '../../render/formats.js';
import { withDefaultMediaType, negotiateFormat } from './content-negotiation.js';
import type { FormatChoice } from './content-negotiation.js';
import { findFormatByExtension } from './request-target.js';

interface FormatCriteria {
  readonly path: string;
  readonly accept: string | undefined;
  /** JSONP function, where it is valid (decisions 2.15). */
  readonly callback?: string | undefined;
  /** Absent where nothing is at the path. */
  readonly target?: FormatTarget;
}

export interface FormatTarget {
  /** In the plural, for the message of a 406. */
  readonly noun: string;
  readonly servedFormats: readonly Format[];
}

/** Errors included (decisions 3.12). */
export interface ResponseFormat extends FormatChoice {
  /** The 406 of a request that accepts no format served for its resource; written as JSON (decisions 2.4, 2.5). */
  readonly problem?: Problem;
}

/** Decisions 7.14. `acceptsCredentials`: the Authorization field of requests is evaluated. */
export function formatVary(acceptsCredentials: boolean): string {
  return `Accept, Accept-Encoding, Prefer${acceptsCredentials ? ', Authorization' : ''}`;
}

/** By extension, else by Accept. */
export function chooseResponseFormat(criteria: FormatCriteria): ResponseFormat {
  const { path, accept, callback, target } = criteria;
  const servedFormats = target?.servedFormats ?? formats;
  const extensionFormat = findFormatByExtension(path, formats);
  const chosen = extensionFormat
    ? withDefaultMediaType(extensionFormat)
    : negotiateFormat(accept, callback === undefined ? servedFormats : servedFormats.map(withScriptMediaType));
  if (chosen !== undefined && (extensionFormat === undefined || servedFormats.includes(extensionFormat))) return chosen;
  const requested = chosen ?? negotiateFormat(accept, formats);
  return {
    ...withDefaultMediaType(jsonFormat),
    problem: createNotAcceptableProblem(servedFormats, requested && target?.noun, requested?.format),
  };
}

/** With a callback, JSON is a script, and may be requested as one. */
function withScriptMediaType(format: Format): Format {
  return format.name === 'json' ? { ...format, mediaTypes: [...format.mediaTypes, jsonpMediaType] } : format;
}

function createNotAcceptableProblem(servedFormats: readonly Format[], noun?: string, unserved?: Format): Problem {
  const types = servedFormats.map(({ mediaTypes }) => mediaTypes[0] ?? '').join(', ');
  const reason = noun !== undefined && unserved ? `${explainUnserved(noun, unserved)}; ` : '';
  return { kind: 'not-acceptable', message: `${reason}supported formats are ${types}` };
}

/** For a 406: never served in the format, or in which scope. */
function explainUnserved(noun: string, { name }: Format): string {
  const [scope] = formatScopes[name] ?? [];
  if (scope === undefined) return `${noun} are never served as ${name}`;
  return `only teams of the data interface with scope=${scope} are served as ${name}`;
}
