import { createHash } from 'node:crypto';

/** A line of JSON with its checksum. Unlike plain JSON, it may have maps, addresses and infinite numbers. */
export function formatLine(value: { readonly form: string }): string {
  const json = JSON.stringify(value, encode);
  return `{"checksum":"${checksum(json)}",${json.slice(1)}\n`;
}

/** Throws where it is not what was written in this form. */
export function parseLine<T extends { readonly form: string }>(line: string, form: T['form']): T {
  const json = line.trimEnd().replace(/^\{"checksum":"[\w-]{43}",/, '{');
  if (!line.startsWith(`{"checksum":"${checksum(json)}",`)) throw new Error('the checksum is wrong');
  const value: unknown = JSON.parse(json, decode);
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

function encode(this: object, key: string, value: unknown): unknown {
  const original: unknown = Reflect.get(this, key);
  if (original instanceof URL) return { $url: value };
  if (original instanceof Map) return { $map: Object.fromEntries(original) as unknown };
  return original === Infinity ? { $number: 'Infinity' } : value;
}

function decode(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$url' in value) return new URL(String(value.$url));
  if ('$map' in value && typeof value.$map === 'object') return new Map(Object.entries(value.$map ?? {}));
  return '$number' in value ? Number(value.$number) : value;
}
