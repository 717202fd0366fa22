import { LockFilled } from '@ant-design/icons'
import { createTrigger, listTriggers, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { Notice, RiskBadge } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choices } from '#kit/inputs.tsx'
import { hrefOf } from '#kit/page.tsx'
import { type DraftLevel, execWords, FieldLabel, handDraft, LevelKnobs } from '../rules/public.tsx'
import { differenceOf, type KeyRow } from './effective.ts'
import { bodyFrom, plainLevels } from './project-keys.tsx'
import { differenceTag, type Exec } from './project-words.tsx'

/** A project's own limits for one kind of alarm; if the platform has locked the rule, they may only be stricter. */
export function ProjectOverride({
  row,
  execs,
  projectCode,
  onClose,
}: {
  row: KeyRow
  execs: readonly Exec[]
  projectCode: string
  onClose: () => void
}) {
  const [levels, setLevels] = useState(() => plainLevels(row) as unknown as DraftLevel[])
  const [execIds, setExecIds] = useState<string[]>(() => [...((row.own ?? row.rule)?.execIds ?? [])])
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [dirty, setDirty] = useState(false)
  const changed = () => {
    setDirty(true)
    setErrors({})
  }
  const family = useFamily(row.family)
  const difference = row.base ? differenceOf(row.base.levels, levels) : undefined
  const lockText = '平台锁定：只能更严，不能更松'
  const refused = row.locked && (difference === 'looser' || difference === 'different')
  const options = {
    onDone: onClose,
    refreshes: [listTriggers, ruleBase],
    onFail: (failure: { fields: Record<string, string> }) => setErrors(failure.fields),
  }
  const create = useAct(createTrigger, { success: '已按本项目的值生效', ...options })
  const update = useAct(updateTrigger, { success: '已保存，未恢复的告警按新值重新判定', ...options })
  const save = () => {
    if (refused) return setErrors({ levels: lockText })
    setErrors({})
    if (row.own) {
      const body = { levels, execIds, off: false, enabled: true, version: row.own.version }
      void update.run({ params: { id: row.own.id }, body }, { fieldsShown: true })
    } else void create.run({ body: bodyFrom(row, projectCode, { levels, execIds, enabled: true }) }, { fieldsShown: true })
  }
  const atLevels = Object.entries(errors).find(([field]) => field.startsWith('levels'))?.[1]
  const others = Object.entries(errors).filter(([field]) => !field.startsWith('levels') && field !== 'execIds')
  const error = atLevels ?? (refused ? lockText : undefined)
  const chosen = execs.filter((one) => execIds.includes(one.id))
  return (
    <FormSheet
      title={`调整 ${row.familyName} ${row.label}`}
      remark="只影响本项目，立即生效"
      saving={create.running || update.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <div className="alarm-override">
        {row.locked && (
          <Notice tone="warning">
            <LockFilled /> 这种告警由平台锁定，本项目的阈值不能更松、时间不能更长、不能关闭
          </Notice>
        )}
        {others.length > 0 && (
          <div data-wrong>
            <Notice tone="danger">{others.map(([, text]) => text).join('；')}</Notice>
          </div>
        )}
        <section>
          <h3>标准</h3>
          {(row.base?.levels ?? []).map((level) => (
            <p key={level.level}>
              <RiskBadge level={level.level} /> {level.text}
            </p>
          ))}
        </section>
        <section>
          <h3>
            本项目 {differenceTag({ difference: difference === 'same' ? undefined : difference })}
            {difference === 'same' && <span className="zg-2">与标准相同</span>}
          </h3>
          <div data-wrong={error ? true : undefined}>
            <LevelKnobs
              levels={levels}
              family={family.data}
              error={error}
              onChange={(next) => {
                setLevels(next)
                changed()
              }}
            />
          </div>
          <div className="zg-2">
            需要改条件、时段或范围时，用{' '}
            <Link
              to={hrefOf('/reg2_createRegView', row.own ? { id: row.own.id } : row.base ? { copy: row.base.id } : {})}
              onClick={() => dirty && handDraft(row.own?.id ?? row.base?.id ?? '', { levels, execIds })}
            >
              规则编辑
            </Link>
            ，可先按历史数据试算
          </div>
        </section>
        <section>
          <h3>通知与联动</h3>
          <FieldLabel label="执行动作" hint="不选则按等级的默认方案通知" error={errors.execIds}>
            <Choices
              value={execIds}
              options={execs.map((one) => ({ value: one.id, label: `${one.name}（${one.kindName}${one.enabled ? '' : '，已停用'}）` }))}
              onChange={(next) => {
                setExecIds(next ?? [])
                changed()
              }}
            />
          </FieldLabel>
          <ul className="alarm-does">
            {chosen.map((one) => (
              <li key={one.id}>
                <b>{one.name}</b>
                <span className="zg-2">{execWords(one)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </FormSheet>
  )
}
