import { registerTypes } from '@zhugong/contract/equipment/codes'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Button, Input, InputNumber, Select } from 'antd'
import type { Control } from '#kit/control.ts'

const typeOptions = Object.entries(registerTypes).map(([value, label]) => ({ value, label }))

interface Register {
  metric: string
  address?: number | null | undefined
  type: string
  scale: number
  unit?: string | null | undefined
  code?: string | null | undefined
}

export function RegisterTable({ value, onChange, family }: Control<Register[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const set = (index: number, change: Partial<Register>) => onChange?.(rows.map((one, i) => (i === index ? { ...one, ...change } : one)))
  const metrics = family.metrics
    .filter((m) => m.type === 'number' || m.type === 'integer')
    .map((m) => ({ value: m.key, label: `${m.label} ${m.unit}` }))
  return (
    <>
      {rows.length > 0 && (
        <table className="eq-table">
          <thead>
            <tr>
              <th>指标</th>
              <th>类型</th>
              <th>地址 / 数据标识</th>
              <th>比例</th>
              <th aria-label="操作" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const byCode = row.type === 'dlt645' || row.type === 'cjt188'
              return (
                <tr key={index}>
                  <td>
                    <Select
                      aria-label="指标"
                      className="zg-w-180"
                      value={row.metric || null}
                      options={metrics}
                      onChange={(metric) => set(index, { metric })}
                    />
                  </td>
                  <td>
                    <Select
                      aria-label="类型"
                      className="zg-w-180"
                      value={row.type}
                      options={typeOptions}
                      onChange={(type) => set(index, { type })}
                    />
                  </td>
                  <td>
                    {byCode ? (
                      <Input
                        aria-label="数据标识"
                        maxLength={8}
                        value={row.code ?? ''}
                        onChange={(event) => set(index, { code: event.target.value })}
                      />
                    ) : (
                      <InputNumber
                        aria-label="寄存器地址"
                        controls={false}
                        min={0}
                        max={65535}
                        value={row.address ?? null}
                        onChange={(address) => set(index, { address })}
                      />
                    )}
                  </td>
                  <td>
                    <InputNumber
                      aria-label="比例"
                      controls={false}
                      value={row.scale}
                      onChange={(scale) => set(index, { scale: scale ?? 1 })}
                    />
                  </td>
                  <td>
                    <Button type="text" size="small" danger onClick={() => onChange?.(rows.filter((_, i) => i !== index))}>
                      删除
                    </Button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button type="dashed" onClick={() => onChange?.([...rows, { metric: '', type: 'u16', scale: 1 }])}>
        添加一行
      </Button>
    </>
  )
}
