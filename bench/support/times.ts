export function medianOf(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const below = sorted[Math.ceil(sorted.length / 2) - 1]!;
  const above = sorted[Math.floor(sorted.length / 2)]!;
  return (below + above) / 2;
}

export function describeTimes(times: number[]): string {
  const [median, least, most] = [medianOf(times), Math.min(...times), Math.max(...times)].map(
    (ms) => `${Math.round(ms)} ms`,
  );
  return `median ${median} (${least} to ${most}, ${times.length} runs)`;
}
