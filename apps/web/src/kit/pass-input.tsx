import { Choice } from './inputs.tsx'

const verdicts = [
  { value: 'true', label: '合格' },
  { value: 'false', label: '不合格' },
]

interface PassInputProps {
  id?: string
  value?: boolean | null
  onChange?: (passed: boolean | undefined) => void
}

/** 合格 or 不合格 as the control of a field; undefined until it is chosen. */
export const PassInput = ({ id, value, onChange }: PassInputProps) => (
  <Choice
    {...(id ? { id } : {})}
    options={verdicts}
    value={value === undefined || value === null ? undefined : String(value)}
    onChange={(next) => onChange?.(next === undefined ? undefined : next === 'true')}
  />
)
