/** Returns a function that runs `act` once earlier calls with the same key have ended. */
export function createTurns(): <Result>(key: string, act: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const before = last.get(key);
    const own = (async () => {
      await before?.catch(() => {});
      return await act();
    })();
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}

/** Returns a function that takes a place of the key, to be disposed of at the end, or null while `most` are taken. */
export function createPlaces(most: number): (key: string) => Disposable | null {
  const taken = new Map<string, number>();
  return (key) => {
    const count = taken.get(key) ?? 0;
    if (count >= most) return null;
    taken.set(key, count + 1);
    return {
      [Symbol.dispose]() {
        const left = taken.get(key)! - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      },
    };
  };
}
