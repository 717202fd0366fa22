import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Select } from 'antd'
import { RiskBadge } from '#kit/feedback.tsx'
import { riskLevels } from '#kit/format.ts'
import { NumberInput } from '#kit/inputs.tsx'
import { ConditionEditor, SecondsInput } from './condition-editor.tsx'
import { type DraftLevel, emptyCondition, levelWords } from './condition-words.ts'
import { clearFor } from './level-checks.ts'
import './rules.css'

const levels = [1, 2, 3, 4] as const

interface RowsProps {
  levels: readonly DraftLevel[]
  family: FamilyView | undefined
  errors: Readonly<Record<string, string>>
  onChange: (levels: DraftLevel[]) => void
}

/** One sentence per level: condition, duration, and when it clears. */
export function LevelRows({ levels: all, family, errors, onChange }: RowsProps) {
  const set = (at: number, part: Partial<DraftLevel>) => onChange(all.map((level, i) => (i === at ? { ...level, ...part } : level)))
  const unused = levels.filter((level) => !all.some((one) => one.level === level))
  const add = (level: DraftLevel['level']) => {
    const model = all.at(-1) ?? { condition: emptyCondition('threshold') }
    onChange([...all, { ...model, level }].sort((a, b) => a.level - b.level))
  }
  return (
    <div className="rule-rows">
      {all.map((level, i) => (
        <LevelRow
          key={level.level}
          level={level}
          at={i}
          others={unused}
          family={family}
          errors={errors}
          onChange={(part) => set(i, part)}
          onRemove={all.length > 1 ? () => onChange(all.filter((_, at) => at !== i)) : undefined}
        />
      ))}
      {unused.length > 0 && (
        <div className="rule-row rule-row-add">
          <span className="zg-2">未设置</span>
          {unused.map((level) => (
            <Button key={level} type="link" size="small" icon={<PlusOutlined />} onClick={() => add(level)}>
              {levelWords[level]}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

interface RowProps {
  level: DraftLevel
  at: number
  /** Other levels it can be changed to. */
  others: readonly DraftLevel['level'][]
  family: FamilyView | undefined
  errors: Readonly<Record<string, string>>
  onChange: (part: Partial<DraftLevel>) => void
  onRemove: (() => void) | undefined
}

function LevelRow({ level, at, others, family, errors, onChange, onRemove }: RowProps) {
  const { condition } = level
  const clears = clearFor(condition) !== undefined
  const unit = family?.metrics.find((metric) => metric.key === condition.metric)?.unit
  const wrongClear = errors[`levels.${at}.clearValue`] ?? errors[`levels.${at}.condition.clearValue`]
  const wrongFor = errors[`levels.${at}.forSeconds`] ?? errors[`levels.${at}.clearForSeconds`]
  return (
    <section
      className="rule-row"
      style={{ '--edge': riskLevels[level.level].line } as React.CSSProperties}
      aria-label={levelWords[level.level]}
    >
      <header>
        <RiskBadge level={level.level} word={false} />
        <Select
          size="small"
          variant="borderless"
          aria-label="等级"
          popupMatchSelectWidth={false}
          value={level.level}
          options={levels
            .filter((one) => one === level.level || others.includes(one))
            .map((one) => ({ value: one, label: levelWords[one] }))}
          onChange={(next) => onChange({ level: next })}
        />
        {onRemove && <Button type="text" size="small" icon={<DeleteOutlined />} aria-label="删除此等级" onClick={onRemove} />}
      </header>
      <div className="rule-row-body">
        <ConditionEditor
          value={condition}
          family={family}
          path={`levels.${at}.condition`}
          errors={errors}
          onChange={(next) => onChange({ condition: next, clearValue: clearFor(next) ?? undefined })}
        />
        <div className="rule-say">
          持续
          <SecondsInput label="持续" value={level.forSeconds} onChange={(forSeconds) => onChange({ forSeconds })} />
          才报；
          {clears ? '回到' : '不再满足'}
          {clears && (
            <span className="rule-number">
              <NumberInput
                aria-label="解除值"
                unit={unit || undefined}
                value={level.clearValue ?? (typeof condition.clearValue === 'number' ? condition.clearValue : undefined)}
                onChange={(clearValue) => onChange({ clearValue })}
              />
            </span>
          )}
          并保持
          <SecondsInput label="解除保持" value={level.clearForSeconds} onChange={(clearForSeconds) => onChange({ clearForSeconds })} />
          后解除
        </div>
        {(wrongClear ?? wrongFor) && (
          <small className="tone-danger" role="alert" data-wrong>
            {wrongClear ?? wrongFor}
          </small>
        )}
      </div>
    </section>
  )
}
