import { DeleteOutlined } from '@ant-design/icons'
import { createTrigger, findTriggers, ruleBase, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { triggerBody } from '@zhugong/contract/rules/model'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input, Segmented, Select, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { Empty, Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice } from '#kit/inputs.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import type { DraftLevel, Schedule } from './condition-words.ts'
import { FieldLabel } from './field-label.tsx'
import { LevelKnobs } from './level-knobs.tsx'
import { bodyOf, itemOf, type TemplateDraft, type TemplateItem } from './template-file.ts'

const empty: TemplateDraft = { name: '', family: '', standard: '', remark: '', triggers: [] }

/** Edits a template, a set of rules for one device family: from the catalogue, from a site's rules, or from a file. */
export function TemplateEditor({
  id,
  version,
  initial,
  onClose,
}: {
  id: string | undefined
  version: number | undefined
  initial: TemplateDraft | undefined
  onClose: () => void
}) {
  const projectCode = useProjectCode()
  const projectName = useMe((me) => me.project?.name)
  const [draft, setDraft] = useState(initial ?? empty)
  const [dirty, setDirty] = useState(initial !== undefined && id === undefined)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [from, setFrom] = useState<'base' | 'site'>('base')
  const chosen = draft.family !== ''
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const family = useFamily(draft.family)
  const base = useCall(
    ruleBase,
    { query: { family: [draft.family], size: 100 } },
    {
      enabled: chosen,
      staleMs: 60_000,
      quiet: true,
    },
  )
  const own = useCall(
    findTriggers,
    { query: { projectCode, family: draft.family, scope: 'projects', size: 200 } },
    {
      enabled: chosen && from === 'site' && projectCode !== '*',
      quiet: true,
    },
  )
  const change = (part: Partial<TemplateDraft>) => {
    setDraft((now) => ({ ...now, ...part }))
    setDirty(true)
    setErrors({})
  }
  const fail = { onDone: onClose, onFail: (error: { fields: Record<string, string> }) => setErrors(error.fields) }
  const create = useAct(createTrigger, { success: '模板已保存', ...fail })
  const update = useAct(updateTrigger, { success: '已保存为新版本，已应用的项目不会自动改变', ...fail })
  const save = () => {
    const body = bodyOf(draft)
    const parsed = triggerBody.safeParse(body)
    const wrong: Record<string, string> = {}
    if (!parsed.success) for (const issue of parsed.error.issues) wrong[issue.path.join('.')] ??= issue.message
    if (draft.triggers.length === 0) wrong.triggers = '请至少加入一条规则'
    setErrors(wrong)
    if (!parsed.success || draft.triggers.length === 0) return
    if (id) void update.run({ params: { id }, body: { ...parsed.data, version } }, { fieldsShown: true })
    else void create.run({ body: parsed.data }, { fieldsShown: true })
  }
  const labelOf = (key: string) => base.data?.list.find((one) => one.alarmKey === key)?.label ?? (base.data ? key : '…')
  const site = (own.data?.list ?? []).filter((row) => row.projectCode === projectCode)
  const take = (keys: string[]) => {
    const kept = draft.triggers.filter((one) => keys.includes(one.alarmKey))
    const added = keys
      .filter((key) => !kept.some((one) => one.alarmKey === key))
      .flatMap((key): TemplateItem[] => {
        const row = from === 'site' ? site.find((one) => one.alarmKey === key) : undefined
        if (row) return [itemOf({ ...row, name: row.name })]
        const one = base.data?.list.find((b) => b.alarmKey === key)
        if (!one) return []
        const level: DraftLevel = {
          level: one.level as DraftLevel['level'],
          condition: one.condition as DraftLevel['condition'],
          forSeconds: one.forSeconds,
          clearForSeconds: one.clearForSeconds || undefined,
        }
        return [
          {
            name: one.label,
            alarmKey: key,
            enabled: true,
            levels: [level],
            schedule: one.schedule as Schedule,
            on: one.on || undefined,
            onlyWhen: one.onlyWhen ?? undefined,
          },
        ]
      })
    change({ triggers: [...kept, ...added] })
  }
  const available =
    from === 'site'
      ? site.map((row) => ({ value: row.alarmKey, label: `${row.alarmLabel}：${row.summary}` }))
      : (base.data?.list ?? []).filter((one) => one.expressible).map((one) => ({ value: one.alarmKey, label: one.label }))
  const setItem = (at: number, part: Partial<TemplateItem>) =>
    change({ triggers: draft.triggers.map((one, i) => (i === at ? { ...one, ...part } : one)) })
  return (
    <FormSheet
      width={960}
      title={id ? `编辑模板 ${initial?.name ?? ''}` : '新建模板'}
      remark={id ? `保存为第 ${(version ?? 0) + 1} 版，项目上显示“有新版本”，应用后才生效` : '保存后可应用到项目'}
      saving={create.running || update.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <div className="rule-editor rule-editor-drawer">
        <div className="rule-parts">
          <FieldLabel label="模板名称" required wide error={errors.name}>
            <Input maxLength={100} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          </FieldLabel>
          <FieldLabel label="设备类型" required error={errors.family} hint={id ? '不能更改' : ''}>
            <Choice
              clear={false}
              disabled={id !== undefined}
              value={draft.family || null}
              options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
              onChange={(next) => next && change({ family: next, triggers: [] })}
            />
          </FieldLabel>
          <FieldLabel label="依据" error={errors.standard}>
            <Input maxLength={200} value={draft.standard} onChange={(event) => change({ standard: event.target.value })} />
          </FieldLabel>
          <FieldLabel label="说明" wide error={errors.remark}>
            <Input maxLength={500} value={draft.remark} onChange={(event) => change({ remark: event.target.value })} />
          </FieldLabel>
        </div>
        {chosen && (
          <div className="rule-part">
            <span>
              规则<em>已选 {draft.triggers.length} 条，同一告警一条</em>
            </span>
            <div className="rule-take">
              <Segmented<'base' | 'site'>
                value={from}
                options={[
                  { value: 'base', label: '取自规则库' },
                  { value: 'site', label: projectName ? `取自 ${projectName}` : '取自项目', disabled: projectCode === '*' },
                ]}
                onChange={setFrom}
              />
              <Select
                mode="multiple"
                aria-label="加入的规则"
                maxTagCount="responsive"
                showSearch={{ optionFilterProp: 'label' }}
                value={draft.triggers.map((one) => one.alarmKey)}
                options={withOwn(available, draft.triggers, labelOf)}
                onChange={take}
              />
            </div>
            {from === 'site' && own.data && site.length === 0 && <div className="rule-help">这个项目没有自己的规则，全部沿用平台的。</div>}
          </div>
        )}
        {errors.triggers && (
          <div data-wrong>
            <Notice tone="danger">{errors.triggers}</Notice>
          </div>
        )}
        {chosen && draft.triggers.length === 0 && <Empty small text="还没有规则" hint="从规则库选择告警，带入出厂条件后再改数值" />}
        {draft.triggers.map((item, i) => {
          const wrong = Object.entries(errors).find(([field]) => field.startsWith(`triggers.${i}.`))?.[1]
          return (
            <section key={item.alarmKey} className="rule-item" data-wrong={wrong ? true : undefined}>
              <header>
                <b>{labelOf(item.alarmKey)}</b>
                <Input
                  aria-label="规则名称"
                  maxLength={100}
                  value={item.name}
                  onChange={(event) => setItem(i, { name: event.target.value })}
                />
                <span className="rule-switch">
                  <Switch
                    size="small"
                    checked={item.enabled}
                    aria-label={`${item.name} 启用`}
                    onChange={(enabled) => setItem(i, { enabled })}
                  />
                  {item.enabled ? '启用' : '停用'}
                </span>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`移出 ${item.name}`}
                  onClick={() => change({ triggers: draft.triggers.filter((_, at) => at !== i) })}
                />
              </header>
              <LevelKnobs levels={item.levels} family={family.data} error={wrong} onChange={(levels) => setItem(i, { levels })} />
            </section>
          )
        })}
      </div>
    </FormSheet>
  )
}

/** Options including the alarms already in the template that are not otherwise available. */
function withOwn(
  available: readonly { value: string; label: string }[],
  items: readonly TemplateItem[],
  labelOf: (key: string) => string,
): { value: string; label: string }[] {
  const missing = items.filter((one) => !available.some((o) => o.value === one.alarmKey))
  return [...available, ...missing.map((one) => ({ value: one.alarmKey, label: labelOf(one.alarmKey) }))]
}
