/** As many as a worker may have in its cache; more would only slow down its claims. */
const MAX_LINKS = 100;

export type RecentLinks = {
  add(link: string): void;
  /** The latest last. */
  list(): string[];
};

/** Keeps the last hundred links. */
export function createRecentLinks(): RecentLinks {
  const links = new Set<string>();
  return {
    add(link) {
      links.delete(link);
      links.add(link);
      for (const oldest of links) {
        if (links.size <= MAX_LINKS) return;
        links.delete(oldest);
      }
    },
    list: () => [...links],
  };
}
