/** What is checked of a package in package-lock.json. */
type LockedPackage = { integrity?: string; resolved?: string; inBundle?: boolean };

/**
 * Returns a sentence for each package that npm would install without comparing its checksum, and for each that names
 * a place to download from: the registry is the machine's choice, the content is ours.
 */
export function lockfileFaults(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).flatMap(([folder, entry]) => {
    if (folder === "") return [];
    const faults: string[] = [];
    if (!isCovered(packages, folder)) faults.push(`${folder} has no SHA-512 integrity.`);
    if (entry.resolved !== undefined) faults.push(`${folder} contains a download URL.`);
    return faults;
  });
}

/** A bundled package is inside the archive of the package around it, so that one's checksum covers it. */
function isCovered(packages: Record<string, LockedPackage>, folder: string): boolean {
  const entry = packages[folder];
  if (!entry?.inBundle) return entry?.integrity?.startsWith("sha512-") === true;
  return isCovered(packages, folder.slice(0, folder.lastIndexOf("/node_modules/")));
}
