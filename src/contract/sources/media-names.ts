/** For hosts that do not list the types of files, which are then chosen by the ends of their names. */
const MEDIA = /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|mts|m2ts|3gp|mp3|m4a|aac|wav|flac|ogg|opus)$/i;

/** Returns true for the name of a video or audio file. */
export function isMediaName(name: string): boolean {
  return MEDIA.test(name);
}
