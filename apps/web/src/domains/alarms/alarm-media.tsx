import { listMarks, markKinds } from '@zhugong/contract/monitoring/video/video-marks'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import type { AlarmFile } from './alarm-file.ts'

const most = 50

/** Camera pictures that users attached to the alarm. */
export function AlarmMedia({ file }: { file: AlarmFile }) {
  const mayLook = useCan(listMarks)
  const { data } = useCall(
    listMarks,
    { query: { projectCode: file.projectCode, alarmId: file.id, size: most, sort: 'at' } },
    { quiet: true, enabled: mayLook },
  )
  if (!data || data.list.length === 0) return null
  return (
    <section aria-label="附上的画面">
      <h3>附上的画面</h3>
      <ul className="alarm-media">
        {data.list.map((one) => (
          <li key={one.id}>
            {one.photo && <Thumb src={one.photo} name={`${one.deviceName} ${time(one.at)}`} width={160} height={92} />}
            <Link to={hrefOf('/VideoPlayback', { deviceId: one.deviceId, time: String(one.at) })}>
              {markKinds[one.kind]} {one.deviceName} {time(one.at).slice(5)}
            </Link>
            {one.note && <span>{one.note}</span>}
            <span className="zg-2">{one.attachedBy} 附上</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
