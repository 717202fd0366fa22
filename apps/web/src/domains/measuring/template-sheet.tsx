import { changeMeasureRule, createMeasureRule, defaultTarget, type MeasureTemplate } from '@zhugong/contract/measuring/rules'
import { Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { anyProject, Labelled } from './words.tsx'

/** A new template, its name and target, or a copy of one with its rules. */
export function TemplateSheet({
  as,
  template,
  onDone,
  onClose,
}: {
  as: 'new' | 'edit' | 'copy'
  template: MeasureTemplate | undefined
  onDone: (id: string) => void
  onClose: () => void
}) {
  const dicts = useDicts('measureItem')
  const [draft, setDraft] = useState(() => ({
    name: template ? (as === 'copy' ? `${template.name}（副本）` : template.name) : '',
    stage: template?.stage ?? '',
    targetRate: template?.targetRate ?? defaultTarget,
  }))
  const [dirty, setDirty] = useState(as === 'copy')
  const done = ({ id }: { id: string }) => {
    onDone(id)
    onClose()
  }
  const create = useAct(createMeasureRule, { success: as === 'copy' ? '模板已复制' : '模板已新增', onDone: done })
  const change = useAct(changeMeasureRule, { onDone: done })
  const errors = { ...create.fieldErrors, ...change.fieldErrors }
  const set = (more: Partial<typeof draft>) => {
    setDraft((now) => ({ ...now, ...more }))
    setDirty(true)
  }
  const save = () => {
    if (as === 'new') return void create.run({ query: anyProject, body: { action: 'createTemplate', ...draft } }, { fieldsShown: true })
    if (!template) return
    if (as === 'copy')
      return void create.run(
        { query: anyProject, body: { action: 'copyTemplate', templateId: template.id, name: draft.name } },
        { fieldsShown: true },
      )
    void change.run(
      { query: anyProject, body: { action: 'editTemplate', id: template.id, version: template.version, ...draft } },
      { fieldsShown: true },
    )
  }
  return (
    <FormSheet
      title={as === 'new' ? '新增模板' : as === 'copy' ? `复制模板 ${template?.name ?? ''}` : `修改模板 ${template?.name ?? ''}`}
      remark={as === 'copy' ? `连同 ${template?.ruleCount ?? 0} 条规则` : undefined}
      width={480}
      saving={create.running || change.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <div className="measuring-form">
        <Labelled label="模板名称" error={errors.name}>
          {(id) => <Input id={id} maxLength={50} value={draft.name} onChange={(event) => set({ name: event.target.value })} />}
        </Labelled>
        {as !== 'copy' && (
          <>
            <Labelled label="工序" error={errors.stage}>
              {(id) => (
                <Choice
                  id={id}
                  clear={false}
                  value={draft.stage || undefined}
                  options={dicts.tree('measureItem').map(({ value, label }) => ({ value, label }))}
                  onChange={(stage) => set({ stage: stage ?? '' })}
                />
              )}
            </Labelled>
            <Labelled label="目标合格率" error={errors.targetRate}>
              {(id) => (
                <NumberInput
                  id={id}
                  unit="%"
                  min={1}
                  max={100}
                  value={draft.targetRate}
                  onChange={(targetRate) => set({ targetRate: targetRate ?? defaultTarget })}
                />
              )}
            </Labelled>
          </>
        )}
      </div>
    </FormSheet>
  )
}
