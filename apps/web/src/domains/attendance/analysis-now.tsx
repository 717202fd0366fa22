import { directions } from '@zhugong/contract/attendance/facts'
import { realtimeOverview } from '@zhugong/contract/attendance/presence'
import { inPlaceStats } from '@zhugong/contract/attendance/stats'
import { liveGatePass } from '@zhugong/contract/telemetry/topics'
import { useEffect, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { refresh, useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { day, thousands, time, timeOfDay } from '#kit/format.ts'
import { useLive } from '#kit/live.ts'
import { hrefOf, usePage } from '#kit/page.tsx'
import type { Behind, OpenPeople } from './people-drawer.tsx'
import { shiftDate } from './sheet-mark.ts'

const everyMs = 60_000

/** Minimum interval between refetches while gates report passages. */
const followMs = 3_000

export function Now({ projectCode, onOpen }: { projectCode: string; onOpen: OpenPeople }) {
  const { active } = usePage()
  const overview = useCall(
    realtimeOverview,
    { query: { projectCode } },
    { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined },
  )
  const { data, error, refetch } = overview
  useFollow(active && projectCode !== '*' ? projectCode : undefined)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const date = data?.date ?? day(Date.now())
  const open = (more: Pick<Behind, 'title' | 'state'> & Partial<Behind>) =>
    onOpen({ scope: 'inPlace', projectCode, startDate: date, endDate: date, date, ...more })
  const offline = data ? data.gates.total - data.gates.online : 0
  return (
    <>
      {data && offline > 0 && (
        <Notice tone="warning" actions={<Link to={hrefOf('/equipmentList', { family: 'faceGate' })}>查看闸机</Link>}>
          截至 {timeOfDay(data.at).slice(0, 5)}，{data.gates.total} 台闸机中 {offline} 台离线，场内人数可能少计
        </Notice>
      )}
      <FigureStrip
        loading={!data}
        items={[
          {
            label: '现在场内',
            value: thousands(data?.onDuty),
            unit: '人',
            remark: data ? `工人 ${data.workers.onDuty}，管理人员 ${data.managers.onDuty}` : undefined,
          },
          {
            label: '今日出勤',
            value: thousands(data?.attended),
            unit: '人',
            remark: data ? `在册 ${thousands(data.inPlace)} 人` : undefined,
            href: hrefOf('/checkingList', { chip: 'entered' }),
          },
          {
            label: '出勤率',
            value: data?.rate?.toFixed(2) ?? '--',
            unit: '%',
            remark: data
              ? `${thousands(data.arrived)} / ${thousands(data.expected)}，管理人员 ${data.managers.arrived} / ${data.managers.expected}`
              : undefined,
          },
          {
            label: '待核记录',
            value: thousands(data?.quarantined),
            unit: '条',
            tone: data?.quarantined ? 'warning' : undefined,
            href: hrefOf('/checkRecord', { tab: 'waiting' }),
            remark: data ? `闸机 ${data.gates.online} / ${data.gates.total} 在线` : undefined,
          },
        ]}
      />
      <div className="att-panels">
        <InsideCurve projectCode={projectCode} date={date} onOpen={open} />
        <Stream passages={data?.passages ?? []} loading={!data} />
        <Trades projectCode={projectCode} date={date} onOpen={open} />
        <Card title="各单位" remark="现在场内 / 今日出勤 / 在册" flush>
          {data && data.corps.length === 0 ? (
            <Empty small text="没有单位有人在册" />
          ) : (
            <ul className="att-units">
              {(data?.corps ?? [])
                .toSorted((a, b) => b.onDuty - a.onDuty)
                .map((c) => (
                  <li key={c.corpCode}>
                    <button
                      type="button"
                      className="zg-bare zg-link"
                      onClick={() => open({ title: `${c.corpName ?? ''} 现在场内`, state: 'onDuty', corpCode: c.corpCode })}
                    >
                      {c.corpName ?? c.corpCode}
                    </button>
                    <span className="bar" aria-hidden="true">
                      <Filled part={c.attended} whole={c.inPlace} />
                      <Filled part={c.onDuty} whole={c.inPlace} className="duty" />
                    </span>
                    <span className="numbers">
                      {c.onDuty} / {c.attended} / {c.inPlace}
                    </span>
                  </li>
                ))}
            </ul>
          )}
        </Card>
      </div>
    </>
  )
}

function useFollow(projectCode: string | undefined): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(projectCode ? liveGatePass.of({ projectCode }) : undefined, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      refresh(realtimeOverview)
    }, followMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

type OpenMore = (more: Pick<Behind, 'title' | 'state'> & Partial<Behind>) => void

/** People inside by hour, compared with the same weekday of last week. */
function InsideCurve({ projectCode, date, onOpen }: { projectCode: string; date: string; onOpen: OpenMore }) {
  const past = shiftDate(date, -7)
  const now = useCall(inPlaceStats.byHour, { query: { projectCode, date } }, { quiet: true, keepPrevious: true, everyMs })
  const before = useCall(
    inPlaceStats.byHour,
    { query: { projectCode, date: past } },
    { quiet: true, keepPrevious: true, staleMs: 3_600_000 },
  )
  const hours = useMemo(() => now.data?.list[0]?.hours ?? [], [now.data])
  const option = useMemo<ChartOption>(() => {
    const running = date === day(Date.now())
    const at = timeOfDay(Date.now()).slice(0, 2)
    const last = running ? hours.findIndex((h) => h.hour === at) : hours.length - 1
    return {
      grid: { left: 8, right: 16, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: hours.map((h) => `${h.hour}时`) },
      yAxis: { type: 'value', minInterval: 1 },
      series: [
        {
          name: '场内',
          type: 'line',
          areaStyle: { opacity: 0.12 },
          data: hours.map((h, i) => (last >= 0 && i > last ? null : h.onDuty)),
        },
        { name: '上周同日', type: 'line', lineStyle: { type: 'dashed' }, data: (before.data?.list[0]?.hours ?? []).map((h) => h.onDuty) },
        { name: '进', type: 'bar', barMaxWidth: 8, data: hours.map((h) => h.inCount) },
        { name: '出', type: 'bar', barMaxWidth: 8, data: hours.map((h) => h.outCount) },
      ],
    }
  }, [hours, before.data, date])
  return (
    <Card title="场内人数" remark={`${date}，点某一时看当时在场内的人`}>
      {now.error ? (
        <ErrorPanel error={now.error} retry={now.refetch} />
      ) : (
        <Chart
          height={280}
          label={`${date} 每小时末场内人数与上周同日`}
          option={option}
          onClick={({ dataIndex }) => {
            const hour = hours[dataIndex]?.hour
            if (hour) onOpen({ title: `${date} ${hour} 时末场内`, state: 'inPlace', hour })
          }}
        />
      )}
    </Card>
  )
}

interface Passage {
  id: string
  workerId: string | null
  name: string
  teamName: string | null
  corpName: string | null
  date: string
  direction: string | null
  channel: string | null
  late: boolean
}

function Stream({ passages, loading }: { passages: readonly Passage[]; loading: boolean }) {
  return (
    <Card title="最近通行" remark="随闸机推送更新" flush>
      {!loading && passages.length === 0 ? (
        <Empty small text="今天还没有通行" />
      ) : (
        <ol className="att-stream">
          {passages.map((p) => (
            <li key={p.id}>
              <span className="time" title={time(p.date)}>
                {timeOfDay(p.date)}
              </span>
              <b className={p.direction === directions.in ? 'tone-fine' : ''}>
                {p.direction === directions.in ? '进' : p.direction === directions.out ? '出' : '？'}
              </b>
              {p.workerId ? <Link to={hrefOf('/SingleAttendance', { workerId: p.workerId })}>{p.name}</Link> : <span>{p.name}</span>}
              <span className="zg-2">{p.teamName ?? p.corpName}</span>
              <span className="zg-2">{p.channel}</span>
              {p.late && <Tag tone="neutral">补传</Tag>}
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Trades({ projectCode, date, onOpen }: { projectCode: string; date: string; onOpen: OpenMore }) {
  const { data, error, refetch } = useCall(
    inPlaceStats.byWorkType,
    { query: { projectCode, startDate: date, endDate: date, size: 100 } },
    { quiet: true, keepPrevious: true },
  )
  const rows = useMemo(() => (data?.list ?? []).toSorted((a, b) => a.inPlace - b.inPlace).slice(-14), [data])
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 24, top: 28, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', minInterval: 1 },
      yAxis: { type: 'category', data: rows.map((r) => r.workTypeName ?? '未填') },
      series: [
        { name: '在册', type: 'bar', barMaxWidth: 10, itemStyle: { color: colors.primaryLine }, data: rows.map((r) => r.inPlace) },
        { name: '今日出勤', type: 'bar', barMaxWidth: 10, data: rows.map((r) => r.attended) },
      ],
    }),
    [rows],
  )
  return (
    <Card title="工种" remark="今日出勤与在册">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : (
        <Chart
          height={Math.max(200, 48 + rows.length * 26)}
          label="各工种在册与今日出勤人数"
          option={option}
          onClick={({ dataIndex, seriesName }) => {
            const row = rows[dataIndex]
            if (!row) return
            const who = row.workType === 'manager' ? { workRole: '10' } : { workType: row.workType }
            onOpen({
              title: `${row.workTypeName ?? ''} ${seriesName ?? ''}`,
              state: seriesName === '在册' ? 'inPlace' : 'attended',
              ...who,
            })
          }}
        />
      )}
    </Card>
  )
}
