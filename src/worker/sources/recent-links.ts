/** A worker's cache holds about as many; more would slow down claims. */
const MAX_LINKS = 100;

export type RecentLinks = {
  add(link: string): void;
  /** Latest last. */
  list(): string[];
};

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
