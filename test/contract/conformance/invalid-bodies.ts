import * as faulty from '../../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

/** A body that is not of the format of a dialect, and the reason that Rollcall reports (decisions 6.3). */
export type InvalidBody = readonly [title: string, handler: RequestHandler, reason: 'body' | 'schema'];

/** Bodies that are no JSON, or no list in JSON. */
export const INVALID_JSON: readonly InvalidBody[] = [
  ['an HTML page', faulty.body('<!doctype html><p>Welcome'), 'body'],
  ['an empty body', faulty.body(''), 'body'],
  ['truncated JSON', faulty.body('[{"short-team-name":"A"'), 'body'],
  ['a body that is not UTF-8', faulty.body(Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d])), 'body'],
  ['a body in UTF-16', faulty.body(Buffer.from('[]', 'utf16le')), 'body'],
  ['an object without a list', faulty.body('{"status":"OK"}'), 'schema'],
  ['a JSON number', faulty.body('7'), 'schema'],
  ['a JSON null', faulty.body('null'), 'schema'],
  ['a list of scalars', faulty.body('[1,"two",null]'), 'schema'],
];

const CSV = { 'Content-Type': 'text/csv' };

/** Bodies that are no CSV, or have no names in the columns of the registration. */
export const INVALID_CSV: readonly InvalidBody[] = [
  ['an HTML page', faulty.body('<!doctype html>\n<p>Welcome\n<p>Please, log in', CSV), 'body'],
  ['an HTML page in one line', faulty.body('<!doctype html><p>Welcome', CSV), 'body'],
  ['JSON', faulty.body('{"error":"down"}', CSV), 'body'],
  ['an empty body', faulty.body('', CSV), 'body'],
  ['a body of white space', faulty.body(' \r\n\r\n', CSV), 'body'],
  ['a quote without an end', faulty.body('name;mail\r\n"ACORN;a@example.org', CSV), 'body'],
  ['other columns', faulty.body('team;address\r\nACORN;a@example.org\r\nBIRCH;b@example.org', CSV), 'schema'],
];
