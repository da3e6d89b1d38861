/** What PostgreSQL says when a file of its own cannot grow. */
const DISK_FULL = "53100";

/** Whether the database refused something because its disk is full. It resumes automatically when there is space. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DISK_FULL;
}
