import { inPlaceStats, realtimeOverview, statsList } from '@zhugong/contract/attendance/endpoints'
import { liveGatePass } from '@zhugong/contract/telemetry/topics'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { refresh, useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { colors } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { usePrint } from '#kit/export.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { day, month as monthText, thousands, time, timeOfDay } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useLive } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { HeatBoard } from './heat-board.tsx'
import { usePageParams } from './page-params.ts'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import { shiftDate, weekdayOf } from './sheet-mark.ts'
import { isRest } from './stats-words.ts'
import './attendance.css'

const tabs = [
  { value: 'now', label: '实时在场' },
  { value: 'rhythm', label: '规律' },
  { value: 'posts', label: '关键岗位到岗' },
]
const most = 1000
const everyMs = 60_000
/** Figures follow the gates, but not with every face. */
const followMs = 3_000

/** Who is inside right now; what is this site's rhythm; were the key people present? */
export default function AnalysisPage() {
  const [params, setParams] = usePageParams()
  const tab = params.get('tab') ?? 'now'
  const projectCode = useProjectCode()
  const [behind, setBehind] = useState<Behind>()
  const print = usePrint('attendanceMuster')
  return (
    <PageShell
      remark={tab === 'now' ? '末次通行为入场、24 小时以内' : tab === 'rhythm' ? '近 90 天' : '应到扣除停工、休息与进退场当日'}
      actions={
        <>
          <Segmented options={tabs} value={tab} onChange={(value) => setParams({ tab: String(value) })} />
          {tab === 'now' && projectCode !== '*' && (
            <Button
              type="primary"
              danger
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'attendanceMuster', exportType: 'pdf', query: { projectCode } } })}
            >
              应急点名表
            </Button>
          )}
        </>
      }
    >
      {tab === 'now' ? (
        <Now projectCode={projectCode} onOpen={setBehind} />
      ) : tab === 'rhythm' ? (
        <Rhythm projectCode={projectCode} onOpen={setBehind} />
      ) : (
        <KeyPosts projectCode={projectCode} />
      )}
      <PeopleDrawer behind={behind} onClose={() => setBehind(undefined)} />
    </PageShell>
  )
}

type Open = (behind: Behind) => void

