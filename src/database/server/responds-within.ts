/**
 * True if the promise settles within `limitMs`. After a suspension or block of this process, handles pending events
 * first.
 */
export async function respondsWithin(response: Promise<unknown>, limitMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => late.resolve(false))), limitMs);
  try {
    return await Promise.race([
      response.then(
        () => true,
        () => true,
      ),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
