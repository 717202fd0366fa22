/** How a pile is made; the words are the catalogue's. */
export const pileKinds = { bored: '钻孔灌注桩', precast: '预制桩', static: '静压桩', mixing: '搅拌桩' } as const
export type PileKind = keyof typeof pileKinds
export const pileKindKeys = Object.keys(pileKinds) as [PileKind, ...PileKind[]]

const isKind = (text: string): text is PileKind => Object.hasOwn(pileKinds, text)

/** How a rig makes its piles, as its file says: by the catalogue's word or in Chinese. Bored where nothing else is said. */
export function pileKindOf(pileType: unknown): PileKind {
  const text = typeof pileType === 'string' ? pileType : ''
  if (isKind(text)) return text
  if (text.includes('搅拌') || text.includes('旋喷')) return 'mixing'
  if (text.includes('静压')) return 'static'
  return text.includes('预制') || text.includes('锤击') ? 'precast' : 'bored'
}

/** The words of a rig's file for whoever reads it: the catalogue's are spelt out, a site's own stay. */
export const pileTypeName = (pileType: string | null): string | null =>
  pileType !== null && isKind(pileType) ? pileKinds[pileType] : pileType
