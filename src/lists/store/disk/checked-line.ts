import { createHash } from 'node:crypto';
import { decodeValue, encodeValue } from '../list-json.js';

/** A line of JSON with its checksum. Unlike plain JSON, it may have maps, addresses and infinite numbers. */
export function formatLine(value: { readonly form: string }): string {
  const json = JSON.stringify(value, encodeValue);
  return `{"checksum":"${checksum(json)}",${json.slice(1)}\n`;
}

/** Throws where it is not what was written in this form. */
export function parseLine<T extends { readonly form: string }>(line: string, form: T['form']): T {
  const json = line.trimEnd().replace(/^\{"checksum":"[\w-]{43}",/, '{');
  if (!line.startsWith(`{"checksum":"${checksum(json)}",`)) throw new Error('the checksum is wrong');
  const value: unknown = JSON.parse(json, decodeValue);
  if (!hasForm<T>(value, form)) throw new Error('the form is not that of this version of the program');
  return value;
}

export function checksum(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** With its checksum, what has a form is what was written in it. */
function hasForm<T extends { readonly form: string }>(value: unknown, form: T['form']): value is T {
  return typeof value === 'object' && value !== null && 'form' in value && value.form === form;
}
