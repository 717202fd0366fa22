import { findAlarms } from '@zhugong/contract/alarms/lists'
import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { findTicketGroups, findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { ticketDay } from '@zhugong/contract/monitoring/weigh/weighing'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, Known, RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, day, thousands, time } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useNow } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage } from '#kit/page.tsx'
import { columnsOption } from '../analysis-charts.ts'
import '../family.css'
import { Deviation } from './ticket-words.tsx'
import './yard.css'

const everyMs = 30_000
const mostBridges = 60
const shownOdd = 8

type DayOf = OutputFor<typeof ticketDay>

/** How is today's flow over all bridges, and which weighings are suspicious? */
export default function BridgesPage() {
  const projectCode = useProjectCode()
  const { active } = usePage()
  const today = day(useNow(60_000))
  const [wanted, setWanted] = useState<string>()
  const date = wanted ?? today
  const from = Date.parse(`${date}T00:00:00+08:00`)
  const often = active ? { everyMs } : {}
  const period = { startTime: time(from), endTime: time(from + dayMs) }
  const bridges = useCall(
    listDevices,
    { query: { projectCode, family: 'weighbridge', with: 'latest', size: mostBridges } },
    { quiet: true, keepPrevious: true, ...often },
  )
  const sums = useCall(findTickets, { query: { projectCode, ...period, size: 1 } }, { quiet: true, keepPrevious: true, ...often })
  const rows = bridges.data?.list ?? []
  const total = sums.data?.sums
  return (
    <PageShell
      remark="各磅今日车流与差异，开票在单磅页面进行"
      actions={<DayInput aria-label="日期" value={date} onChange={(value) => setWanted(value === today ? undefined : value)} />}
    >
      <div className="yard-page">
        <FigureStrip
          loading={!sums.data}
          items={[
            { label: '地磅', value: rows.length, unit: '台', remark: `在线 ${rows.filter((one) => one.online).length}` },
            { label: '车次', value: thousands(total?.trucks), unit: '车', remark: date },
            { label: '实重合计', value: total?.actualWeight.toFixed(3), unit: 't' },
            {
              label: '负差',
              value: total?.shortTrucks,
              unit: '车',
              remark: total && `${total.shortWeight.toFixed(3)} t`,
              tone: total?.shortTrucks ? 'danger' : undefined,
            },
          ]}
        />
        {bridges.error && !bridges.data ? (
          <ErrorPanel error={bridges.error} retry={bridges.refetch} />
        ) : rows.length === 0 && !bridges.isPending ? (
          <Empty text="范围内没有地磅" hint="登记地磅后显示各磅车流" />
        ) : (
          <div className="yard-tiles">
            {rows.map((row) => (
              <Bridge key={row.id} row={row} period={period} />
            ))}
          </div>
        )}
        <div className="yard-two">
          <Flow projectCode={projectCode} period={period} often={often} />
          <Odd projectCode={projectCode} period={period} often={often} />
        </div>
      </div>
    </PageShell>
  )
}

interface PeriodProps {
  period: { startTime: string; endTime: string }
}

/** One bridge: current load, today's weighings and last time. */
function Bridge({ row, period }: { row: DeviceRow } & PeriodProps) {
  const own = useCall(ticketDay, { params: { id: row.id }, query: period }, { quiet: true, keepPrevious: true, everyMs })
  const last = useCall(findTickets, { query: { deviceId: row.id, ...period, size: 1, sort: '-time' } }, { quiet: true, keepPrevious: true })
  const weight = row.latest?.values.weight
  const plateNo = row.latest?.values.plateNo
  const [ticket] = last.data?.list ?? []
  const total = own.data?.days[0]
  const state = !row.online ? (
    <Tag tone="neutral">离线</Tag>
  ) : plateNo ? (
    <Tag tone="running">{`${plateNo} 在磅上`}</Tag>
  ) : (
    <Tag tone="fine">空磅</Tag>
  )
  return (
    <Card title={<Link to={hrefOf('/loadometer/monitor', { deviceId: row.id })}>{row.name}</Link>} remark={row.projectName} actions={state}>
      <div className="yard-foot">
        <span>
          重量 <b>{typeof weight === 'number' ? weight.toFixed(2) : '--'}</b> t
        </span>
        <span>
          车次 <b>{total?.trucks ?? (own.data ? 0 : '--')}</b>
        </span>
        <span>
          负差 <b className={total?.shortTrucks ? 'tone-danger' : ''}>{total?.shortTrucks ?? (own.data ? 0 : '--')}</b>
        </span>
        <span className="zg-2">{row.lastTime ? age(row.lastTime) : '尚未上报'}</span>
      </div>
      {own.data && <Hours hours={own.data.hours} name={row.name} />}
      <div className="zg-2 weigh-last">
        {ticket ? (
          <>
            <span>末单</span>
            <Link to={hrefOf('/loadometer/detail', { id: ticket.id })}>
              {ticket.plateNo} {ticket.material}
            </Link>
            <span>{ticket.actualWeight === null ? '待二次过磅' : `${ticket.actualWeight.toFixed(3)} t`}</span>
            <Deviation state={ticket.deviationState} percent={ticket.deviationPercent} />
          </>
        ) : (
          last.data && '这一天没有过磅'
        )}
      </div>
    </Card>
  )
}

