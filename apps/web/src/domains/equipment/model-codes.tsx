import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Input, Select } from 'antd'
import type { Control } from '#kit/control.ts'

export function AlarmCodes({
  value,
  onChange,
  family,
}: Control<{ code: string; alarmKey: string }[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const set = (index: number, change: Partial<{ code: string; alarmKey: string }>) =>
    onChange?.(rows.map((one, i) => (i === index ? { ...one, ...change } : one)))
  const alarms = family.alarms.map((one) => ({ value: one.key, label: one.label }))
  return (
    <>
      {rows.map((row, index) => (
        <div key={index} className="zg-row zg-below">
          <Input
            aria-label="设备报警码"
            placeholder="设备报警码"
            className="zg-w-160"
            maxLength={40}
            value={row.code}
            onChange={(event) => set(index, { code: event.target.value })}
          />
          <Select
            aria-label="告警"
            className="zg-w-240"
            value={row.alarmKey || null}
            options={alarms}
            onChange={(alarmKey) => set(index, { alarmKey })}
          />
          <Button type="text" danger onClick={() => onChange?.(rows.filter((_, i) => i !== index))}>
            删除
          </Button>
        </div>
      ))}
      <Button type="dashed" onClick={() => onChange?.([...rows, { code: '', alarmKey: '' }])}>
        添加一行
      </Button>
    </>
  )
}