function Now({ projectCode, onOpen }: { projectCode: string; onOpen: Open }) {
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
          截至 {timeOfDay(data.at).slice(0, 5)}，{data.gates.total} 台闸机中 {offline} 台离线，在岗人数可能少计
        </Notice>
      )}
      <FigureStrip
        loading={!data}
        items={[
          {
            label: '实时在岗',
            value: thousands(data?.onDuty),
            unit: '人',
            remark: data ? `工人 ${data.workers.onDuty}，管理人员 ${data.managers.onDuty}` : undefined,
          },
          {
            label: '今日出勤',
            value: thousands(data?.attended),
            unit: '人',
            remark: data ? `在场 ${thousands(data.inPlace)} 人` : undefined,
            href: hrefOf('/checkingList', { chip: 'entered' }),
          },
          {
            label: '出勤率',
            value: data?.rate?.toFixed(2) ?? '--',
            unit: '%',
            remark: data ? `管理人员 ${data.managers.rate?.toFixed(1) ?? '--'} %` : undefined,
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
        <Card title="各单位在岗" remark="在岗 / 今日出勤 / 在场" flush>
          {data && data.corps.length === 0 ? (
            <Empty small text="没有在场单位" />
          ) : (
            <ul className="att-units">
              {(data?.corps ?? [])
                .toSorted((a, b) => b.onDuty - a.onDuty)
                .map((c) => (
                  <li key={c.corpCode}>
                    <button
                      type="button"
                      className="zg-bare zg-link"
                      onClick={() => open({ title: `${c.corpName ?? ''} 现在在岗`, state: 'onDuty', corpCode: c.corpCode })}
                    >
                      {c.corpName ?? c.corpCode}
                    </button>
                    <span className="bar" aria-hidden="true">
                      <i style={{ width: `${c.inPlace ? (c.attended / c.inPlace) * 100 : 0}%` }} />
                      <b style={{ width: `${c.inPlace ? (c.onDuty / c.inPlace) * 100 : 0}%` }} />
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

/** People inside hour by hour, with the same weekday of last week behind. */
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
          name: '在岗',
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
    <Card title="在岗人数" remark={`${date}，点某一时看当时在场的人`}>
      {now.error ? (
        <ErrorPanel error={now.error} retry={now.refetch} />
      ) : (
        <Chart
          height={280}
          label={`${date} 每小时末在岗人数与上周同日`}
          option={option}
          onClick={({ dataIndex }) => {
            const hour = hours[dataIndex]?.hour
            if (hour) onOpen({ title: `${date} ${hour} 时末在场`, state: 'inPlace', hour })
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
              <b className={p.direction === '01' ? 'tone-fine' : ''}>{p.direction === '01' ? '进' : p.direction === '02' ? '出' : '？'}</b>
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
        { name: '在场', type: 'bar', barMaxWidth: 10, itemStyle: { color: colors.primaryLine }, data: rows.map((r) => r.inPlace) },
        { name: '今日出勤', type: 'bar', barMaxWidth: 10, data: rows.map((r) => r.attended) },
      ],
    }),
    [rows],
  )
  return (
    <Card title="工种" remark="今日出勤与在场">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : (
        <Chart
          height={Math.max(200, 48 + rows.length * 26)}
          label="各工种在场与今日出勤人数"
          option={option}
          onClick={({ dataIndex, seriesName }) => {
            const row = rows[dataIndex]
            if (!row) return
            const who = row.workType === 'manager' ? { workRole: '10' } : { workType: row.workType }
            onOpen({
              title: `${row.workTypeName ?? ''} ${seriesName ?? ''}`,
              state: seriesName === '在场' ? 'inPlace' : 'attended',
              ...who,
            })
          }}
        />
      )}
    </Card>
  )
}

const rhythmDays = 90

function Rhythm({ projectCode, onOpen }: { projectCode: string; onOpen: Open }) {
  const endDate = day(Date.now())
  const startDate = shiftDate(endDate, 1 - rhythmDays)
  const { data, error, refetch } = useCall(
    inPlaceStats.byDay,
    { query: { projectCode, startDate, endDate, size: most } },
    { quiet: true, keepPrevious: true },
  )
  const days = useMemo(() => (data?.list ?? []).filter((d) => d.inPlace > 0), [data])
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 8, top: 32, bottom: 40, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis' },
      dataZoom: [{ type: 'slider', height: 18, bottom: 4, start: days.length > 45 ? 50 : 0, end: 100 }],
      xAxis: { type: 'category', data: days.map((d) => d.date.slice(5)) },
      yAxis: [
        { type: 'value', minInterval: 1 },
        { type: 'value', max: 100, axisLabel: { formatter: '{value} %' }, splitLine: { show: false } },
      ],
      series: [
        { name: '实到', type: 'bar', stack: 'who', data: days.map((d) => d.attended) },
        {
          name: '未到',
          type: 'bar',
          stack: 'who',
          itemStyle: { color: colors.lineStrong },
          data: days.map((d) => Math.max(0, d.inPlace - d.attended)),
        },
        { name: '出勤率', type: 'line', yAxisIndex: 1, connectNulls: true, data: days.map((d) => (isRest(d) ? null : d.rate)) },
        {
          name: '日结时出勤',
          type: 'scatter',
          symbolSize: 6,
          data: days.map((d) => d.atClose?.attended ?? null),
        },
      ],
    }),
    [days],
  )
  const kinds = [
    { key: 'late', label: '迟到' },
    { key: 'early', label: '早退' },
    { key: 'missing', label: '缺卡' },
    { key: 'absent', label: '缺勤' },
    { key: 'leave', label: '请假' },
    { key: 'night', label: '夜班' },
  ] as const
  const peak = Math.max(1, ...days.flatMap((d) => kinds.map((k) => d[k.key])))
  const latest = days.slice(-31)
  const byWeekday = useMemo(() => weekdayMeans(days), [days])
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (data && days.length === 0) return <Empty text="还没有可看的规律" hint="闸机有通行的第二天起有日考勤" />
  return (
    <div className="att-panels">
      <Card title="每日出勤" remark="点柱看当日到场的人；圆点为日结时的数字，与柱不同即有补传或更正" className="wide">
        <Chart
          height={300}
          label="近 90 天每日出勤人数与出勤率"
          option={option}
          onClick={({ dataIndex, seriesName }) => {
            const one = days[dataIndex]
            if (!one) return
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${one.date} ${seriesName === '未到' ? '缺勤' : '出勤'}`,
              state: seriesName === '未到' ? 'absent' : 'attended',
              startDate: one.date,
              endDate: one.date,
            })
          }}
        />
      </Card>
      <Card title="异常日历" remark="近 31 天，点格看人" className="wide">
        <HeatBoard
          label="每日迟到早退缺卡缺勤请假夜班人数"
          heads={latest.map((d) => (
            <span key={d.date}>
              {Number(d.date.slice(8))}
              <br />
              {weekdayOf(d.date)}
            </span>
          ))}
          rows={kinds.map((k) => ({
            key: k.key,
            title: k.label,
            cells: latest.map((d) => ({
              text: d[k.key] ? String(d[k.key]) : '',
              share: d[k.key] / peak,
              rest: isRest(d) && d[k.key] === 0,
              words: `${d.date} ${k.label} ${d[k.key]} 人`,
            })),
          }))}
          onCell={(key, i) => {
            const kind = kinds.find((k) => k.key === key)
            const one = latest[i]
            if (!kind || !one) return
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${one.date} ${kind.label}`,
              state: kind.key,
              startDate: one.date,
              endDate: one.date,
            })
          }}
        />
      </Card>
      <Card title="一周之内" remark="工作日平均到场人数与出勤率">
        <Chart height={240} label="星期一至星期日的平均到场人数" option={byWeekday} />
      </Card>
      <HoursOfWeek projectCode={projectCode} endDate={endDate} onOpen={onOpen} />
    </div>
  )
}

function weekdayMeans(
  days: readonly { date: string; attended: number; rate: number | null; expected: number; inPlace: number }[],
): ChartOption {
  const names = ['一', '二', '三', '四', '五', '六', '日']
  const groups = names.map((name) => days.filter((d) => weekdayOf(d.date) === name && !isRest(d)))
  const mean = (list: readonly number[]) => (list.length ? Math.round((list.reduce((a, b) => a + b, 0) / list.length) * 10) / 10 : null)
  return {
    grid: { left: 8, right: 8, top: 32, bottom: 8, containLabel: true },
    legend: { top: 0 },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', data: names.map((n) => `周${n}`) },
    yAxis: [
      { type: 'value', minInterval: 1 },
      { type: 'value', max: 100, axisLabel: { formatter: '{value} %' }, splitLine: { show: false } },
    ],
    series: [
      { name: '平均到场', type: 'bar', barMaxWidth: 28, data: groups.map((g) => mean(g.map((d) => d.attended))) },
      { name: '出勤率', type: 'line', yAxisIndex: 1, data: groups.map((g) => mean(g.flatMap((d) => d.rate ?? []))) },
    ],
  }
}

/** The last seven days by the hour: when people come, go and stay the night. */
function HoursOfWeek({ projectCode, endDate, onOpen }: { projectCode: string; endDate: string; onOpen: Open }) {
  const dates = useMemo(() => Array.from({ length: 7 }, (_, i) => shiftDate(endDate, i - 6)), [endDate])
  // One call a day: the figure is of one work day by its nature.
  const a = useHours(projectCode, dates[0]!)
  const b = useHours(projectCode, dates[1]!)
  const c = useHours(projectCode, dates[2]!)
  const d = useHours(projectCode, dates[3]!)
  const e = useHours(projectCode, dates[4]!)
  const f = useHours(projectCode, dates[5]!)
  const g = useHours(projectCode, dates[6]!)
  const week = [a, b, c, d, e, f, g]
  const peak = Math.max(1, ...week.flatMap((one) => one.map((h) => h.onDuty)))
  return (
    <Card title="时段" remark="近 7 天每小时末在岗人数">
      <HeatBoard
        label="近 7 天每小时末在岗人数"
        heads={(g.length ? g : a).map((h) => h.hour)}
        rows={dates.map((date, i) => ({
          key: date,
          title: `${date.slice(5)} ${weekdayOf(date)}`,
          cells: (week[i] ?? []).map((h) => ({
            text: h.onDuty ? String(h.onDuty) : '',
            share: h.onDuty / peak,
            words: `${date} ${h.hour} 时末在岗 ${h.onDuty} 人`,
          })),
        }))}
        onCell={(date, i) => {
          const hour = week[dates.indexOf(date)]?.[i]?.hour
          if (hour)
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${date} ${hour} 时末在场`,
              state: 'inPlace',
              hour,
              date,
              startDate: date,
              endDate: date,
            })
        }}
      />
    </Card>
  )
}

const noHours: readonly { hour: string; onDuty: number }[] = []
const useHours = (projectCode: string, date: string) =>
  useCall(inPlaceStats.byHour, { query: { projectCode, date } }, { quiet: true, staleMs: 600_000 }).data?.list[0]?.hours ?? noHours

function KeyPosts({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const [params, setParams] = usePageParams()
  const month = params.get('month') ?? monthText(Date.now())
  const query = useMemo(() => ({ projectCode, month }), [projectCode, month])
  const list = useListPage(statsList, { params: { type: 'keyPost' }, scope: query, inUrl: false })
  const all = useCall(statsList, { params: { type: 'keyPost' }, query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const rows = useMemo(() => all.data?.list ?? [], [all.data])
  const below = rows.filter((r) => r.below)
  const option = useMemo<ChartOption>(() => {
    const shown = rows.filter((r) => r.presence !== null).toSorted((a, b) => (b.presence ?? 0) - (a.presence ?? 0))
    return {
      // Above them stands what is asked for.
      grid: { left: 8, right: 40, top: 24, bottom: 8, containLabel: true },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: { type: 'value', max: 100, axisLabel: { formatter: '{value} %' } },
      yAxis: { type: 'category', data: shown.map((r) => `${r.name ?? ''} ${r.postName ?? ''}`) },
      series: [
        {
          name: '到岗率',
          type: 'bar',
          barMaxWidth: 14,
          data: shown.map((r) => ({ value: r.presence, itemStyle: { color: r.below ? colors.danger : colors.primary } })),
          markLine: { symbol: 'none', label: { formatter: '{c} %' }, data: [{ xAxis: 80 }] },
        },
      ],
    }
  }, [rows])
  return (
    <>
      <FigureStrip
        loading={!all.data}
        items={[
          { label: '关键岗位', value: rows.length, unit: '人', remark: month },
          { label: '到岗率不足', value: below.length, unit: '人', tone: below.length ? 'danger' : undefined },
          {
            label: '最低',
            value:
              rows
                .flatMap((r) => r.presence ?? [])
                .toSorted((a, b) => a - b)[0]
                ?.toFixed(1) ?? '--',
            unit: '%',
            remark: below.toSorted((a, b) => (a.presence ?? 0) - (b.presence ?? 0))[0]?.name ?? undefined,
          },
          { label: '含补录的天数', value: rows.reduce((n, r) => n + r.corrected, 0), unit: '天', remark: '更正须监理或建设单位同意' },
        ]}
      />
      <div className="att-panels">
        <Card
          title="到岗率"
          remark="红色为低于要求"
          actions={
            <div style={{ width: 120 }}>
              <MonthInput aria-label="月份" value={month} onChange={(next) => setParams({ month: next })} />
            </div>
          }
        >
          {all.data && rows.length === 0 ? (
            <Empty small text="没有关键岗位人员" hint="在人员进场时选择岗位" />
          ) : (
            <Chart height={Math.max(200, 24 + rows.length * 26)} label="关键岗位到岗率" option={option} />
          )}
        </Card>
        <Card title="到岗明细" flush className="att-rank">
          <DataTable
            list={list}
            unit="人"
            name="attendance-key-posts"
            columns={[
              {
                key: 'name',
                title: '姓名',
                width: 80,
                locked: true,
                value: (r) => <Link to={hrefOf('/SingleAttendance', { workerId: r.code, month })}>{r.name}</Link>,
              },
              { key: 'postName', title: '岗位', width: 110, value: (r) => r.postName },
              { key: 'projectName', title: '项目', width: 120, hidden: projectCode !== '*', value: (r) => r.projectName },
              { key: 'required', title: '应到', width: 60, align: 'right', value: (r) => r.required },
              { key: 'present', title: '实到', width: 60, align: 'right', value: (r) => r.present },
              {
                key: 'presence',
                title: '到岗率 %',
                width: 84,
                align: 'right',
                value: (r) => (r.presence === null ? '--' : <span className={r.below ? 'tone-danger' : ''}>{r.presence.toFixed(1)}</span>),
              },
              { key: 'needed', title: '须到', width: 60, align: 'right', value: (r) => r.needed },
              { key: 'leave', title: '请假', width: 60, align: 'right', value: (r) => r.leave },
              { key: 'corrected', title: '更正', width: 60, align: 'right', value: (r) => r.corrected },
            ]}
            onRow={(r) => go('/SingleAttendance', { workerId: r.code, month })}
          />
        </Card>
      </div>
    </>
  )
}
