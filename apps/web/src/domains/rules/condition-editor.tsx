import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { conditionKinds, type Draft, emptyCondition, isGroup, operatorWords, type PartSpec } from './condition-words.ts'

const deepest = 4
const perUnit = { 秒: 1, 分钟: 60, 小时: 3600, 天: 86_400 } as const
type SecondsUnit = keyof typeof perUnit

const operatorOptions = Object.entries(operatorWords).map(([value, label]) => ({ value, label }))
const numericTypes = ['number', 'integer']

/** Edits one condition; groups are nested boxes. Only metrics of the family can be chosen, with their units. */
export function ConditionEditor({
  value,
  onChange,
  onRemove,
  family,
  path,
  errors,
  depth = 1,
}: {
  value: Draft
  onChange: (next: Draft) => void
  onRemove?: (() => void) | undefined
  family: FamilyView | undefined
  /** Path in the request body, to show error messages at the field. */
  path: string
  errors: Readonly<Record<string, string>>
  depth?: number
}) {
  const kind = conditionKinds[value.type]
  const [more, setMore] = useState(false)
  const spare = (part: PartSpec) =>
    part.optional === true && part.key !== 'value' && part.key !== 'low' && part.key !== 'high' && value[part.key] === undefined
  const hidden = kind?.parts.some(spare) ?? false
  const typical = family?.metrics.find((m) => m.key === value.metric && m.typical)
  const options = Object.entries(conditionKinds)
    .filter(
      ([type, spec]) =>
        type === value.type || (spec.available && !(isGroup(type) && depth >= deepest) && !(type === 'noData' && depth > 1)),
    )
    .map(([type, spec]) => ({ value: type, label: spec.label }))
  const set = (part: string, next: unknown) => {
    const { [part]: _, ...rest } = value
    onChange((next === undefined || next === '' ? rest : { ...value, [part]: next }) as Draft)
  }
  return (
    <div className={isGroup(value.type) ? 'rule-group' : 'rule-condition'}>
      <div className="rule-say">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the child is an Ant Design input. */}
        <label className="rule-part rule-part-type">
          <span className="zg-heard">条件</span>
          <Choice clear={false} value={value.type} options={options} onChange={(type) => type && onChange(emptyCondition(type))} />
        </label>
        {kind?.parts
          .filter((part) => more || !spare(part))
          .map((part) => (
            <Part key={part.key} spec={part} value={value} set={set} family={family} error={errors[`${path}.${part.key}`]} />
          ))}
        {hidden && !more && (
          <Button type="link" className="rule-more" onClick={() => setMore(true)}>
            更多
          </Button>
        )}
        {onRemove && <Button type="text" icon={<DeleteOutlined />} aria-label="删除条件" onClick={onRemove} />}
      </div>
      {kind && (
        <div className="rule-help">
          {kind.help}
          {typical && `；${typical.label}常见 ${typical.typical?.[0]} 至 ${typical.typical?.[1]} ${typical.unit}`}
        </div>
      )}
      {isGroup(value.type) && (
        <div className="rule-inner">
          {(value.of ?? []).map((one, i) => (
            <ConditionEditor
              key={i}
              value={one}
              family={family}
              path={`${path}.of.${i}`}
              errors={errors}
              depth={depth + 1}
              onChange={(next) => onChange({ ...value, of: (value.of ?? []).map((old, at) => (at === i ? next : old)) })}
              onRemove={
                (value.of ?? []).length > 1 ? () => onChange({ ...value, of: (value.of ?? []).filter((_, at) => at !== i) }) : undefined
              }
            />
          ))}
          {value.type !== 'not' && (
            <Button
              type="dashed"
              icon={<PlusOutlined />}
              onClick={() => onChange({ ...value, of: [...(value.of ?? []), emptyCondition('threshold')] })}
            >
              添加条件
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Parts without a visible label, because the sentence explains them; the label is kept for screen readers. */
const saidByItself: readonly PartSpec['kind'][] = ['metric', 'op', 'number']

function Part({
  spec,
  value,
  set,
  family,
  error,
}: {
  spec: PartSpec
  value: Draft
  set: (part: string, next: unknown) => void
  family: FamilyView | undefined
  error: string | undefined
}) {
  const { key, label, kind } = spec
  const existing = value[key]
  const field = family?.metrics.find((m) => m.key === value.metric)
  const text = existing === undefined || existing === null ? undefined : String(existing)
  const control = () => {
    switch (kind) {
      case 'metric':
        return (
          <Choice
            clear={Boolean(spec.optional)}
            value={text}
            options={(family?.metrics ?? [])
              .filter((m) =>
                value.type === 'state' || value.type === 'inList' || value.type === 'notInRegistry' ? true : numericTypes.includes(m.type),
              )
              .map((m) => ({ value: m.key, label: m.unit ? `${m.label}（${m.unit}）` : m.label }))}
            onChange={(next) => set(key, next)}
          />
        )
      case 'op':
        return <Choice clear={Boolean(spec.optional)} value={text} options={operatorOptions} onChange={(next) => set(key, next)} />
      case 'param':
        return (
          <Choice
            value={text}
            options={(family?.params ?? []).map((p) => ({ value: p.key, label: p.unit ? `${p.label}（${p.unit}）` : p.label }))}
            onChange={(next) => set(key, next)}
          />
        )
      case 'record':
        return (
          <Choice
            value={text}
            options={(family?.records ?? []).map((r) => ({ value: r.key, label: r.label }))}
            onChange={(next) => set(key, next)}
          />
        )
      case 'choice':
        return <Choice clear={Boolean(spec.optional)} value={text} options={spec.options ?? []} onChange={(next) => set(key, next)} />
      case 'seconds':
        return <SecondsInput value={typeof existing === 'number' ? existing : undefined} onChange={(next) => set(key, next)} />
      case 'flag':
        return (
          <Checkbox checked={existing === true} onChange={(event) => set(key, event.target.checked || undefined)}>
            是
          </Checkbox>
        )
      case 'number': {
        const unit = spec.unit ?? (key === 'value' || key === 'low' || key === 'high' ? field?.unit : undefined)
        return (
          <NumberInput
            value={typeof existing === 'number' ? existing : undefined}
            onChange={(next) => set(key, next)}
            unit={unit || undefined}
          />
        )
      }
      case 'text':
        return key === 'equals' && (field?.values || field?.type === 'boolean') ? (
          <Choice
            value={text}
            options={
              field.values
                ? Object.entries(field.values).map(([code, word]) => ({ value: code, label: word }))
                : [
                    { value: 'true', label: '是' },
                    { value: 'false', label: '否' },
                  ]
            }
            onChange={(next) => set(key, field.type === 'boolean' && next !== undefined ? next === 'true' : next)}
          />
        ) : (
          <Input value={text ?? ''} maxLength={200} onChange={(event) => set(key, event.target.value)} />
        )
    }
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: `control()` renders the input.
    <label className={`rule-part rule-part-${kind} ${error ? 'rule-wrong' : ''}`} data-wrong={error ? true : undefined}>
      <span className={saidByItself.includes(kind) && key !== 'count' && key !== 'factor' ? 'zg-heard' : ''}>{label}</span>
      {control()}
      {error && <small role="alert">{error}</small>}
    </label>
  )
}

/** Duration input: value in seconds, shown in the largest unit that divides it. */
export function SecondsInput({
  value,
  onChange,
  label,
}: {
  value: number | undefined
  onChange: (seconds: number | undefined) => void
  /** Accessible label, if there is no visible one. */
  label?: string
}) {
  const unit: SecondsUnit =
    value === undefined || value === 0
      ? '秒'
      : value % 86_400 === 0
        ? '天'
        : value % 3600 === 0
          ? '小时'
          : value % 60 === 0 && value > 60
            ? '分钟'
            : '秒'
  return (
    <div className="rule-seconds">
      <NumberInput
        aria-label={label}
        value={value === undefined ? undefined : value / perUnit[unit]}
        min={0}
        onChange={(next) => onChange(next === undefined || next === null ? undefined : next * perUnit[unit])}
      />
      <Choice
        aria-label={label ? `${label}的单位` : '时间单位'}
        clear={false}
        value={unit}
        options={Object.keys(perUnit).map((name) => ({ value: name, label: name }))}
        onChange={(next) => next && value !== undefined && onChange((value / perUnit[unit]) * perUnit[next as SecondsUnit])}
      />
    </div>
  )
}
