export type RecentMap<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
};

/** Drops the least recently used value above `mostValues`. */
export function createRecentMap<Value>(mostValues: number): RecentMap<Value> {
  // In order of use.
  const values = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    values.delete(key);
    values.set(key, value);
    for (const oldest of values.keys()) {
      if (values.size <= mostValues) break;
      values.delete(oldest);
    }
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
}
