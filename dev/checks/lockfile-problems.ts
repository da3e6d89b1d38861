type LockedPackage = { integrity?: string; resolved?: string; inBundle?: boolean };

/** Requires a checksum and no download URL, because each machine chooses its registry. */
export function lockfileProblems(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).flatMap(([folder, entry]) => {
    if (folder === "") return [];
    const problems: string[] = [];
    if (!isCovered(packages, folder)) problems.push(`${folder} has no SHA-512 integrity.`);
    if (entry.resolved !== undefined) problems.push(`${folder} contains a download URL.`);
    return problems;
  });
}

/** A bundled package is covered by the checksum of its parent's archive. */
function isCovered(packages: Record<string, LockedPackage>, folder: string): boolean {
  const entry = packages[folder];
  if (!entry?.inBundle) return entry?.integrity?.startsWith("sha512-") === true;
  return isCovered(packages, folder.slice(0, folder.lastIndexOf("/node_modules/")));
}
