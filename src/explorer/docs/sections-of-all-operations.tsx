import type { VNode } from '../../html/html.js';
import { requestFields, responseFields } from '../../http/representation/response-fields.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import { REASON_DESCRIPTIONS, STATE_DESCRIPTIONS } from '../../model/outcome-description.js';
import { formats } from '../../render/formats.js';
import { ReferenceTable } from './reference-table.js';
import type { ReferenceRow } from './reference-table.js';

/** Anchors and titles of the sections that follow the paths. */
export const sharedContents: readonly (readonly [anchor: string, title: string])[] = [
  ['properties', 'Properties'],
  ['formats', 'Formats'],
  ['request-fields', 'Request fields'],
  ['response-fields', 'Response fields'],
  ['states', 'States of sources'],
  ['reasons', 'Reasons'],
  ['errors', 'Errors'],
];

/** Anchor of an error of the catalogue. */
export function formatErrorAnchor(kind: string): string {
  return `error-${kind}`;
}

interface SharedSection {
  readonly anchor: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReferenceRow[];
}

/** The tables that all operations share. */
const SECTIONS: readonly SharedSection[] = [
  {
    anchor: 'formats',
    columns: ['Format', 'What it is', 'Extensions', 'Media types'],
    rows: formats.map(({ name, description, extensions, mediaTypes }) => ({
      anchor: `format-${name}`,
      name,
      cells: [description, quote(extensions), quote(mediaTypes)],
    })),
  },
  {
    anchor: 'request-fields',
    columns: ['Field', 'Meaning', 'Example'],
    rows: requestFields.map(({ name, description, example }) => ({
      anchor: `request-${name}`,
      name,
      cells: [description, quote([example])],
    })),
  },
  {
    anchor: 'response-fields',
    columns: ['Field', 'Meaning', 'Example'],
    rows: responseFields.map(({ name, description, example }) => ({
      anchor: `response-${name}`,
      name,
      cells: [description, quote([example])],
    })),
  },
  {
    anchor: 'states',
    columns: ['State', 'Meaning'],
    rows: Object.entries(STATE_DESCRIPTIONS).map(([state, description]) => ({
      anchor: `state-${state}`,
      name: state,
      cells: [description],
    })),
  },
  {
    anchor: 'reasons',
    columns: ['Reason', 'The source'],
    rows: Object.entries(REASON_DESCRIPTIONS).map(([reason, description]) => ({
      anchor: `reason-${reason}`,
      name: reason,
      cells: [description],
    })),
  },
  {
    anchor: 'errors',
    columns: ['Error', 'Status', 'Cause and remedy'],
    rows: Object.entries(errorCatalogue).map(([kind, { status, phrase, description }]) => ({
      anchor: formatErrorAnchor(kind),
      name: kind,
      cells: [`${status} ${phrase}`, description],
    })),
  },
];

function quote(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(' ');
}

/** Formats, header fields, states and reasons of sources, and errors. */
export function SharedSections(): VNode {
  return (
    <>
      {SECTIONS.map(({ anchor, columns, rows }) => {
        const title = sharedContents.find(([known]) => known === anchor)?.[1] ?? anchor;
        return (
          <section id={anchor} aria-labelledby={`${anchor}-title`}>
            <h2 id={`${anchor}-title`}>{title}</h2>
            <ReferenceTable caption={title} columns={columns} rows={rows} />
          </section>
        );
      })}
    </>
  );
}
