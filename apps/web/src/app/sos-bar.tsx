import { findAlarms } from '@zhugong/contract/alarms/lists'
import { useEffect } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { age, time } from '#kit/format.ts'
import { noteSos, SosRoom, sosStood } from './sos-room.tsx'

const everyMs = 15_000
const shown = 3

/** Unanswered emergency calls, shown above every page to users who may acknowledge them. */
export function SosBar({ onOpen }: { onOpen: (path: string) => void }) {
  const mayAck = useCan('alarm.ack')
  const maySee = useCan('helmet.view')
  const may = mayAck && maySee
  const { data, isError } = useCall(
    findAlarms,
    {
      query: {
        projectCode: '*',
        family: 'smartHelmet,baseStationHelmet',
        alarmKey: 'sos',
        state: 'open',
        active: true,
        simulated: false,
        sort: '-startTime',
        size: shown,
      },
    },
    { quiet: true, enabled: may, everyMs },
  )
  const [first] = data?.list ?? []
  const stands = may ? data && first !== undefined : false
  useEffect(() => {
    if (stands !== undefined) noteSos(stands)
  }, [stands])
  if (stands === undefined && isError && sosStood())
    // After an error a known call is still shown: the person may be waiting, and an empty bar would suggest that nobody is.
    return (
      <div className="app-sos" role="alert">
        <strong>SOS 求助</strong>
        <span>此前有人求助，现在读不到最新情况，正在重试</span>
        <button type="button" className="zg-bare" onClick={() => onOpen('/helmet/alarm')}>
          查看求助
        </button>
      </div>
    )
  if (stands === undefined) return <SosRoom />
  if (!data || !first || !may) return null
  return (
    <div className="app-sos" role="alert">
      <strong>SOS 求助</strong>
      <span title={time(first.startTime)}>
        {first.projectName} {first.deviceName}，{age(first.startTime)}
        {data.total > 1 && `，另有 ${data.total - 1} 条`}
      </span>
      <button type="button" className="zg-bare" onClick={() => onOpen(`/helmet/alarm?alarmId=${encodeURIComponent(first.id)}`)}>
        接单并处置
      </button>
    </div>
  )
}
