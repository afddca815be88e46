/** One level of the tree for each label: joining the labels to one key takes longer than the look-ups. */
export class LabelTree<T> {
  value: T | undefined;
  private readonly children = new Map<string | undefined, LabelTree<T>>();

  getNode(labels: readonly (string | undefined)[], from = 0): LabelTree<T> {
    return from === labels.length ? this : this.getChild(labels[from]).getNode(labels, from + 1);
  }

  /** In the order in which the labels first occurred, by first label. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const node of this.children.values()) yield* node.values();
  }

  remove(label: string): void {
    this.children.delete(label);
  }

  private getChild(label: string | undefined): LabelTree<T> {
    const existing = this.children.get(label);
    if (existing !== undefined) return existing;
    const node = new LabelTree<T>();
    this.children.set(label, node);
    return node;
  }
}
