/** For hosts that do not list file types. */
const MEDIA = /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|mts|m2ts|3gp|mp3|m4a|aac|wav|flac|ogg|opus)$/i;

export function isMediaName(name: string): boolean {
  return MEDIA.test(name);
}
