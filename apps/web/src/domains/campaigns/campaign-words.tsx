import { useMemo } from 'react'
import { useDicts } from '#kit/dicts.ts'
import { Tag, type Tone } from '#kit/feedback.tsx'
import type { Option } from '#kit/list-state.ts'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'running',
  3: 'running',
  4: 'warning',
  5: 'fine',
  6: 'neutral',
}
export const CampaignStateTag = ({ row }: { row: { state: string; stateName: string } }) => (
  <Tag tone={tones[row.state]}>{row.stateName}</Tag>
)

const checkTones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'running',
  2: 'fine',
  3: 'danger',
  4: 'warning',
  5: 'fine',
  6: 'neutral',
}
export const CheckTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={checkTones[row.state]}>{row.stateName}</Tag>

const gradeTones: Readonly<Record<string, Tone>> = { 1: 'fine', 2: 'neutral', 3: 'danger' }
export const GradeTag = ({ row }: { row: { grade: string | null; gradeName: string | null } }) =>
  row.grade && row.gradeName ? <Tag tone={gradeTones[row.grade]}>{row.gradeName}</Tag> : null

/** 飞检: nobody outside the groups knows of it before they arrive. */
export const SurpriseTag = ({ row }: { row: { surprise: boolean } }) =>
  row.surprise ? (
    <Tag tone="danger" icon={false}>
      飞检
    </Tag>
  ) : null

export const percent = (rate: number | null): string => (rate === null ? '--' : `${rate}%`)
export const marks = (score: number | null): string => (score === null ? '--' : score.toFixed(2))

interface SheetOption extends Option {
  /** 安全 or 质量 (dictionary checkDiscipline), to which the sheet usually belongs. */
  discipline: string
}
const [safety, quality] = ['1', '2']

/** The sheets of the two standards: entries of their dictionaries whose own entries are check items. */
export function useSheets(): readonly SheetOption[] {
  const dicts = useDicts('safetyCheckItem', 'qualityCheckItem')
  return useMemo(() => {
    const below = (items: ReturnType<typeof dicts.items>, code: string) => items.filter((one) => one.parent === code)
    const all = dicts.items('safetyCheckItem')
    const isSheet = (code: string) => below(all, code).length > 0 && below(all, code).every((one) => below(all, one.code).length === 0)
    const parts = dicts.items('qualityCheckItem')
    return [
      ...all.filter((one) => isSheet(one.code)).map(({ code, name }) => ({ value: code, label: name, discipline: safety })),
      ...parts
        .filter((one) => !one.parent && below(parts, one.code).length > 0)
        .map(({ code, name }) => ({ value: `Q${code}`, label: `${name}（质量）`, discipline: quality })),
    ]
  }, [dicts])
}
