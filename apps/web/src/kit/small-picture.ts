/**
 * The address of the small picture of a stored photograph, for lists and cards; other addresses are unchanged. Viewers, comparisons and
 * documents take the photograph itself: the small picture proves nothing.
 */
export const smallOf = (address: string): string => (address.startsWith('/api/v1/tool/image?') ? `${address}&size=small` : address)
