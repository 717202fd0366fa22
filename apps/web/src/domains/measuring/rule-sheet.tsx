import { isWider, toleranceWords } from '@zhugong/contract/measuring/judge'
import { changeMeasureRule, createMeasureRule, defaultBurst, type MeasureRule } from '@zhugong/contract/measuring/rules'
import { dictsByCode } from '@zhugong/contract/settings/endpoints'
import { Input, Switch } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { NumberInput, TreeChoice } from '#kit/inputs.tsx'
import { TryFields } from './try-box.tsx'
import { anyProject, Labelled } from './words.tsx'

type Draft = Pick<
  MeasureRule,
  | 'itemCode'
  | 'standardName'
  | 'baseValue'
  | 'judgeStart'
  | 'judgeEnd'
  | 'isAbsolute'
  | 'isRange'
  | 'isCustomBase'
  | 'areaCount'
  | 'pointCount'
  | 'method'
  | 'norm'
  | 'forbidManual'
  | 'burstFactor'
>
const empty: Draft = {
  itemCode: '',
  standardName: '',
  baseValue: null,
  judgeStart: 0,
  judgeEnd: 8,
  isAbsolute: true,
  isRange: false,
  isCustomBase: false,
  areaCount: 2,
  pointCount: 5,
  method: null,
  norm: null,
  forbidManual: false,
  burstFactor: defaultBurst,
}
const draftOf = (rule: MeasureRule): Draft => {
  const { itemCode, standardName, baseValue, judgeStart, judgeEnd, isAbsolute, isRange, isCustomBase } = rule
  const { areaCount, pointCount, method, norm, forbidManual, burstFactor } = rule
  return {
    itemCode,
    standardName,
    baseValue,
    judgeStart,
    judgeEnd,
    isAbsolute,
    isRange,
    isCustomBase,
    areaCount,
    pointCount,
    method,
    norm,
    forbidManual,
    burstFactor,
  }
}

interface LibraryItem {
  code: string
  name: string
  min?: number
  max?: number
  unit?: string
  absolute?: boolean
  range?: boolean
}
/** The standard library with its tolerances. */
function useLibrary(): ReadonlyMap<string, LibraryItem> {
  const { data } = useCall(dictsByCode, { body: { featCodes: 'measureItem' } }, { staleMs: Number.POSITIVE_INFINITY, quiet: true })
  return new Map(((data?.measureItem ?? []) as LibraryItem[]).map((one) => [one.code, one]))
}

