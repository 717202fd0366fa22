import { electricInfo, electricLine } from '@zhugong/contract/monitoring/meter/meters'
import { type AlarmFile, findingColumn } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { hrefOf } from '#kit/page.tsx'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { AroundMeter, meterColumnsWith } from './meter-alarm.tsx'

const family = 'electricMeter'
/** Alarms without danger: counters and quotas. Meters that go offline together are shown as one outage. */
const books = { keys: ['quota', 'rollback'], label: '含计量（定额、倒走）' }

const columns = meterColumnsWith(findingColumn(family))

/** Which electrical dangers were there, and were they really resolved? */
export default function ElectricAlarmPage() {
  const today = useDaysBack(1)
  const month = useDaysBack(30)
  const leaking = useAlarmCount(family, { active: true, alarmKey: 'residualWarning,residualAlarm' })
  const hot = useAlarmCount(family, { startTime: month, alarmKey: 'cableTempWarning,cableTempAlarm' })
  const cut = useAlarmCount(family, { startTime: today, alarmKey: 'powerOff,phaseLoss', merged: true })
  return (
    <FamilyAlarmPage
      family={family}
      aside={books}
      columns={columns}
      drawing={(file) => <AtBox file={file} />}
      strip={(counts) => [
        { label: '漏电未消除', value: leaking, unit: '处', tone: leaking ? 'danger' : undefined },
        { label: '线缆过温', value: hot, unit: '次', remark: '近 30 日', tone: hot ? 'warning' : undefined },
        { label: '今日停电、缺相', value: cut, unit: '次', remark: '多表同时停电计一次', tone: cut ? 'warning' : undefined },
        { label: '待处理', value: counts?.todo, unit: '条', tone: counts?.todo ? 'danger' : undefined },
      ]}
    />
  )
}

function AtBox({ file }: { file: AlarmFile }) {
  const info = useCall(electricInfo, { params: { id: file.deviceId } }, { quiet: true, staleMs: 300_000 })
  return (
    <AroundMeter
      file={file}
      call={electricLine}
      limits={info.data?.limits ?? []}
      to={hrefOf('/electric', { deviceId: file.deviceId })}
      groups={[
        {
          title: '漏电与线缆温度',
          metrics: [
            { key: 'residualCurrent', label: '漏电流', unit: 'mA' },
            { key: 'cableTemperature', label: '线缆温度', unit: '℃' },
          ],
        },
        {
          title: '三相电压',
          metrics: [
            { key: 'voltageA', label: 'A 相', unit: 'V' },
            { key: 'voltageB', label: 'B 相', unit: 'V' },
            { key: 'voltageC', label: 'C 相', unit: 'V' },
          ],
        },
      ]}
    />
  )
}
