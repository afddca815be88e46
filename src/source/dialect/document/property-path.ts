/** Names and positions in lists, from the outside in. */
export type PropertyPath = readonly (string | number)[];

/** As a JMESPath expression, such as `contact.phones[0]`. */
export function formatPropertyPath(path: PropertyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? formatName(key) : `${text}.${formatName(key)}`;
  }, '');
}

/** As JMESPath needs it: quoted, unless it consists of letters, digits and `_`. */
export function formatName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
