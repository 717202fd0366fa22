import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { Checkbox, Input, InputNumber } from 'antd'
import type { Control } from '#kit/control.ts'

interface Metric {
  key: string
  precision?: number | null | undefined
  min?: number | null | undefined
  max?: number | null | undefined
  alias?: string | null | undefined
}

export function MetricTable({ value, onChange, family }: Control<Metric[]> & { family: FamilyView | undefined }) {
  if (!family) return <p className="zg-2">先选择设备类别。</p>
  const rows = value ?? []
  const of = (key: string) => rows.find((one) => one.key === key)
  const set = (key: string, change: Partial<Metric>) => onChange?.(rows.map((one) => (one.key === key ? { ...one, ...change } : one)))
  return (
    <table className="eq-table">
      <thead>
        <tr>
          <th>指标</th>
          <th>单位</th>
          <th>下限</th>
          <th>上限</th>
          <th>小数位</th>
          <th>设备侧名称</th>
        </tr>
      </thead>
      <tbody>
        {family.metrics.map((metric) => {
          const row = of(metric.key)
          const numeric = metric.type === 'number' || metric.type === 'integer'
          return (
            <tr key={metric.key}>
              <td>
                <Checkbox
                  checked={row !== undefined}
                  onChange={(event) =>
                    onChange?.(event.target.checked ? [...rows, { key: metric.key }] : rows.filter((one) => one.key !== metric.key))
                  }
                >
                  {metric.label}
                </Checkbox>
              </td>
              <td className="zg-2">{metric.unit || '--'}</td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 下限`}
                    controls={false}
                    placeholder={String(metric.min ?? '')}
                    value={row.min ?? null}
                    onChange={(min) => set(metric.key, { min })}
                  />
                )}
              </td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 上限`}
                    controls={false}
                    placeholder={String(metric.max ?? '')}
                    value={row.max ?? null}
                    onChange={(max) => set(metric.key, { max })}
                  />
                )}
              </td>
              <td>
                {row && numeric && (
                  <InputNumber
                    aria-label={`${metric.label} 小数位`}
                    controls={false}
                    min={0}
                    max={6}
                    placeholder={String(metric.precision ?? '')}
                    value={row.precision ?? null}
                    onChange={(precision) => set(metric.key, { precision })}
                  />
                )}
              </td>
              <td>
                {row && (
                  <Input
                    aria-label={`${metric.label} 设备侧名称`}
                    maxLength={60}
                    value={row.alias ?? ''}
                    onChange={(event) => set(metric.key, { alias: event.target.value || null })}
                  />
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
