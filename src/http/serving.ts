import type { Pulse } from '../hold/pulse.js';
import type { HeldTexts } from '../hold/texts.js';
import type { Clock } from '../model/clock.js';
import type { Interface } from '../model/interface.js';
import type { Query } from '../model/query.js';
import type { QueryRules } from '../query/parse.js';
import type { Manner } from '../source/asking.js';
import type { ReportedAnswer } from './answer-cache.js';
import type { Target } from './target.js';

/** What a list of one resource is served with. */
export interface ListOptions {
  readonly face: Interface;
  readonly rules: QueryRules;
  /** Undefined when nobody owns the item that is asked for. */
  readonly answer: (query: Query, item: number | undefined, manner: Manner) => Promise<ReportedAnswer | undefined>;
  /** Of what is held of the sources. */
  readonly pulse: Pulse;
  /** What was written of records. */
  readonly texts: HeldTexts;
  /** What Link begins with; empty for relative links. */
  readonly publicUrl: string;
  /** This gateway's name in Via. */
  readonly name: string;
  readonly clock: Clock;
}

/** A resource and where it is served. */
export interface Served {
  /** Base address of its interface, without a slash at the end. */
  readonly base: string;
  readonly options: ListOptions;
}

/** A request for a list, taken apart. */
export interface ListRequest extends Target {
  /** The Accept field. */
  readonly accept: string | undefined;
  /** The Prefer field. */
  readonly prefer: string;
  /** Whether it came through another gateway. */
  readonly relayed: boolean;
  /** Id of the one item that the path names. */
  readonly item: number | undefined;
}
