export function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T, void, undefined> {
  for (const list of lists) yield* list;
}
