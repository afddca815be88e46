import type { ContributingSource, ResponseFacts } from './render-input.js';

const MAX_DESCRIBED = 50;

/** For formats that have no place for a structured list. */
interface SourceSummaryText {
  /** "Rests on A and B." */
  readonly basis: string;
  /** Which sources are missing or stale; undefined for a complete response. */
  readonly shortfall: string | undefined;
}

/** In plain words (decisions 3.16, 3.18). Names of sources are the only foreign text. */
export function summarizeSourcesInWords({
  sources,
  completeness,
}: Pick<ResponseFacts, 'sources' | 'completeness'>): SourceSummaryText {
  const contributing = sources.filter(({ records }) => records !== undefined);
  const incomplete = sources.filter(({ state }) => state !== 'fresh' && state !== 'excluded');
  const basis =
    contributing.length === 0
      ? 'Rests on no source.'
      : `Rests on ${joinNames(contributing.map(({ sourceName }) => quoteName(sourceName)))}.`;
  if (incomplete.length === 0) return { basis, shortfall: undefined };
  const omitted = incomplete.length - MAX_DESCRIBED;
  const described = incomplete.slice(0, MAX_DESCRIBED).map(describeShortfall);
  const rest = omitted > 0 ? [`${omitted} further sources`] : [];
  const heading = completeness === 'partial' ? 'Incomplete' : 'Not up to date';
  return { basis, shortfall: `${heading}: ${[...described, ...rest].join('; ')}.` };
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_DESCRIBED);
  const omitted = names.length - shown.length;
  return [...shown, ...(omitted > 0 ? [`${omitted} more`] : [])].join(', ');
}

/** A name that contains a separator of the text must not read as several names. */
function quoteName(name: string): string {
  return /[,;"]/.test(name) ? `"${name.replaceAll('"', "'")}"` : name;
}

/** "A is missing (timed out)". */
function describeShortfall({
  sourceName: name,
  state,
  reason,
  description = state,
  records,
}: ContributingSource): string {
  const sourceName = quoteName(name);
  if (state === 'stale') return `${sourceName} is shown as of its last good response (${description})`;
  if (records === undefined) return `${sourceName} is missing (${description})`;
  return `${sourceName} may lack ${reason === 'keys' ? 'keys' : 'records'} (${description})`;
}
