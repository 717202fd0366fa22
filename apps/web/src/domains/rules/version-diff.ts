import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { type DraftLevel, levelWords, ruleWords, type Schedule, scheduleWords } from './condition-words.ts'

/** One difference between two versions of a rule, in words. */
export interface Change {
  label: string
  before: string
  after: string
}
type Content = Readonly<Record<string, unknown>>

const scopeWords = { global: '全局', projects: '项目', gateways: '网关', devices: '设备', points: '测点' } as const
const nothing = '（无）'

function scopeOf(content: Content): string {
  const scope = content.scope as { kind?: keyof typeof scopeWords; [list: string]: unknown } | undefined
  if (!scope?.kind) return nothing
  const listed = Object.values(scope).find(Array.isArray)
  return `${scopeWords[scope.kind] ?? scope.kind}${listed ? ` ${listed.length} 个` : ''}`
}
const levelsOf = (content: Content) => (content.levels ?? []) as readonly DraftLevel[]
const yesNo = (value: unknown) => (value ? '是' : '否')
const count = (value: unknown) => (Array.isArray(value) ? `${value.length} 个` : nothing)

export function changesBetween(before: Content, after: Content, family: FamilyView | undefined): Change[] {
  const changes: Change[] = []
  const note = (label: string, a: string, b: string, differs = a !== b) => {
    if (differs) changes.push({ label, before: a, after: b })
  }
  note('名称', String(before.name ?? ''), String(after.name ?? ''))
  const [old, now] = [levelsOf(before), levelsOf(after)]
  for (const level of [1, 2, 3, 4] as const) {
    const [a, b] = [old.find((l) => l.level === level), now.find((l) => l.level === level)]
    const words = (one: DraftLevel | undefined) =>
      one ? ruleWords({ who: '', levels: [one], schedule: undefined }, family).trim() : nothing
    note(`${levelWords[level]}条件`, words(a), words(b), JSON.stringify(a) !== JSON.stringify(b))
  }
  const hours = (content: Content) => scheduleWords((content.schedule ?? null) as Schedule).replaceAll(/[（）]/g, '') || '全天'
  note('时段', hours(before), hours(after))
  note('范围', scopeOf(before), scopeOf(after), JSON.stringify(before.scope) !== JSON.stringify(after.scope))
  note('执行动作', count(before.execIds), count(after.execIds), JSON.stringify(before.execIds) !== JSON.stringify(after.execIds))
  note('启用', yesNo(before.enabled), yesNo(after.enabled))
  note('锁定', yesNo(before.locked), yesNo(after.locked))
  const options = (content: Content) => Object.keys((content.options ?? {}) as object).length
  note(
    '其他设置',
    `${options(before)} 项`,
    `${options(after)} 项`,
    JSON.stringify(before.options ?? {}) !== JSON.stringify(after.options ?? {}),
  )
  return changes
}
