import type { Resource } from '../model/resource.js';
import type { FailureReason } from '../model/reasons.js';
import type { FindingRule } from '../source/record/findings.js';

/** As `rollcall preview --json` prints it (operation 1.7.3): plain values only. */
export interface PreviewReport {
  readonly version: 2;
  readonly source: string;
  readonly sourceName: string;
  /** Redirects included. */
  readonly requests: readonly RequestReport[];
  /** One for each resource that the source serves. */
  readonly resources: readonly ResourceReport[];
}

export interface RequestReport {
  /** Path and query without credentials; of a file its path; of a feed its address as far as the path. */
  readonly target: string;
  /** Absent: there was no response. */
  readonly status?: number;
  readonly mediaType?: string;
  /** Decoded; absent where the body was not read. */
  readonly bytes?: number;
  readonly format?: string;
  /** Until the body had arrived. */
  readonly milliseconds: number;
}

/** The first page of one resource, or one feed, or why it could not be read. */
export type ResourceReport = ResourceName & (ReadResourceReport | FailedResourceReport);

interface ResourceName {
  /** `feed`: one feed of a source that consists of feeds. */
  readonly resource: Resource['path'] | 'feed';
  readonly interface: Resource['interfaceName'];
  /** The address of a feed as far as the path. Several with the same one are numbered. */
  readonly feed?: string;
}

export interface ReadResourceReport {
  readonly channel?: ChannelReport;
  readonly isDocument: boolean;
  readonly received: number;
  /** Entries that `only` leaves out. */
  readonly leftOut: number;
  readonly read: number;
  /** By the rule of data quality. */
  readonly dropped: readonly { readonly rule: FindingRule; readonly count: number }[];
  /** The first entries that `only` keeps. */
  readonly records: readonly RecordReport[];
  /** Empty for an interface. */
  readonly expressions: readonly ExpressionReport[];
  /** Names of a document's entries that no expression mentions; of an interface, dropped properties. At most 1,000. */
  readonly unused: readonly UnusedPropertyReport[];
  readonly findings: readonly FindingReport[];
  /** Why Rollcall would not serve this page as it is. */
  readonly problems: readonly string[];
  readonly nextPage?: string;
  readonly total?: number;
  /** The first ones, as received. */
  readonly entries: readonly unknown[];
  /** Of the second document, as received. */
  readonly joinedEntries?: readonly unknown[];
}

/** What the feed states about itself. */
export interface ChannelReport extends Pick<RecordReport, 'record' | 'sent'> {
  readonly id: string;
  /** Such as `RSS`. Absent: it is not known. */
  readonly format?: string;
  /** Seconds for which the feed says that copies may be used. Absent: it says nothing. */
  readonly lifetime?: number;
}

/** With the record that was built from it. */
export interface RecordReport {
  /** On the page, from 1. */
  readonly entry: number;
  /** As far as this page, or these feeds, determine it. Absent: the record was dropped. */
  readonly id?: string;
  readonly dropped?: FindingRule;
  /** As Rollcall shows it; empty if it was dropped. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Of a document: results of the expressions, and the defaults, before they were read. */
  readonly mapped?: unknown;
  /** The entry, with those of the second document; of a feed, what it states. */
  readonly sent: unknown;
  readonly findings: readonly { readonly field: string; readonly rule: FindingRule }[];
}

export interface ExpressionReport {
  /** `(only)` and `(join)` stand for the expressions of these settings. */
  readonly property: string;
  readonly expression: string;
  /**
   * Records with a value other than an empty list; of `(only)`, entries that are kept; of `(join)`, entries to which
   * others were added.
   */
  readonly values: number;
  /** Records for which the expression could not be evaluated. */
  readonly failures: number;
  /** Such as `entry 2: …`. */
  readonly firstFailure?: string;
}

export interface UnusedPropertyReport {
  readonly name: string;
  /** Entries with a value, among those that `only` keeps; among all where it keeps none. */
  readonly entries: number;
  readonly example: unknown;
}

export interface FindingReport {
  readonly rule: string;
  readonly field: string;
  readonly count: number;
  /** The first value that was found; absent where there is none. */
  readonly example?: unknown;
}

export interface FailedResourceReport {
  readonly failure: {
    readonly reason: FailureReason;
    readonly message: string;
    /** What the operator may change. */
    readonly hint?: string;
    readonly body?: string;
    readonly document?: DocumentShape;
  };
}

export interface DocumentShape {
  /** Of the whole, such as `list of 3 objects`. */
  readonly type: string;
  readonly properties: readonly { readonly path: string; readonly type: string }[];
  /** Expressions that give a list of objects, the longest first. */
  readonly candidates: readonly { readonly expression: string; readonly type: string }[];
}
