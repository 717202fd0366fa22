import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { clock, type Schedule } from './condition-words.ts'

/** Hours in which a rule is evaluated: always, working hours, or periods of the day. */
export function ScheduleEditor({
  value,
  onChange,
  error,
}: {
  value: Schedule
  onChange: (next: Schedule) => void
  error: string | undefined
}) {
  const kind = value === null ? 'always' : value === 'workHours' ? 'workHours' : 'periods'
  const periods = Array.isArray(value) ? value : []
  const secondsOf = (text: string) => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number)
    return hours * 3600 + minutes * 60
  }
  return (
    <div className="rule-schedule">
      <Segmented
        value={kind}
        options={[
          { value: 'always', label: '全天' },
          { value: 'workHours', label: '工作时间' },
          { value: 'periods', label: '指定时段' },
        ]}
        onChange={(next) => onChange(next === 'always' ? null : next === 'workHours' ? 'workHours' : [[6 * 3600, 22 * 3600]])}
      />
      {periods.map(([from, to], i) => (
        <span key={i} className="rule-period">
          <input
            type="time"
            aria-label="起"
            value={clock(from)}
            onChange={(event) => onChange(periods.map((p, at) => (at === i ? [secondsOf(event.target.value), to] : p)))}
          />
          至
          <input
            type="time"
            aria-label="止"
            value={to === 86_400 ? '23:59' : clock(to)}
            onChange={(event) => onChange(periods.map((p, at) => (at === i ? [from, secondsOf(event.target.value)] : p)))}
          />
          {periods.length > 1 && (
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label="删除时段"
              onClick={() => onChange(periods.filter((_, at) => at !== i))}
            />
          )}
        </span>
      ))}
      {kind === 'periods' && (
        <Button type="dashed" icon={<PlusOutlined />} onClick={() => onChange([...periods, [0, 6 * 3600]])}>
          添加时段
        </Button>
      )}
      {error && <small role="alert">{error}</small>}
    </div>
  )
}
