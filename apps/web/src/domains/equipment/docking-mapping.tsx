import type { DockingMapping } from '@zhugong/contract/equipment/docking-endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { useFamily } from '#kit/family.ts'

export const emptyMapping: DockingMapping = { list: '', externalId: 'id', name: '', project: '', model: '', sn: '', time: '', values: [] }

export const parts = [
  { key: 'list', label: '列表所在', hint: '如 data.list，返回本身就是列表则留空' },
  { key: 'externalId', label: '设备标识', hint: '如 deviceId' },
  { key: 'name', label: '设备名称', hint: '' },
  { key: 'sn', label: '序列号', hint: '' },
  { key: 'project', label: '项目', hint: '' },
  { key: 'model', label: '型号', hint: '' },
  { key: 'time', label: '时间', hint: '不填则以接收时间为准' },
] as const

/** Metrics of the families this docking may carry, without duplicates. */
function useMetrics(family: string) {
  const { data } = useFamily(family)
  return (data?.metrics ?? []).filter((m) => m.type === 'number' || m.type === 'integer')
}

export function MappingInput({ value, onChange }: Control<DockingMapping>) {
  const mapping = value ?? emptyMapping
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const [family, setFamily] = useState('electricMeter')
  const metrics = useMetrics(family)
  const set = (change: Partial<DockingMapping>) => onChange?.({ ...mapping, ...change })
  const setValue = (index: number, change: Partial<DockingMapping['values'][number]>) =>
    set({ values: mapping.values.map((one, i) => (i === index ? { ...one, ...change } : one)) })
  return (
    <>
      <div className="eq-mapping">
        {parts.map(({ key, label, hint }) => (
          <div key={key}>
            <span className="zg-2">{label}</span>
            <Input
              aria-label={label}
              maxLength={100}
              placeholder={hint}
              value={mapping[key]}
              onChange={(event) => set({ [key]: event.target.value.trim() })}
            />
          </div>
        ))}
      </div>
      <div className="zg-row zg-middle zg-above-12 zg-below">
        <b>数值</b>
        <Select
          aria-label="设备类别"
          className="zg-w-160"
          value={family}
          options={(families.data?.list ?? []).map((one) => ({ value: one.key, label: one.name }))}
          onChange={setFamily}
        />
        <Button type="dashed" onClick={() => set({ values: [...mapping.values, { from: '', metric: '', factor: 1 }] })}>
          添加一项
        </Button>
      </div>
      {mapping.values.map((row, index) => (
        <div key={index} className="zg-row zg-below zg-middle">
          <Input
            aria-label="来源字段"
            placeholder="来源字段"
            className="zg-w-200"
            maxLength={100}
            value={row.from}
            onChange={(event) => setValue(index, { from: event.target.value.trim() })}
          />
          <span aria-hidden="true">→</span>
          <Select
            aria-label="平台指标"
            className="zg-w-220"
            value={row.metric || null}
            options={[
              ...(row.metric && !metrics.some((m) => m.key === row.metric) ? [{ value: row.metric, label: row.metric }] : []),
              ...metrics.map((m) => ({ value: m.key, label: `${m.label} ${m.unit}` })),
            ]}
            onChange={(metric) => setValue(index, { metric })}
          />
          <span>×</span>
          <InputNumber
            aria-label="系数"
            controls={false}
            value={row.factor}
            onChange={(factor) => setValue(index, { factor: factor ?? 1 })}
          />
          <Button type="text" danger onClick={() => set({ values: mapping.values.filter((_, i) => i !== index) })}>
            删除
          </Button>
        </div>
      ))}
    </>
  )
}
