import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { noticePlan } from '@zhugong/contract/notify/endpoints'
import type { listExecs } from '@zhugong/contract/rules/endpoints'
import { confirmDanger } from '#kit/ask.ts'
import { Tag } from '#kit/feedback.tsx'
import { commandWord, linkageOf, notifyOf, quietWords, targetWords } from '../rules/public.tsx'
import type { KeyRow } from './effective.ts'

export type Exec = OutputFor<typeof listExecs>['list'][number]
export type PlanRow = OutputFor<typeof noticePlan>['list'][number]

/** Recipients, quiet hours and linkage of an alarm kind: from the rule's actions, otherwise from the notice plan of its level. */
export function reportedOf(row: KeyRow, execs: readonly Exec[], plan: readonly PlanRow[]) {
  const ids = row.rule?.execIds ?? []
  const own = execs.filter((one) => one.enabled && ids.includes(one.id))
  const notices = own.filter((one) => one.kind === 'notify').map((one) => notifyOf(one.notify))
  const level = Math.min(...(row.rule?.levels ?? []).map((one) => one.level), 4)
  const usual = plan.find((one) => one.level === level)
  return {
    level,
    notices,
    usual,
    isOwn: notices.length > 0,
    receivers:
      notices.length > 0
        ? [...new Set(notices.flatMap((part) => targetWords(part).split('、')))].filter(Boolean).join('、')
        : (usual?.receivers ?? []).map((one) => one.role).join('、'),
    nobody: notices.length === 0 && (usual?.receivers ?? []).some((one) => one.people.length === 0),
    quiet: [...new Set(notices.map((part) => quietWords(part.quietHours)).filter(Boolean))].join('、'),
    linkage: own
      .filter((one) => one.kind === 'linkage')
      .map((one) => commandWord(linkageOf(one.linkage).command))
      .join('、'),
    webhooks: own.filter((one) => one.kind === 'webhook').length,
  }
}

/** Asks for confirmation before resetting a rule to the standard. */
export const confirmStandard = (row: KeyRow): Promise<boolean> =>
  confirmDanger({
    thing: `恢复 ${row.familyName} ${row.label} 为标准`,
    consequence: `本项目自己的规则删除，改按“${row.base?.summary ?? '平台标准'}”判定，未恢复的告警随之重新判定。`,
    verb: '恢复标准',
    keep: '保留本项目的',
  })

export const differenceTag = (row: Pick<KeyRow, 'difference'>) => {
  if (row.difference === undefined || row.difference === 'same') return null
  const [word, tone] = ({ stricter: ['更严', 'fine'], looser: ['更松', 'danger'], different: ['条件不同', 'warning'] } as const)[
    row.difference
  ]
  return <Tag tone={tone}>{word}</Tag>
}
