/** Ids of stored files, given as ids or as the links under which they were shown. */
export function fileIdsOf(files: readonly string[] | undefined): string[] {
  return [...new Set((files ?? []).map((one) => /[?&]id=([\w-]{1,64})/.exec(one)?.[1] ?? one))]
}
