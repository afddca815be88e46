/** One level of the tree for each label: joining the labels to one key takes longer than the look-ups. */
export class LabelTree<T> {
  value: T | undefined;
  private readonly children = new Map<string | undefined, LabelTree<T>>();

  getNode(labels: readonly (string | undefined)[]): LabelTree<T> {
    return labels.reduce<LabelTree<T>>((node, label) => node.getChild(label), this);
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
