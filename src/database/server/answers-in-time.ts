/**
 * Returns true if the promise settles within `limitMs`. A process that was itself suspended or busy first handles what
 * has arrived meanwhile.
 */
export async function answersInTime(answer: Promise<unknown>, limitMs: number): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => late.resolve(false))), limitMs);
  try {
    return await Promise.race([
      answer.then(
        () => true,
        () => true,
      ),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
