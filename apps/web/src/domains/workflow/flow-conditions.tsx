import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { FlowCondition } from '@zhugong/contract/workflow/flow'
import { Button } from 'antd'
import { Choice, Choices, NumberInput } from '#kit/inputs.tsx'
import type { Setting } from './flow-words.ts'

type Fact = Setting['facts'][number]
const mostConditions = 5
const comparisons = ['>', '>=', '<', '<=', '='].map((value) => ({ value, label: value }))

const first = (fact: Fact): FlowCondition =>
  fact.type === 'number'
    ? { fact: fact.key, op: '>', value: 0 }
    : fact.type === 'flag'
      ? { fact: fact.key, op: '=', value: true }
      : { fact: fact.key, op: 'in', value: fact.options[0] ? [fact.options[0].value] : [] }

/** Conditions of a step; all must match. */
export function FlowConditions({
  facts,
  when,
  disabled,
  onChange,
}: {
  facts: readonly Fact[]
  when: readonly FlowCondition[]
  disabled: boolean
  onChange: (when: FlowCondition[]) => void
}) {
  if (facts.length === 0) return null
  const put = (at: number, condition: FlowCondition) => onChange(when.map((c, i) => (i === at ? condition : c)))
  const fresh = facts[0]
  return (
    <div className="wide">
      <span className="zg-label">条件{when.length === 0 ? '：总是需要' : ''}</span>
      {when.map((condition, at) => (
        <div key={`${condition.fact}${String(at)}`} className="flow-when">
          <Choice
            aria-label="条件内容"
            disabled={disabled}
            clear={false}
            value={condition.fact}
            onChange={(key) => {
              const fact = facts.find((f) => f.key === key)
              if (fact) put(at, first(fact))
            }}
            options={facts.map((f) => ({ value: f.key, label: f.label }))}
          />
          <Value
            fact={facts.find((f) => f.key === condition.fact)}
            condition={condition}
            disabled={disabled}
            onChange={(next) => put(at, next)}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label="去掉条件"
            disabled={disabled}
            onClick={() => onChange(when.filter((_, i) => i !== at))}
          />
        </div>
      ))}
      {!disabled && fresh && when.length < mostConditions && (
        <Button type="link" size="small" icon={<PlusOutlined />} onClick={() => onChange([...when, first(fresh)])}>
          增加条件
        </Button>
      )}
    </div>
  )
}

function Value({
  fact,
  condition,
  disabled,
  onChange,
}: {
  fact: Fact | undefined
  condition: FlowCondition
  disabled: boolean
  onChange: (condition: FlowCondition) => void
}) {
  if (fact?.type === 'number')
    return (
      <>
        <Choice
          aria-label="比较"
          disabled={disabled}
          clear={false}
          value={condition.op}
          onChange={(op) => onChange({ ...condition, op: (op ?? '>') as FlowCondition['op'] })}
          options={comparisons}
        />
        <NumberInput
          aria-label="数值"
          disabled={disabled}
          value={typeof condition.value === 'number' ? condition.value : 0}
          onChange={(value) => onChange({ ...condition, value: value ?? 0 })}
        />
      </>
    )
  if (fact?.type === 'flag')
    return (
      <Choice
        aria-label="是否"
        disabled={disabled}
        clear={false}
        value={condition.value === true ? 'yes' : 'no'}
        onChange={(value) => onChange({ ...condition, value: value === 'yes' })}
        options={[
          { value: 'yes', label: '是' },
          { value: 'no', label: '否' },
        ]}
      />
    )
  return (
    <Choices
      aria-label="属于"
      disabled={disabled}
      value={Array.isArray(condition.value) ? condition.value : []}
      onChange={(value) => onChange({ ...condition, op: 'in', value: value ?? [] })}
      options={fact?.options ?? []}
    />
  )
}
