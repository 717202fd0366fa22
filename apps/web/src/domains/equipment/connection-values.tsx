import { useFamily } from '#kit/family.ts'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import type { Device } from './device.ts'
import { qualityWords } from './device-words.tsx'
import { fieldOf, rangeOf, valueWords } from './field-words.ts'

export function Values({ device, now }: { device: Device; now: number }) {
  const family = useFamily(device.family)
  const latest = device.latest
  if (!latest) return <Empty text="还没有数据" hint="收到第一条数据后显示每个指标" />
  return (
    <Card title="最新值" remark={`${time(latest.time)}，${age(latest.time, now)}`} flush>
      <table className="eq-table">
        <thead>
          <tr>
            <th>指标</th>
            <th>标识</th>
            <th>值</th>
            <th>单位</th>
            <th>量程</th>
            <th>质量</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(latest.values).map(([key, value]) => {
            const metric = fieldOf(family.data, key)
            const quality = latest.quality?.[key]
            return (
              <tr key={key}>
                <td>{metric?.label ?? '未知指标'}</td>
                <td>
                  <code>{key}</code>
                </td>
                <td>{valueWords(value, metric)[0]}</td>
                <td>{metric?.unit || '--'}</td>
                <td>{metric ? rangeOf(metric) : '--'}</td>
                <td>{quality ? <Tag tone="warning">{qualityWords[quality] ?? quality}</Tag> : '正常'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}
