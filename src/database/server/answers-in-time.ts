/**
 * Whether something settles within a time, in milliseconds. A process that was itself held up (stopped, or busy) first takes
 * what has arrived meanwhile, and then judges.
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
