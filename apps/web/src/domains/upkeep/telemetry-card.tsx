import type { Telemetry } from '@zhugong/contract/upkeep/telemetry'
import { Card, Pairs, Tag } from '#kit/feedback.tsx'
import { measure } from '#kit/format.ts'

/** What the linked sensor says of the machine since then. */
export function TelemetryCard({ telemetry, title = '检查后的监测' }: { telemetry: Telemetry | null; title?: string }) {
  if (!telemetry)
    return (
      <Card title={title}>
        <p className="zg-2">设备没有关联监测设备，无法核对作业情况。</p>
      </Card>
    )
  const { deviceName, from, cycles, hours, maxLoad, maxLoadPercent, whileStopped, recent, alarms } = telemetry
  return (
    <Card title={title} remark={`${deviceName}，自 ${from.slice(0, 16)}`}>
      <Pairs
        items={[
          { label: '作业循环', value: `${cycles} 次` },
          { label: '运行', value: `${hours} 小时` },
          { label: '最大吊重', value: maxLoad === null ? null : `${measure(maxLoad, 2)} t` },
          { label: '最大负荷', value: maxLoadPercent === null ? null : `${measure(maxLoadPercent, 0)} %` },
          ...(whileStopped > 0 ? [{ label: '停用期间', value: <span className="tone-danger">{whileStopped} 次</span> }] : []),
        ]}
      />
      {alarms.length > 0 && (
        <ul className="zg-work-lines">
          {alarms.map((one) => (
            <li key={one.id}>
              <Tag tone={one.active ? 'danger' : 'neutral'}>{one.label}</Tag> <span className="zg-2">{one.at.slice(5, 16)}</span>
            </li>
          ))}
        </ul>
      )}
      {recent.length > 0 && (
        <table className="upkeep-items">
          <thead>
            <tr>
              <th>作业时段</th>
              <th>吊重 t</th>
              <th>负荷 %</th>
            </tr>
          </thead>
          <tbody>
            {recent.map((one) => (
              <tr key={one.id} className={one.stopped ? 'tone-danger' : undefined}>
                <td>
                  {one.start.slice(5, 16)}–{one.end.slice(11, 16)}
                </td>
                <td className="zg-num">{one.maxLoad ?? '--'}</td>
                <td className="zg-num">{one.maxLoadPercent ?? '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
