/** Words for the kind of company or business, which do not identify a brand. */
const general =
  /(股份|有限|责任|公司|集团|科技|技术|智能|重科|重工|机械|电子|仪器|仪表|设备|装备|环境|环保|安全|监控|控制|检测|实业|（.*?）|\(.*?\)|[\s·\-_.®™])/g

/** A brand's name without the general words, for comparison: 中联重科 and 中联 are alike. */
export function coreOf(name: string): string {
  const lower = name.normalize('NFKC').toLowerCase()
  const core = lower.replace(general, '')
  // A name made only of general words is used as it is.
  return core.length >= 2 ? core : lower.replace(/[\s·\-_.]/g, '')
}

export interface Named {
  id: string
  name: string
  alias: readonly string[]
}

/** Groups of brands whose core is equal, or where one brand's name is an alias of another. */
export function alikeNames<T extends Named>(brands: readonly T[]): { why: string; group: T[] }[] {
  const byCore = new Map<string, T[]>()
  for (const brand of brands) {
    const core = coreOf(brand.name)
    byCore.set(core, [...(byCore.get(core) ?? []), brand])
  }
  const groups = [...byCore.values()].filter((g) => g.length > 1).map((group) => ({ why: '名称主体相同', group }))
  const grouped = new Set(groups.flatMap((g) => g.group.map((b) => b.id)))
  const byName = new Map(brands.map((b) => [b.name.toLowerCase(), b]))
  for (const brand of brands) {
    for (const alias of brand.alias) {
      const other = byName.get(alias.toLowerCase())
      if (!other || other.id === brand.id || (grouped.has(brand.id) && grouped.has(other.id))) continue
      groups.push({ why: `“${alias}” 是 ${brand.name} 的别名`, group: [brand, other] })
      grouped.add(brand.id).add(other.id)
    }
  }
  return groups
}
