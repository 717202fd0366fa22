import { waterInfo, waterLine } from '@zhugong/contract/monitoring/meter/meters'
import { type AlarmFile, findingColumn } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { AroundMeter, meterColumnsWith } from './meter-alarm.tsx'
import { leakFlow } from './meter-state.ts'

const family = 'waterMeter'
const books = { keys: ['quota', 'rollback', 'batteryLow', 'offline'], label: '含计量、电池与离线' }

const columns = meterColumnsWith(findingColumn(family))

/** Which leaks and bursts were there, how much was lost, and who closed which valve? */
export default function WaterAlarmPage() {
  const month = useDaysBack(30)
  const leaks = useAlarmCount(family, { startTime: month, alarmKey: 'leak' })
  const bursts = useAlarmCount(family, { startTime: month, alarmKey: 'burst' })
  const weak = useAlarmCount(family, { active: true, alarmKey: 'batteryLow' })
  return (
    <FamilyAlarmPage
      family={family}
      aside={books}
      columns={columns}
      drawing={(file) => <AtMeter file={file} />}
      strip={(counts) => [
        { label: '未恢复', value: counts?.active, unit: '条', tone: counts?.active ? 'danger' : undefined },
        {
          label: '疑似漏水',
          value: leaks,
          unit: '次',
          remark: `近 30 日，夜间持续高于 ${leakFlow} m³/h`,
          tone: leaks ? 'warning' : undefined,
        },
        { label: '爆管', value: bursts, unit: '次', remark: '近 30 日', tone: bursts ? 'danger' : undefined },
        { label: '电池欠压', value: weak, unit: '块', tone: weak ? 'warning' : undefined },
      ]}
    />
  )
}

/** Flow against the usual minimum of the nights: the excess is leakage. */
function AtMeter({ file }: { file: AlarmFile }) {
  const info = useCall(waterInfo, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  const nights = info.data?.nights ?? []
  const usual = nights.length > 0 ? Math.min(...nights.map((one) => one.minFlow)) : undefined
  const hours = ((file.clearTime ?? Date.now()) - file.startTime) / 3_600_000
  const lost = file.peakValue === null || usual === undefined ? undefined : Math.max(0, file.peakValue - usual) * hours
  return (
    <>
      {lost !== undefined && file.metric === 'flowRate' && (
        <Notice tone="info">
          按峰值流量减去近七夜最小流量 {usual?.toFixed(3)} m³/h 估计，最多损失 {lost.toFixed(1)} m³
        </Notice>
      )}
      <AroundMeter
        file={file}
        call={waterLine}
        limits={info.data?.limits ?? []}
        to={hrefOf('/waterMeter', { deviceId: file.deviceId })}
        groups={[
          { title: '流量', metrics: [{ key: 'flowRate', label: '流量', unit: 'm³/h' }] },
          { title: '管压', metrics: [{ key: 'pressure', label: '管压', unit: 'MPa' }] },
        ]}
      />
    </>
  )
}
