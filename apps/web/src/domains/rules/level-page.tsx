import { groupTypes } from '@zhugong/contract/access/group-types'
import { listLevels, updateLevels } from '@zhugong/contract/rules/endpoints'
import type { LevelRow } from '@zhugong/contract/rules/level-model'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { useGroupType } from '#kit/me.ts'
import { usePage } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { LevelCard } from './level-card.tsx'
import { LevelPreview } from './level-preview.tsx'
import { levelDifferences } from './level-words.ts'
import './rules.css'

/** The four alarm levels: name, colour, sound, and who is notified by default. */
export default function LevelPage() {
  const page = usePage()
  const lock = useLock()
  const isCompany = useGroupType() === groupTypes.corporation
  const { data, error, refetch } = useCall(listLevels, {}, { quiet: true })
  const [drafted, setDrafted] = useState<readonly LevelRow[]>()
  const drop = () => setDrafted(undefined)
  const save = useAct(updateLevels, { success: '已保存，已打开的页面随之更新', onDone: drop })
  const current = data?.list ?? []
  const levels = drafted ?? current
  const differences = levelDifferences(current, levels)
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />

  const change = (level: number, part: Partial<LevelRow>) =>
    setDrafted(levels.map((one) => (one.level === level ? { ...one, ...part } : one)))
  const list = levels.map(({ level, name, label, color, sound, plan }) => ({ level, name, label, color, sound, plan }))
  const reset = () =>
    save.afterRequesting(
      {
        thing: '恢复默认的风险等级',
        consequence: isCompany ? '名称、颜色、声音与默认方案重新沿用平台的设置。' : '名称、颜色、声音与默认方案回到出厂设置。',
        verb: '恢复默认',
        keep: '保持现状',
      },
      { body: { list, reset: true } },
    )
  const newest = current.toSorted((a, b) => (b.updateTime ?? 0) - (a.updateTime ?? 0))[0]
  return (
    <SettingsPage
      remark="等级数字固定，一级最严重"
      last={{ by: newest?.updateBy, at: newest?.updateTime }}
      lock={lock}
      above={isCompany && !lock && !current.some((one) => one.own) && '现沿用平台的设置；保存后本企业自成一份，平台再改不随之变动'}
      differences={differences}
      fault={faultOf(levels, save.fieldErrors)}
      saving={save.running}
      onSave={() => save.run({ body: { list } })}
      onUndo={drop}
      actions={<Button onClick={() => void reset()}>恢复默认</Button>}
    >
      <div className="rule-editor">
        <div className="rule-levels">
          {levels.map((one) => (
            <LevelCard key={one.level} level={one} onChange={(part) => change(one.level, part)} />
          ))}
        </div>
        <LevelPreview levels={levels} />
      </div>
    </SettingsPage>
  )
}

/** Why the page is read-only: only the platform, or a company for itself, sets levels. */
function useLock(): string | undefined {
  const mayEdit = useCan(updateLevels)
  const type = useGroupType()
  if (type !== groupTypes.platform && type !== groupTypes.corporation) return '风险等级由平台或企业设置，此处只供查看'
  return mayEdit ? undefined : '没有修改风险等级的权限，此处只供查看'
}

function faultOf(levels: readonly LevelRow[], answered: Readonly<Record<string, string>>): string | undefined {
  const empty = levels.find((one) => one.plan.escalation.some((rung) => rung.roles.length === 0))
  return empty ? `${empty.name}有一级升级没有选对象` : Object.values(answered).join('；') || undefined
}
