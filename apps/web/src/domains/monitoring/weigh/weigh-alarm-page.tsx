import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { Link } from 'react-router'
import { type AlarmColumn, type AlarmFile, peakWords } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { minuteOfDay, thousands, time, timeOfDay } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import '../family.css'
import { FamilyAlarmPage, useAlarmCount, useDaysBack } from '../family-alarm.tsx'
import { Deviation, tonnes } from './ticket-words.tsx'

const family = 'weighbridge'
/** Faults of the bridge, not of a load, in a group of their own. */
const machine = { keys: ['zeroDrift', 'overCapacity', 'offline'], label: '含地磅故障（零点、超量程、离线）' }
/** The ticket of an alarm is printed within this time. */
const aroundMs = 20 * 60_000

const columns: AlarmColumn[] = [
  { key: 'peakValue', width: 104, align: 'right', value: (row) => peakWords(row) },
  { key: 'thresholdText', width: 176, value: (row) => row.thresholdText },
  { key: 'lossTonnes', width: 84, align: 'right', value: (row) => row.loss && tonnes(row.loss.tonnes) },
  { key: 'lossAmount', width: 120, align: 'right', value: (row) => row.loss && <Worth loss={row.loss} /> },
  { key: 'handleTime', width: 128, weak: true, value: (row) => (row.handleTime === null ? undefined : time(row.handleTime).slice(5)) },
  { key: 'peakTime', width: 92, hidden: true, value: (row) => (row.peakTime === null ? undefined : timeOfDay(row.peakTime)) },
  { key: 'maxLevel', width: 64, hidden: true, value: (row) => `${row.maxLevel} 级` },
]

/** Value of a short load: from its check, else at the price last used for such a load; nothing without a price. */
function Worth({ loss }: { loss: NonNullable<AlarmRow['loss']> }) {
  if (loss.amount === null || loss.price === null) return <span className="zg-2">未填单价</span>
  return (
    <span
      title={`${loss.checked ? '按核实结果' : '按同种货物最近核实的单价估算'}：${tonnes(loss.tonnes)} t × ${thousands(loss.price, 2)} 元`}
    >
      {loss.checked ? '' : '约 '}
      {thousands(loss.amount, 2)}
    </span>
  )
}

/** Which weighings may be fraud or error? */
export default function WeighAlarmPage() {
  const month = useDaysBack(30)
  const short = useAlarmCount(family, { startTime: month, alarmKey: 'shortWeight' })
  const tare = useAlarmCount(family, { startTime: month, alarmKey: 'tareDrift' })
  const twice = useAlarmCount(family, { startTime: month, alarmKey: 'duplicateWeigh' })
  return (
    <FamilyAlarmPage
      family={family}
      aside={machine}
      columns={columns}
      drawing={(file) => <AtWeighing file={file} />}
      strip={(counts) => [
        { label: '待处理', value: counts?.todo, unit: '条', tone: counts?.todo ? 'danger' : undefined },
        { label: '收料负差', value: short, unit: '车', remark: '近 30 日', tone: short ? 'danger' : undefined },
        { label: '皮重异常', value: tare, unit: '车', remark: '近 30 日，偏离均值 0.5 t' },
        { label: '重复过磅', value: twice, unit: '车', remark: '近 30 日，10 分钟内两次' },
      ]}
    />
  )
}

/** Tickets of the same bridge at that time. */
function AtWeighing({ file }: { file: AlarmFile }) {
  const list = useCall(
    findTickets,
    {
      query: {
        projectCode: file.projectCode,
        deviceId: file.deviceId,
        startTime: String(file.startTime - aroundMs),
        endTime: String(file.startTime + aroundMs),
        size: 10,
        sort: 'time',
      },
    },
    { quiet: true },
  )
  const rows = list.data?.list ?? []
  return (
    <Card
      title="当时的磅单"
      remark="告警前后 20 分钟，同一台地磅"
      actions={<Link to={hrefOf('/loadometer/record', { deviceId: file.deviceId, period: '30' })}>过磅记录</Link>}
      flush
    >
      {rows.length === 0 ? (
        <Known of={list}>
          <Empty small text="前后 20 分钟没有磅单" />
        </Known>
      ) : (
        <div className="fam-scroll">
          <table className="fam-table">
            <thead>
              <tr>
                <th>磅单</th>
                <th>时间</th>
                <th>货物</th>
                <th>毛重 t</th>
                <th>皮重 t</th>
                <th>实重 t</th>
                <th>面单 t</th>
                <th>偏差 %</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <Link to={hrefOf('/loadometer/detail', { id: row.id })}>
                      {row.plateNo} {row.billNo}
                    </Link>
                  </td>
                  <td>{minuteOfDay(row.time)}</td>
                  <td>{row.material || '--'}</td>
                  <td>{tonnes(row.grossWeight) ?? '--'}</td>
                  <td>{tonnes(row.tareWeight) ?? '--'}</td>
                  <td>{tonnes(row.actualWeight) ?? '--'}</td>
                  <td>{tonnes(row.billWeight) ?? '--'}</td>
                  <td>
                    <Deviation state={row.deviationState} percent={row.deviationPercent} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
