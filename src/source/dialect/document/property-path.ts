/** The place of a value in an entry: names of properties and positions in lists, from the outside in. */
export type PropertyPath = readonly (string | number)[];

/** Formats a place as a JMESPath expression, such as `contact.phones[0]`. */
export function formatPropertyPath(path: PropertyPath): string {
  return format(path, (position) => `[${position}]`);
}

/** Formats a place as a pattern, in which `[]` stands for any position, such as `contact.phones[]`. */
export function formatPattern(path: PropertyPath): string {
  return format(path, () => '[]');
}

/** Formats the name of a property as JMESPath needs it: in quotes, unless it consists of letters, digits and `_`. */
export function formatName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function format(path: PropertyPath, formatPosition: (position: number) => string): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return text + formatPosition(key);
    return text === '' ? formatName(key) : `${text}.${formatName(key)}`;
  }, '');
}
