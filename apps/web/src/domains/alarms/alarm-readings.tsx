import { detachReadings, listAlarmReadings, mostAttached, readingPages } from '@zhugong/contract/monitoring/alarm-readings'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import type { AlarmFile } from './alarm-file.ts'

/** Device readings that users attached to the alarm. */
export function AlarmReadings({ file }: { file: AlarmFile }) {
  const may = useCan(detachReadings, { projectCode: file.projectCode })
  const { data } = useCall(
    listAlarmReadings,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: mostAttached } },
    { quiet: true },
  )
  const removal = useAct(detachReadings, { success: '已取下', refreshes: [listAlarmReadings] })
  if (!data || data.list.length === 0) return null
  return (
    <section aria-label="附上的监测记录">
      <h3>附上的监测记录</h3>
      <ul className="alarm-media">
        {data.list.map((one) => {
          const words = `${one.deviceName} ${time(one.from)} 至 ${time(one.to)}`
          const path = readingPages[one.family]
          return (
            <li key={one.id}>
              {path ? <Link to={hrefOf(path, { deviceId: one.deviceId, period: `${one.from}-${one.to}` })}>{words}</Link> : words}
              {one.note && <span>{one.note}</span>}
              <span className="zg-2">{one.byName} 附上</span>
              {may && (
                <button
                  type="button"
                  className="zg-bare zg-link"
                  onClick={() =>
                    void removal.afterRequesting(
                      { thing: `取下 ${words}`, consequence: '只从告警取下，监测记录不受影响。', verb: '取下' },
                      { params: { id: one.id }, query: { projectCode: file.projectCode } },
                    )
                  }
                >
                  取下
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
