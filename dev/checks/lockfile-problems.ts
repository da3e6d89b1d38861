type LockedPackage = { name?: string; integrity?: string; resolved?: string; inBundle?: boolean };

/** Not in npm's registry, and not needed. An override in package.json cannot name its substitute: npm 9 fails for that. */
const SUBSTITUTED = new Set(["com.unity.barracuda", "jp.keijiro.klak.nnutils"].map((name) => `node_modules/${name}`));
const SUBSTITUTE = "empty-npm-package";

/**
 * Requires a checksum and no download URL, because each machine chooses its registry, and the empty package in place of
 * those that somebody else could publish.
 */
export function lockfileProblems(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).flatMap(([folder, entry]) => {
    if (folder === "") return [];
    const problems: string[] = [];
    if (!isCovered(packages, folder)) problems.push(`${folder} has no SHA-512 integrity.`);
    if (SUBSTITUTED.has(folder) && entry.name !== SUBSTITUTE) problems.push(`${folder} is not ${SUBSTITUTE}.`);
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
