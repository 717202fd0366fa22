import { tempLevels, tempStateNames } from '@zhugong/contract/prevention/codes'
import { Notice, Tag, type Tone } from '#kit/feedback.tsx'

export const levelOptions = [
  { value: '2', label: '发热' },
  { value: '3', label: '高热' },
]
export const stateOptions = Object.entries(tempStateNames).map(([value, label]) => ({ value, label }))
const stateTones: Readonly<Record<string, Tone>> = { '0': 'danger', '1': 'running', '2': 'fine', '4': 'neutral' }

export const StateTag = ({ state, name }: { state: string; name: string }) => (
  <Tag tone={stateTones[state] ?? 'neutral'} icon={false}>
    {name}
  </Tag>
)
/** Temperature level; fever and above are highlighted. */
export const LevelTag = ({ level, name }: { level: string; name: string }) =>
  level === tempLevels.normal && name === '正常' ? (
    <span className="zg-2">{name}</span>
  ) : (
    <Tag tone={level === tempLevels.high ? 'danger' : 'warning'} icon={false}>
      {name}
    </Tag>
  )

export const degrees = (value: number | null): string => (value === null ? '--' : value.toFixed(1))

/** Shown to everybody except health staff in place of values. */
export const HiddenHealth = () => <Notice tone="info">体温与健康数值只对健康管理人员开放，此处只显示正常或异常</Notice>
