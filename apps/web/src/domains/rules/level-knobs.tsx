import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { RiskBadge } from '#kit/feedback.tsx'
import { NumberInput } from '#kit/inputs.tsx'
import { SecondsInput } from './condition-editor.tsx'
import { conditionKinds, conditionWords, type Draft, type DraftLevel, operatorWords } from './condition-words.ts'
import { FieldLabel } from './field-label.tsx'
import './rules.css'

/** A number of a rule that a site may change without editing the condition. */
export interface Knob {
  /** Path in the level: `condition.of.0.value`. */
  path: string
  label: string
  unit: string
  isSeconds: boolean
  value: number | undefined
}

function inCondition(condition: Draft, family: FamilyView | undefined, at: string): Knob[] {
  const field = family?.metrics.find((one) => one.key === condition.metric)
  const own = (conditionKinds[condition.type]?.parts ?? []).flatMap((part): Knob[] => {
    const value = condition[part.key]
    if ((part.kind !== 'number' && part.kind !== 'seconds') || typeof value !== 'number') return []
    const isLimit = part.key === 'value' || part.key === 'low' || part.key === 'high'
    const sign = part.key === 'value' ? ` ${operatorWords[String(condition.op)] ?? ''}` : ''
    return [
      {
        path: `${at}.${part.key}`,
        label: isLimit && field ? `${field.label}${sign || ` ${part.label}`}` : part.label,
        unit: part.unit ?? (isLimit ? (field?.unit ?? '') : ''),
        isSeconds: part.kind === 'seconds',
        value,
      },
    ]
  })
  const clear: Knob[] =
    typeof condition.clearValue === 'number'
      ? [{ path: `${at}.clearValue`, label: '解除值', unit: field?.unit ?? '', isSeconds: false, value: condition.clearValue }]
      : []
  const inner = (condition.of ?? []).flatMap((one, i) => inCondition(one, family, `${at}.of.${i}`))
  return [...own, ...clear, ...inner]
}

export function knobsOf(level: DraftLevel, family: FamilyView | undefined): Knob[] {
  const clear = level.clearValue
  const unit = family?.metrics.find((one) => one.key === level.condition.metric)?.unit ?? ''
  return [
    ...inCondition(level.condition, family, 'condition'),
    { path: 'forSeconds', label: '持续', unit: '', isSeconds: true, value: level.forSeconds },
    ...(clear === undefined ? [] : [{ path: 'clearValue', label: '解除值', unit, isSeconds: false, value: clear }]),
    { path: 'clearForSeconds', label: '解除保持', unit: '', isSeconds: true, value: level.clearForSeconds },
  ]
}

/** Copy of a level with one number changed. */
export function withKnob(level: DraftLevel, path: string, value: number | undefined): DraftLevel {
  const put = (current: unknown, [step = '', ...rest]: string[]): unknown => {
    if (Array.isArray(current)) return current.map((one, i) => (i === Number(step) ? put(one, rest) : one))
    const whole = { ...(current as Record<string, unknown>) }
    if (rest.length > 0) whole[step] = put(whole[step], rest)
    else if (value === undefined) delete whole[step]
    else whole[step] = value
    return whole
  }
  return put(level, path.split('.')) as DraftLevel
}

/** Levels of one rule as sentences with editable numbers. */
export function LevelKnobs({
  levels,
  family,
  onChange,
  error,
  disabled,
}: {
  levels: readonly DraftLevel[]
  family: FamilyView | undefined
  onChange: (levels: DraftLevel[]) => void
  error?: string | undefined
  disabled?: boolean
}) {
  return (
    <div className={`rule-knobs ${error ? 'rule-wrong' : ''}`}>
      {levels.map((level, i) => (
        <div key={level.level} className="rule-knob-level">
          <div>
            <RiskBadge level={level.level} /> <span>{conditionWords(level.condition, family)}</span>
          </div>
          <fieldset className="rule-parts" disabled={disabled}>
            {knobsOf(level, family).map((knob) => (
              <FieldLabel key={knob.path} label={knob.label}>
                {knob.isSeconds ? (
                  <SecondsInput value={knob.value} onChange={(value) => onChange(changed(levels, i, knob.path, value))} />
                ) : (
                  <NumberInput
                    value={knob.value ?? null}
                    unit={knob.unit || undefined}
                    onChange={(value) => onChange(changed(levels, i, knob.path, value))}
                  />
                )}
              </FieldLabel>
            ))}
          </fieldset>
        </div>
      ))}
      {error && <small role="alert">{error}</small>}
    </div>
  )
}

/** Moves the clear value with its limit by the same distance, so that an alarm cannot clear while its condition still holds. */
export function movedKnob(level: DraftLevel, path: string, value: number | undefined): DraftLevel {
  const next = withKnob(level, path, value)
  if (!path.endsWith('.value') || value === undefined) return next
  const place = path.split('.').slice(0, -1)
  const spoken = place.reduce<unknown>((current, step) => (current as Record<string, unknown> | undefined)?.[step], level) as
    | Draft
    | undefined
  const before = spoken?.value
  if (typeof before !== 'number') return next
  const shifted = (clear: number) => Number((clear + value - before).toFixed(3))
  const inside =
    typeof spoken?.clearValue === 'number' ? withKnob(next, [...place, 'clearValue'].join('.'), shifted(spoken.clearValue)) : next
  return path === 'condition.value' && level.clearValue !== undefined ? { ...inside, clearValue: shifted(level.clearValue) } : inside
}

const changed = (levels: readonly DraftLevel[], at: number, path: string, value: number | undefined): DraftLevel[] =>
  levels.map((level, i) => (i === at ? movedKnob(level, path, value) : level))
