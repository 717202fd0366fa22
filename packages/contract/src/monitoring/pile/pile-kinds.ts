/** Construction method of a pile; labels follow the catalogue. */
export const pileKinds = { bored: '钻孔灌注桩', precast: '预制桩', static: '静压桩', mixing: '搅拌桩' } as const
export type PileKind = keyof typeof pileKinds
export const pileKindKeys = Object.keys(pileKinds) as [PileKind, ...PileKind[]]

const isKind = (text: string): text is PileKind => Object.hasOwn(pileKinds, text)

/** Method of a rig's piles from its record, which holds the catalogue's word or Chinese. Default: bored. */
export function pileKindOf(pileType: unknown): PileKind {
  const text = typeof pileType === 'string' ? pileType : ''
  if (isKind(text)) return text
  if (text.includes('搅拌') || text.includes('旋喷')) return 'mixing'
  if (text.includes('静压')) return 'static'
  return text.includes('预制') || text.includes('锤击') ? 'precast' : 'bored'
}

/** Display label of a rig's pile type: the catalogue's words are translated, a site's own kept. */
export const pileTypeName = (pileType: string | null): string | null =>
  pileType !== null && isKind(pileType) ? pileKinds[pileType] : pileType
