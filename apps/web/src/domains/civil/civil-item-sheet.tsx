import { type CivilItem, changeCivilItem } from '@zhugong/contract/civil/library'
import { createCheckItem } from '@zhugong/contract/scoring/library'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, Choices, LongText, NumberInput } from '#kit/inputs.tsx'
import { uid } from '#kit/uid.ts'
import { Labelled } from '../checks/public.tsx'
import { anyProject } from './civil-words.tsx'

interface SheetProps {
  /** Undefined: a new one. */
  item: CivilItem | undefined
  /** The draft version a new item belongs to; null: an extra of the own group. */
  versionId: string | null
  onClose: (id?: string) => void
}

/** A new extra or item of a draft version, or a change of one. */
export function CivilItemSheet({ item, versionId, onClose }: SheetProps) {
  const dicts = useDicts('civilCheckItem', 'projectPhase')
  const [id] = useState(() => uid())
  const [part, setPart] = useState('03')
  const [fields, setFields] = useState(() => ({
    name: item?.name ?? '',
    maxScore: item?.maxScore ?? 3,
    rule: item?.rule ?? null,
    requirement: item?.requirement ?? null,
    clause: item?.clause ?? null,
    phases: item?.phases ?? [],
  }))
  const set = (more: Partial<typeof fields>) => setFields((now) => ({ ...now, ...more }))
  const create = useAct(createCheckItem, { success: '检查项已新增', onDone: () => onClose() })
  const change = useAct(changeCivilItem, { success: '已保存，之后开始的检查使用新内容', onDone: (made) => onClose(made?.id) })
  const errors = { ...create.fieldErrors, ...change.fieldErrors }
  const save = () =>
    item
      ? change.run(
          { params: { id: item.id }, query: anyProject, body: { action: 'edit', version: item.version, ...fields } },
          { fieldsShown: true },
        )
      : create.run({ query: anyProject, body: { id, library: 'civil', versionId, part, ...fields } }, { fieldsShown: true })
  return (
    <FormSheet
      title={item ? `编辑 ${item.name}` : versionId ? '新增检查项' : '新增扩展检查项'}
      remark={versionId || item?.versionId ? '属于草稿版本，发布后生效' : '与现行版本一并检查；修改生成新的修订，已开始的检查不变'}
      saving={create.running || change.running}
      onSave={() => void save()}
      onClose={() => onClose()}
      errors={errors}
      dirty
    >
      <div className="quality-form">
        {!item && (
          <Labelled label="所属部分" problem={errors.part}>
            {(field) => (
              <Choice
                id={field}
                clear={false}
                options={dicts.tree('civilCheckItem').map(({ value, label }) => ({ value, label: String(label) }))}
                value={part}
                onChange={(next) => setPart(next ?? '03')}
              />
            )}
          </Labelled>
        )}
        <Labelled label="检查项" problem={errors.name}>
          {(field) => <Input id={field} maxLength={60} value={fields.name} onChange={(event) => set({ name: event.target.value })} />}
        </Labelled>
        <Labelled label="分值" problem={errors.maxScore}>
          {(field) => (
            <NumberInput
              id={field}
              unit="分"
              min={1}
              max={20}
              precision={0}
              value={fields.maxScore}
              onChange={(maxScore) => set({ maxScore: maxScore ?? 1 })}
            />
          )}
        </Labelled>
        <Labelled label="要求" problem={errors.requirement}>
          {(field) => (
            <LongText
              id={field}
              rows={2}
              maxLength={500}
              value={fields.requirement}
              onChange={(requirement) => set({ requirement: requirement || null })}
            />
          )}
        </Labelled>
        <Labelled label="扣分规则" problem={errors.rule}>
          {(field) => <LongText id={field} rows={2} maxLength={500} value={fields.rule} onChange={(rule) => set({ rule: rule || null })} />}
        </Labelled>
        <Labelled label="条款（可不填）" problem={errors.clause}>
          {(field) => (
            <Input
              id={field}
              maxLength={200}
              value={fields.clause ?? ''}
              onChange={(event) => set({ clause: event.target.value || null })}
            />
          )}
        </Labelled>
        <Labelled label="适用阶段（不选为各阶段）" problem={errors.phases}>
          {(field) => (
            <Choices
              id={field}
              options={dicts.options('projectPhase')}
              value={fields.phases}
              onChange={(phases) => set({ phases: phases ?? [] })}
            />
          )}
        </Labelled>
      </div>
    </FormSheet>
  )
}
