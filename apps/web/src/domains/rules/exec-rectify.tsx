import { longestRectifyDays, type RectifyPart } from '@zhugong/contract/rules/exec-model'
import { Input, InputNumber, Segmented } from 'antd'
import { useDicts } from '#kit/dicts.ts'
import { FormSection } from '#kit/form-frame.tsx'
import { Choice } from '#kit/inputs.tsx'
import { levelNames } from './exec-words.ts'
import { FieldLabel } from './field-label.tsx'

/** Rectification ordered by an alarm: from which level, what has to be done, and within how many days. */
export function RectifyFields({
  value,
  errors,
  onChange,
}: {
  value: RectifyPart
  errors: Readonly<Record<string, string>>
  onChange: (part: RectifyPart) => void
}) {
  const dicts = useDicts('rectifyCategory')
  return (
    <FormSection title="整改" remark="告警自动下发整改通知，责任单位在期限内回复">
      <div className="rule-parts">
        <FieldLabel label="告警等级" required wide error={errors['rectify.fromLevel']}>
          <Segmented
            value={value.fromLevel}
            options={levelNames.map((name, at) => ({ value: at + 1, label: at === 0 ? `仅${name}` : `${name}及以上` }))}
            onChange={(fromLevel) => onChange({ ...value, fromLevel })}
          />
        </FieldLabel>
        <FieldLabel label="整改类别" required error={errors['rectify.category']}>
          <Choice
            clear={false}
            value={value.category}
            options={dicts.options('rectifyCategory')}
            onChange={(category) => category && onChange({ ...value, category })}
          />
        </FieldLabel>
        <FieldLabel label="期限（天）" required error={errors['rectify.days']}>
          <InputNumber min={1} max={longestRectifyDays} value={value.days} onChange={(days) => onChange({ ...value, days: days ?? 1 })} />
        </FieldLabel>
        <FieldLabel label="整改要求" required wide error={errors['rectify.requirement']}>
          <Input.TextArea
            rows={3}
            maxLength={500}
            value={value.requirement}
            onChange={(event) => onChange({ ...value, requirement: event.target.value })}
          />
        </FieldLabel>
      </div>
    </FormSection>
  )
}
