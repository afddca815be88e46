import { findOtherOrigins } from '../connection/source-addresses.js';
import { childPaths, readField, readFields } from '../located-value.js';
import { publishedDocumentFields } from '../schema/published-document-schema.js';
import { urlWithQuery } from '../schema/value-types.js';
import { createKeyIssues } from '../yaml/config-error.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { itemPathsAt, nodeAt, presentKeysAt } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';
import type { DocumentFileCheck } from '../yaml/included-file.js';

/** Where a document and its second document are, and how they are paged and written (operation 2.8.16). */
export function checkDocumentAddress(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  const document = [...source, 'document'];
  return [
    ...checkAddress(root, document),
    ...checkRequestSettings(root, source),
    ...checkFormat(root, document),
    ...checkPaging(root, document),
    ...checkJoin(root, document),
  ];
}

export function checkDocumentFiles(
  root: ConfigNode,
  source: ConfigPath,
  findProblem: DocumentFileCheck,
): ConfigIssue[] {
  const documents = [
    [...source, 'document'],
    [...source, 'document', 'join'],
  ];
  return readFields(root, childPaths(documents, 'file'), publishedDocumentFields.file).flatMap((found) => {
    const message = found.value === undefined ? undefined : findProblem(found.value);
    return message === undefined ? [] : [{ path: found.path, offset: found.offset, message }];
  });
}

function checkAddress(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  return presentKeysAt(root, document, ['url', 'file']).length === 1
    ? []
    : createKeyIssues(root, [document], 'needs either url or file');
}

function checkRequestSettings(root: ConfigNode, source: ConfigPath): ConfigIssue[] {
  if (presentKeysAt(root, [...source, 'document'], ['file']).length === 0) return [];
  return createKeyIssues(root, presentKeysAt(root, source, ['credentials']), 'is not a setting of a file');
}

/** Only CSV has a delimiter, and encodings that a document does not state. */
function checkFormat(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  return [document, [...document, 'join']].flatMap((path) => {
    const [found] = readField(root, [...path, 'format'], publishedDocumentFields.format);
    if (found?.value === undefined || found.value === 'csv') return [];
    return createKeyIssues(
      root,
      presentKeysAt(root, path, ['delimiter', 'encoding']),
      'is a setting of the format csv',
    );
  });
}

/** Pages are linked or counted, and a file has one page. */
function checkPaging(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  return [document, [...document, 'join']].flatMap((path) => {
    const paging = presentKeysAt(root, path, ['next', 'page']);
    if (presentKeysAt(root, path, ['file']).length > 0) return createKeyIssues(root, paging, 'a file has one page');
    const [, second] = paging;
    if (second !== undefined)
      return createKeyIssues(root, [second], 'is given beside next: pages are linked or counted');
    const [page] = presentKeysAt(root, path, ['page']);
    return page === undefined || presentKeysAt(root, page, ['parameter']).length > 0
      ? []
      : createKeyIssues(root, [page], 'needs parameter');
  });
}

/** The second document is complete, and has the origin of the first: it gets the same credentials (decisions 8.4). */
function checkJoin(root: ConfigNode, document: ConfigPath): ConfigIssue[] {
  const join = [...document, 'join'];
  if (nodeAt(root, join) === undefined) return [];
  const [first, second] = [document, join].map((path) =>
    presentKeysAt(root, path, ['url', 'file']).map((key) => key.at(-1)),
  );
  const missing = [
    ...(itemPathsAt(root, [...join, 'on']).length === 2 ? [] : ['on: two expressions, for the keys of both documents']),
    ...(presentKeysAt(root, join, ['as']).length > 0 ? [] : ['as: the name of the added list']),
    ...(second?.length === 1 ? [] : ['either url or file']),
  ];
  if (missing.length > 0) return createKeyIssues(root, [join], `needs ${missing.join('; ')}`);
  return first?.[0] === second?.[0]
    ? checkSameOrigin(root, document, join)
    : createKeyIssues(root, [join], 'must be at an address if the first document is, and in a file if that is');
}

function checkSameOrigin(root: ConfigNode, document: ConfigPath, join: ConfigPath): ConfigIssue[] {
  const others = findOtherOrigins(readFields(root, childPaths([document, join], 'url'), urlWithQuery));
  const message = 'must have the scheme, host and port of the first document';
  return createKeyIssues(
    root,
    others.map(({ path }) => path),
    message,
  );
}
