import { compileOperands, isTruthy } from '../../../text/jmespath-adapter.js';
import type { Operand } from '../../../text/jmespath-adapter.js';
import type { DocumentMapping, MappedCells } from '../../../model/registration/document-mapping.js';
import { JOIN_FIELD, SELECTION_FIELD } from '../../record/drain-result.js';
import { isIntegerText } from '../../record/read-value.js';
import { splitListCell } from '../../format/rollcall-csv.js';
import { createEntriesReader } from './document-entries.js';
import { compileMapping, readKeys } from './expression.js';
import type { MappingExpression } from './expression.js';
import { ExpressionTally } from './expression-tally.js';
import { JoinedEntryIndex } from './joined-entries.js';
import type { JoinedEntries, MappedEntry, PageParser, RawPage } from '../raw-page.js';

/** Of a team, no property of its record; of a news item, one. */
const IDENTITY_FIELD = 'id';

/**
 * Maps entries to this gateway's property names (decisions 4.27). An expression that fails for an entry leaves the
 * property out, as a finding.
 */
export function createDocumentParser(mapping: DocumentMapping): PageParser {
  const readEntries = createEntriesReader(mapping);
  const mapEntry = createEntryMapper(mapping);
  const join = createJoin(mapping);
  const isSelected = createSelection(mapping);
  const fields = listFields(mapping);
  return (body, context, findings): RawPage => {
    const { entries, next, stated } = readEntries(body, context, findings);
    const tally = new ExpressionTally(fields, findings);
    const joined = join(entries, tally, context.joined);
    tally.entries = joined;
    const selected = joined.filter((entry) => isSelected(entry, tally));
    const { valueCounts, failures } = tally;
    return {
      records: selected,
      mapEntry: (entry) => mapEntry(entry, tally),
      entries,
      document: {
        entryCount: entries.length,
        valueCounts,
        failures,
        ...((mapping.identity ?? mapping.map[IDENTITY_FIELD]) !== undefined && { ids: [] }),
        ...(next !== undefined && { next }),
        ...(stated && { stated }),
      },
    };
  };
}

/** An expression that fails where no value is read (`upper` of nothing) gives nothing: none is lost. */
function compileProperty(text: string): MappingExpression {
  const expression = compileMapping(text);
  const operands = compileOperands(text);
  return (entry) => {
    const mapped = expression(entry);
    if (!('failure' in mapped) || operands.length === 0) return mapped;
    return operands.some((operand) => hasContent(operand.evaluate(entry))) ? mapped : { value: null };
  };
}

/** Their expressions are counted. */
function listFields({ join, only, identity, map }: DocumentMapping): readonly string[] {
  return [
    ...(join === undefined ? [] : [JOIN_FIELD]),
    ...(only === undefined ? [] : compileOperands(only).map(fieldOfOperand)),
    ...(identity === undefined ? [] : [IDENTITY_FIELD]),
    ...Object.keys(map),
  ];
}

/** Counts what expressions give. */
type EntryMapper = (entry: unknown, tally: ExpressionTally) => MappedEntry;

/** Leaves an entry that is not an object: the record reader counts it as no record. */
function createEntryMapper({ map, defaults, identity, cells }: DocumentMapping): EntryMapper {
  const splitCell = createCellSplitter(cells);
  const properties = Object.entries(map).map(([name, text]) => ({ name, expression: compileProperty(text) }));
  const identityOf = identity === undefined ? undefined : compileProperty(identity);
  return (entry, tally) => {
    if (typeof entry !== 'object' || entry === null) return { record: entry, id: '' };
    const record: Record<string, unknown> = { ...defaults };
    for (const { name, expression } of properties) {
      const mapped = expression(entry);
      if ('failure' in mapped) tally.addFailure(name, entry, mapped.failure);
      else if (hasContent(mapped.value)) {
        record[name] = splitCell(name, mapped.value);
        tally.addValue(name);
      }
    }
    return { record, id: takeTextualId(record) ?? readIdentity(entry, identityOf, tally) };
  };
}

/** Replaces a news item's textual id by 0 and returns it: its number needs all ids of the list (decisions 4.17). */
function takeTextualId(record: Record<string, unknown>): string | undefined {
  const id = record[IDENTITY_FIELD];
  const text = typeof id === 'string' ? id.trim() : '';
  if (text === '' || isIntegerText(text)) return undefined;
  record[IDENTITY_FIELD] = 0;
  return text;
}

/** Splits the cells of lists; other values stay as they are. */
function createCellSplitter(cells: MappedCells | undefined): (name: string, value: unknown) => unknown {
  if (cells === undefined) return (_, value) => value;
  const [lists, further] = [new Set(cells.lists), new Set(cells.further)];
  return (name, value) => {
    if (typeof value !== 'string' || !(lists.has(name) || further.has(name))) return value;
    const items = splitListCell(value);
    return lists.has(name) || items.length > 1 ? items : value;
  };
}

function readIdentity(entry: unknown, identity: MappingExpression | undefined, tally: ExpressionTally): string {
  if (identity === undefined) return '';
  const mapped = identity(entry);
  if ('failure' in mapped) tally.addFailure(IDENTITY_FIELD, entry, mapped.failure);
  const id = readKeys(mapped)[0]?.trim() ?? '';
  if (id !== '') tally.addValue(IDENTITY_FIELD);
  return id;
}

/** Lists such as `[phone, fax]` have null for what is absent. The library gives functions for `constructor`. */
function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasContent);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== null && value !== undefined && value !== '' && typeof value !== 'function';
}

/**
 * Keeps an entry for which `only` fails: a faulty expression must not remove it. Counts each value that the condition
 * reads: without them, it says nothing.
 */
function createSelection({ only }: DocumentMapping): (entry: unknown, tally: ExpressionTally) => boolean {
  if (only === undefined) return () => true;
  const condition = compileMapping(only);
  const operands = compileOperands(only).map((operand) => ({ operand, field: fieldOfOperand(operand) }));
  return (entry, tally) => {
    for (const { field, operand } of operands) if (hasContent(operand.evaluate(entry))) tally.addValue(field);
    const result = condition(entry);
    if (!('failure' in result)) return isTruthy(result.value);
    tally.addFailure(SELECTION_FIELD, entry, result.failure);
    return true;
  };
}

/** For a path in `only`, such as `(only) status`. */
function fieldOfOperand({ path }: Pick<Operand, 'path'>): string {
  return `${SELECTION_FIELD} ${path}`;
}

/** Adds the second document's entries with the same key to each entry. */
function createJoin({
  join,
}: DocumentMapping): (
  entries: readonly unknown[],
  tally: ExpressionTally,
  joined?: JoinedEntries,
) => readonly unknown[] {
  if (join === undefined) return (entries) => entries;
  const key = compileMapping(join.key);
  return (entries, tally, joined = { texts: [], keys: [], positions: [] }) => {
    const index = new JoinedEntryIndex(joined);
    return entries.map((entry) => {
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
      const added = index.find(readKeys(key(entry)));
      if (added.length > 0) tally.addValue(JOIN_FIELD);
      return { ...entry, [join.as]: added };
    });
  };
}