const hourNames = Array.from({ length: 24 }, (_, hour) => String(hour))

const Hours = ({ hours, name }: Pick<DayOf, 'hours'> & { name: string }) => (
  <Chart
    label={`${name} 每小时车次，共 ${hours.reduce((sum, one) => sum + one.trucks, 0)} 车`}
    height={120}
    option={columnsOption({
      names: hourNames,
      unit: '车',
      series: [{ name: '车次', values: hourNames.map((hour) => hours.find((one) => one.hour === Number(hour))?.trucks ?? 0) }],
    })}
  />
)

/** Planned and received quantity by supplier and material. */
function Flow({ projectCode, period, often }: { projectCode: string; often: { everyMs?: number } } & PeriodProps) {
  const groups = useCall(
    findTicketGroups,
    { query: { projectCode, ...period, groupBy: 'supplier,material', size: 50 } },
    { quiet: true, keepPrevious: true, ...often },
  )
  const rows = groups.data?.list ?? []
  return (
    <Card
      title="供应商与货物"
      remark="完成的磅单"
      actions={<Link to={hrefOf('/loadometer/record', { by: 'supplier', period: '1' })}>汇总</Link>}
      flush
    >
      {rows.length === 0 ? (
        <Empty small text="这一天没有完成的磅单" />
      ) : (
        <div className="fam-scroll">
          <table className="fam-table">
            <thead>
              <tr>
                <th>供应商</th>
                <th className="word">货物</th>
                <th>车次</th>
                <th>面单 t</th>
                <th>实重 t</th>
                <th>偏差 t</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <td>{row.supplier || '未填'}</td>
                  <td className="word">{row.material || '未填'}</td>
                  <td>{row.trucks}</td>
                  <td>{row.billWeight === 0 ? '--' : row.billWeight.toFixed(3)}</td>
                  <td>{row.actualWeight.toFixed(3)}</td>
                  <td className={row.billWeight > 0 && row.deviation < 0 ? 'tone-danger' : ''}>
                    {row.billWeight === 0 ? '--' : row.deviation.toFixed(3)}
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

/** Suspicious weighings, newest first. */
function Odd({ projectCode, period, often }: { projectCode: string; often: { everyMs?: number } } & PeriodProps) {
  const alarms = useCall(
    findAlarms,
    {
      query: {
        projectCode,
        family: 'weighbridge',
        ...period,
        alarmKey: 'shortWeight,tareDrift,duplicateWeigh,overload,unknownPlate',
        simulated: false,
        size: shownOdd,
        sort: '-startTime',
      },
    },
    { quiet: true, keepPrevious: true, ...often },
  )
  const rows = alarms.data?.list ?? []
  return (
    <Card title="异常过磅" remark="负差、皮重异常、重复过磅、超载" actions={<Link to="/loadometer/warning">全部</Link>}>
      {rows.length === 0 ? (
        <Known of={alarms}>
          <Empty small text="这一天没有异常过磅告警" hint="负差以面单为准，超出允许误差才告警" />
        </Known>
      ) : (
        <ul className="fam-alarms">
          {rows.map((row) => (
            <li key={row.id}>
              <RiskBadge level={row.level} word={false} />
              <Link to={hrefOf('/loadometer/warning', { alarmId: row.id })}>
                {time(row.startTime).slice(11, 16)} {row.alarmLabel}
              </Link>
              <span className="zg-2">
                {row.projectName} {row.deviceName} {row.thresholdText}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
