import { triggerBody } from '@zhugong/contract/rules/model'
import type { DraftLevel, Schedule } from './condition-words.ts'

/** One rule of a template, in the editor and in exported files. */
export interface TemplateItem {
  name: string
  alarmKey: string
  enabled: boolean
  levels: DraftLevel[]
  schedule: Schedule
  on?: string
  onlyWhen?: Record<string, unknown>
  maxGapSeconds?: number
  minConfidence?: number
  confirmSamples?: number
  daySeconds?: number
  noDataSeconds?: number
}
export interface TemplateDraft {
  name: string
  family: string
  standard: string
  remark: string
  triggers: TemplateItem[]
}
const options = ['on', 'onlyWhen', 'maxGapSeconds', 'minConfidence', 'confirmSamples', 'daySeconds', 'noDataSeconds'] as const

interface Seen {
  name: string
  alarmKey: string
  enabled: boolean
  levels: readonly object[]
  schedule?: unknown
}

/** Rule without the fields that the server adds for display. */
export function itemOf(seen: Seen): TemplateItem {
  const from = seen as unknown as Record<string, unknown>
  const kept = Object.fromEntries(options.filter((key) => from[key] !== null && from[key] !== undefined).map((key) => [key, from[key]]))
  return {
    name: seen.name,
    alarmKey: seen.alarmKey,
    enabled: seen.enabled,
    levels: seen.levels.map((level) => {
      const { text: _, ...plain } = level as DraftLevel & { text?: string }
      return plain
    }),
    schedule: (seen.schedule ?? null) as Schedule,
    ...kept,
  }
}

export const draftOf = (seen: {
  name: string
  family: string
  standard: string | null
  remark: string | null
  triggers: readonly Seen[]
}): TemplateDraft => ({
  name: seen.name,
  family: seen.family,
  standard: seen.standard ?? '',
  remark: seen.remark ?? '',
  triggers: seen.triggers.map(itemOf),
})

export const bodyOf = (draft: TemplateDraft) => ({
  template: true,
  name: draft.name.trim(),
  family: draft.family,
  standard: draft.standard.trim() || undefined,
  remark: draft.remark.trim() || undefined,
  triggers: draft.triggers,
})

const kind = 'zhugong.ruleTemplate'

export const templateText = (draft: TemplateDraft): string => JSON.stringify({ kind, formatVersion: 1, ...draft }, null, 2)

/** Parses a template file; returns the template, or the reason it is not valid. */
export function readTemplate(text: string): { draft: TemplateDraft } | { problem: string } {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { problem: '文件不是 JSON' }
  }
  if (typeof given !== 'object' || given === null || (given as { kind?: unknown }).kind !== kind) return { problem: '不是规则模板文件' }
  const parsed = triggerBody.safeParse({ ...given, template: true })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { problem: `${issue?.path.join('.') || '内容'}：${issue?.message ?? '不正确'}` }
  }
  const { name, family, standard, remark, triggers } = parsed.data
  if (!triggers?.length) return { problem: '模板中没有规则' }
  return { draft: draftOf({ name, family, standard: standard ?? null, remark: remark ?? null, triggers: triggers }) }
}