export function RuleSheet({
  rule,
  templateId,
  stage,
  onClose,
}: {
  rule: MeasureRule | undefined
  templateId: string
  stage: string | undefined
  onClose: () => void
}) {
  const dicts = useDicts('measureItem')
  const library = useLibrary()
  const [draft, setDraft] = useState<Draft>(() => (rule ? draftOf(rule) : empty))
  const [dirty, setDirty] = useState(false)
  const set = (more: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...more }))
    setDirty(true)
  }
  const create = useAct(createMeasureRule, { success: '规则已新增', onDone: onClose })
  const change = useAct(changeMeasureRule, {
    success: rule?.taskCount ? '已保存为新版本，已有任务保留原判定' : '已保存',
    onDone: onClose,
  })
  const errors = { ...create.fieldErrors, ...change.fieldErrors }
  const item = library.get(draft.itemCode)
  const norm = item?.max !== undefined && item.min !== undefined ? { judgeStart: item.min, judgeEnd: item.max } : null
  const choose = (code: string | undefined) => {
    const next = code ? library.get(code) : undefined
    if (!code || !next || next.max === undefined) return set({ itemCode: code ?? '' })
    set({
      itemCode: code,
      standardName: draft.standardName || next.name.slice(0, 50),
      judgeStart: next.min ?? 0,
      judgeEnd: next.max,
      isAbsolute: next.absolute === true,
      isRange: next.range === true,
      isCustomBase: next.absolute !== true,
    })
  }
  const save = () =>
    rule
      ? change.run({ query: anyProject, body: { action: 'edit', id: rule.id, version: rule.version, ...draft } }, { fieldsShown: true })
      : create.run({ query: anyProject, body: { action: 'create', templateId, ...draft } }, { fieldsShown: true })
  const number = (
    key: 'judgeStart' | 'judgeEnd' | 'areaCount' | 'pointCount' | 'burstFactor',
    label: string,
    { unit, precision = 2 }: { unit?: string; precision?: number } = {},
  ) => (
    <Labelled label={label} error={errors[key]}>
      {(id) => (
        <NumberInput id={id} unit={unit} precision={precision} value={draft[key]} onChange={(value) => set({ [key]: value ?? 0 })} />
      )}
    </Labelled>
  )
  const flag = (key: 'isAbsolute' | 'isRange' | 'isCustomBase' | 'forbidManual', label: string, more: Partial<Draft> = {}) => (
    <Labelled label={label} error={errors[key]}>
      {(id) => <Switch id={id} checked={draft[key]} onChange={(on) => set({ [key]: on, ...(on ? more : {}) })} />}
    </Labelled>
  )
  const tree = dicts.tree('measureItem')
  return (
    <FormSheet
      title={rule ? `编辑规则 ${rule.standardName}` : '新增规则'}
      remark={rule?.taskCount ? `已用于 ${rule.taskCount} 个任务：保存为新版本，原任务和记录不变` : undefined}
      saving={create.running || change.running}
      onSave={save}
      onClose={onClose}
      errors={errors}
      dirty={dirty}
    >
      <div className="measuring-form">
        <div className="measuring-fields">
          <Labelled label="测项" error={errors.itemCode}>
            {(id) => (
              <TreeChoice
                id={id}
                value={draft.itemCode || undefined}
                tree={stage ? [...tree.filter((one) => one.value === stage), ...tree.filter((one) => one.value !== stage)] : tree}
                onChange={(code) => choose(typeof code === 'string' ? code : undefined)}
              />
            )}
          </Labelled>
          <Labelled label="评判标准名称" error={errors.standardName}>
            {(id) => (
              <Input id={id} maxLength={50} value={draft.standardName} onChange={(event) => set({ standardName: event.target.value })} />
            )}
          </Labelled>
          {number('judgeStart', '允许偏差下限', { unit: item?.unit })}
          {number('judgeEnd', '允许偏差上限', { unit: item?.unit })}
          {number('areaCount', '测区数量', { precision: 0 })}
          {number('pointCount', '每区测点数', { precision: 0 })}
          {flag('isAbsolute', '取绝对值')}
          {flag('isRange', '极差算法', { isCustomBase: false })}
          {flag('isCustomBase', '自定义基准值（测量人填写）', { baseValue: null, isRange: false })}
          {flag('forbidManual', '仅允许仪器录入')}
          {!draft.isCustomBase && (
            <Labelled label="基准值" error={errors.baseValue}>
              {(id) => (
                <NumberInput
                  id={id}
                  unit={item?.unit}
                  placeholder="不填则实测值即偏差"
                  value={draft.baseValue}
                  onChange={(baseValue) => set({ baseValue: baseValue ?? null })}
                />
              )}
            </Labelled>
          )}
          {number('burstFactor', '爆点倍数', { unit: '倍', precision: 1 })}
          <Labelled label="检查方法" error={errors.method}>
            {(id) => (
              <Input id={id} maxLength={200} value={draft.method ?? ''} onChange={(event) => set({ method: event.target.value || null })} />
            )}
          </Labelled>
          <Labelled label="引用规范" error={errors.norm}>
            {(id) => (
              <Input id={id} maxLength={200} value={draft.norm ?? ''} onChange={(event) => set({ norm: event.target.value || null })} />
            )}
          </Labelled>
        </div>
        {isWider(draft, norm) && norm && (
          <Notice tone="danger">
            宽于规范：{item?.name} 规范允许 {toleranceWords({ ...norm, isRange: draft.isRange }, item?.unit ?? '')}
            。按本规则判为合格的测点，验收时可能不合格。
          </Notice>
        )}
        <h4>试算</h4>
        <TryFields rule={{ ...draft, itemName: item?.name ?? '', unit: item?.unit ?? '' }} />
      </div>
    </FormSheet>
  )
}
