import { CheckCircleFilled, DisconnectOutlined, WarningFilled } from '@ant-design/icons'
import type { MainPage } from '@zhugong/contract/home/endpoints'
import { Link } from 'react-router'
import { Card, Empty } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'

/** Limit of rows; with more, faults would be lost among healthy families. */
const mostLines = 10
/** Order: families with alarms, then with offline devices, then healthy ones by size; those beyond the limit are summed up in `rest`. */
export const worstFirst = (devices: MainPage['devices']): { shown: MainPage['devices']; rest: number } => {
  const sorted = devices.toSorted(
    (a, b) => Number(b.alarming > 0) - Number(a.alarming > 0) || b.total - b.online - (a.total - a.online) || b.total - a.total,
  )
  const wrong = sorted.filter((one) => one.alarming > 0 || one.online < one.total).length
  const shown = sorted.slice(0, Math.max(mostLines, wrong))
  return { shown, rest: sorted.length - shown.length }
}

/** Devices by family: a bar, the number online, and the most serious problem. */
export function DeviceList({ devices }: { devices: MainPage['devices'] }) {
  const total = devices.reduce((n, d) => n + d.total, 0)
  const online = devices.reduce((n, d) => n + d.online, 0)
  const { shown, rest } = worstFirst(devices)
  return (
    <Card title="设备在线" remark={`${online} / ${total}`} actions={<Link to="/administration">全部设备</Link>} flush>
      {devices.length === 0 ? (
        <Empty small text="还没有设备" hint="在设备管理中登记后，这里显示在线情况" />
      ) : (
        <ul className="home-devices">
          {shown.map((d) => (
            <li key={d.family}>
              {d.link ? <Link to={d.link}>{d.name}</Link> : <span>{d.name}</span>}
              <span className="bar" aria-hidden="true">
                <Filled part={d.online} whole={d.total} />
              </span>
              <span className="zg-num">
                {d.online} / {d.total}
              </span>
              <Problem device={d} />
            </li>
          ))}
          {rest > 0 && (
            <li className="rest">
              <Link to="/administration">其余 {rest} 类设备全部在线、无告警</Link>
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}

function Problem({ device }: { device: MainPage['devices'][number] }) {
  if (device.alarming > 0 || device.faulty > 0) {
    return (
      <span className="problem warn" title={device.problem}>
        <WarningFilled /> {device.problem}
      </span>
    )
  }
  if (device.online < device.total) {
    return (
      <span className="problem off" title={device.problem}>
        <DisconnectOutlined /> {device.problem || `${device.total - device.online} 台离线`}
      </span>
    )
  }
  return (
    <span className="problem fine">
      <CheckCircleFilled /> 正常
    </span>
  )
}
