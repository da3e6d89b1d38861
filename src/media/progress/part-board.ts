export type PartBoard<T> = {
  put(id: string, part: T): void;
  has(id: string): boolean;
  /** Resolves once the part has been put; rejects if `fail` or `failPart` came first. */
  get(id: string): Promise<T>;
  failPart(id: string, error: unknown): void;
  fail(error: unknown): void;
};

export function createPartBoard<T>(): PartBoard<T> {
  const parts = new Map<string, T>();
  const failure = Promise.withResolvers<never>();
  const waiting = new Map<string, PromiseWithResolvers<T>>();
  const waitFor = (id: string): PromiseWithResolvers<T> => {
    const wait = waiting.get(id) ?? Promise.withResolvers<T>();
    if (!waiting.has(id)) wait.promise.catch(() => {});
    waiting.set(id, wait);
    return wait;
  };
  // An unhandled rejection would end the process.
  failure.promise.catch(() => {});
  return {
    put(id, part) {
      parts.set(id, part);
      waiting.get(id)?.resolve(part);
    },
    has: (id) => parts.has(id),
    async get(id) {
      if (parts.has(id)) return parts.get(id) as T;
      return await Promise.race([waitFor(id).promise, failure.promise]);
    },
    failPart: (id, error) => waitFor(id).reject(error),
    fail: (error) => failure.reject(error),
  };
}
