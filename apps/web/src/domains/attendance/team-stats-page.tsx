import { teamRankList, teamStats } from '@zhugong/contract/attendance/stats'
import { listTeams } from '@zhugong/contract/labour/teams'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { Choices } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo } from '#kit/page.tsx'
import { HeatBoard } from './heat-board.tsx'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import { weekdayOf } from './sheet-mark.ts'
import { type Period, PeriodBar, usePeriod } from './stats-period.tsx'
import { isRest, percent, steadiness, type UnitDays, unitsOf } from './stats-words.ts'
import { Count } from './unit-stats-page.tsx'
import './attendance.css'

const most = 1000
/** A team that misses more than this share of those who are due is short of hands. */
const shortPercent = 20
/** The board has a column a day; a longer period keeps its last days. */
const boardDays = 30

/** Which team is short today, and how steady are they: enough hands for the pour on Friday? */
export default function TeamStatsPage() {
  const [period, setParams, params] = usePeriod()
  const [behind, setBehind] = useState<Behind>()
  const trades = params.get('trades')?.split(',').filter(Boolean) ?? []
  const { projectCode, startDate, endDate, workRole } = period
  const query = { projectCode, startDate, endDate, workRole, ...(trades.length ? { workType: trades.join(',') } : {}) }
  // A day of a thousand teams is more than a page: the board reads as many pages as it has.
  const days = useCall(teamStats.byDay, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const more = useCall(
    teamStats.byDay,
    { query: { ...query, size: most, page: 2 } },
    { quiet: true, keepPrevious: true, enabled: (days.data?.total ?? 0) > most },
  )
  const types = useCall(
    teamStats.byWorkType,
    { query: { projectCode, startDate, endDate, size: most } },
    { quiet: true, keepPrevious: true },
  )
  const units = useMemo(
    () => unitsOf([...(days.data?.list ?? []), ...((days.data?.total ?? 0) > most ? (more.data?.list ?? []) : [])]),
    [days.data, more.data],
  )
  const tradeOptions = useMemo(
    () => [...new Map((types.data?.list ?? []).map((t) => [t.workType, { value: t.workType, label: t.workTypeName ?? '未填' }])).values()],
    [types.data],
  )
  const last = units.flatMap((u) => u.days.filter((d) => d.date === endDate).map((d) => ({ unit: u, day: d })))
  const due = last.filter(({ day }) => day.expected > 0)
  const short = due
    .filter(({ day }) => ((day.expected - Math.min(day.expected, day.entered)) / day.expected) * 100 > shortPercent)
    .toSorted((a, b) => b.day.expected - b.day.entered - (a.day.expected - a.day.entered))
  const hours = units.reduce((n, u) => n + u.days.reduce((m, d) => m + d.workHours, 0), 0)
  const attended = units.reduce((n, u) => n + u.days.reduce((m, d) => m + d.attended, 0), 0)
  const ranks = useCall(teamStats.rank, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const overlong = (ranks.data?.list ?? []).reduce((n, r) => n + r.overlong, 0)
  const open = (more: Partial<Behind> & Pick<Behind, 'title' | 'state'>) => setBehind({ scope: 'team', ...query, ...more })
  if (days.error) return <ErrorPanel error={days.error} retry={days.refetch} />
  return (
    <PageShell
      remark="按天看人手；单位之间的比较在单位考勤统计"
      actions={
        <>
          <div style={{ width: 150 }}>
            <Choices
              aria-label="工种"
              placeholder="全部工种"
              options={tradeOptions}
              value={trades}
              onChange={(next) => setParams({ trades: next?.join(',') })}
            />
          </div>
          <PeriodBar period={period} params={params} onChange={setParams} />
        </>
      }
    >
      <FigureStrip
        loading={days.isPending}
        items={[
          { label: '应到班组', value: due.length, unit: '个', remark: `${endDate}，共 ${units.length} 个班组在册` },
          {
            label: `缺员超过 ${shortPercent} %`,
            value: short.length,
            unit: '个',
            tone: short.length ? 'warning' : undefined,
            remark: short[0] ? `最多 ${short[0].unit.name} 缺 ${short[0].day.expected - short[0].day.entered} 人` : '人手齐',
          },
          {
            label: '人均日工时',
            value: attended ? (hours / attended).toFixed(1) : '--',
            unit: '小时',
            remark: `出勤 ${thousands(attended)} 人天`,
          },
          {
            label: '超时',
            value: thousands(overlong),
            unit: '人天',
            tone: overlong ? 'warning' : undefined,
            remark: '单日超过 11 小时',
          },
        ]}
      />
      <div className="att-team">
        <Board
          units={units}
          isWaiting={!days.data}
          period={period}
          onCell={(unit, date) =>
            open({ title: `${unit.name} ${date}`, state: 'inPlace', ...ofUnit(unit), startDate: date, endDate: date })
          }
        />
        <ShortToday
          short={short}
          date={endDate}
          projectCode={projectCode}
          onTeam={(unit) => open({ title: `${unit.name} ${endDate} 未到`, state: 'absent', ...ofUnit(unit), startDate: endDate, endDate })}
        />
      </div>
      <div className="att-panels att-level">
        <Arrivals
          period={period}
          query={{ projectCode, workRole, ...(trades.length ? { workType: trades.join(',') } : {}) }}
          onHour={(unit, hour, date) =>
            open({
              title: `${unit.name} ${date} ${hour} 时末在场`,
              state: 'inPlace',
              ...ofUnit(unit),
              date,
              hour,
              startDate: date,
              endDate: date,
            })
          }
        />
        <SameTrade rows={types.data?.list ?? []} chosen={trades} />
        <Ranking
          query={query}
          units={units}
          onTeam={(unit, state, words) => open({ title: `${unit.name} ${words}`, state, ...ofUnit(unit) })}
        />
      </div>
      <PeopleDrawer behind={behind} onClose={() => setBehind(undefined)} />
    </PageShell>
  )
}

type Unit = Pick<UnitDays, 'corpCode' | 'teamSysNo' | 'name'>
const ofUnit = (unit: Unit) => ({ corpCode: unit.corpCode ?? undefined, teamSysNo: unit.teamSysNo ?? undefined })

function Board({
  units,
  isWaiting,
  period,
  onCell,
}: {
  units: readonly UnitDays[]
  isWaiting: boolean
  period: Period
  onCell: (unit: UnitDays, date: string) => void
}) {
  const dates = [...new Set(units.flatMap((u) => u.days.map((d) => d.date)))].sort().slice(-boardDays)
  return (
    <Card title="班组出勤板" remark="格内为到场人数，颜色为到场比例，斜纹为休息或停工；点格看人" flush>
      {isWaiting ? (
        <div className="zg-bone att-wait" />
      ) : units.length === 0 ? (
        <Empty text="没有班组在场" hint={`${period.startDate} 至 ${period.endDate}`} />
      ) : (
        <HeatBoard
          label="班组每日到场人数"
          heads={dates.map((d) => (
            <span key={d}>
              {Number(d.slice(8))}
              <br />
              {weekdayOf(d)}
            </span>
          ))}
          rows={units.map((u) => {
            const byDate = new Map(u.days.map((d) => [d.date, d]))
            return {
              key: u.key,
              title: u.name,
              cells: dates.map((date) => {
                const d = byDate.get(date)
                if (!d || d.inPlace === 0) return undefined
                const share = d.inPlace ? d.attended / d.inPlace : 0
                return {
                  text: isRest(d) && d.attended === 0 ? '' : String(d.attended),
                  share,
                  rest: isRest(d),
                  bad: !isRest(d) && d.expected > 0 && share < 1 - shortPercent / 100 - 0.2,
                  words: `${u.name} ${date}：应到 ${d.expected}，实到 ${d.attended}，工时 ${d.workHours.toFixed(1)}`,
                }
              }),
            }
          })}
          onCell={(key, i) => {
            const unit = units.find((u) => u.key === key)
            const date = dates[i]
            if (unit && date) onCell(unit, date)
          }}
        />
      )}
    </Card>
  )
}

function ShortToday({
  short,
  date,
  projectCode,
  onTeam,
}: {
  short: readonly { unit: UnitDays; day: { expected: number; entered: number } }[]
  date: string
  projectCode: string
  onTeam: (unit: UnitDays) => void
}) {
  const teams = useCall(listTeams, { query: { projectCode, size: most } }, { quiet: true, staleMs: 300_000 })
  const leaderOf = new Map((teams.data?.list ?? []).map((t) => [String(t.teamSysNo), t]))
  return (
    <Card title="缺员班组" remark={date} flush>
      {short.length === 0 ? (
        <Empty small text="没有缺员的班组" hint={`缺员超过 ${shortPercent} % 的班组列在这里`} />
      ) : (
        <ul className="att-short">
          {short.slice(0, 12).map(({ unit, day }) => {
            const leader = leaderOf.get(unit.teamSysNo ?? '')
            return (
              <li key={unit.key}>
                <button type="button" className="zg-bare zg-link" onClick={() => onTeam(unit)}>
                  {unit.name}
                </button>
                <b className="tone-danger">缺 {day.expected - day.entered} 人</b>
                <span className="zg-2">
                  应到 {day.expected}，已到 {day.entered}（{percent(day.entered, day.expected)?.toFixed(0)} %）
                </span>
                {leader?.teamLeaderName && <span className="zg-2">班组长 {leader.teamLeaderName}</span>}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function Arrivals({
  period,
  query,
  onHour,
}: {
  period: Period
  query: { projectCode: string; workRole: string | undefined; workType?: string }
  onHour: (unit: Unit, hour: string, date: string) => void
}) {
  const date = period.endDate
  const { data, error, refetch } = useCall(teamStats.byHour, { query: { ...query, date, size: most } }, { quiet: true, keepPrevious: true })
  const rows = data?.list ?? []
  const peak = Math.max(1, ...rows.flatMap((r) => r.hours.map((h) => h.inCount)))
  return (
    <Card title="到场时间分布" remark={`${date}，每小时进场人次；点格看该时在场的人`} className="wide">
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <div className="zg-bone att-wait" />
      ) : rows.length === 0 ? (
        <Empty small text="当日没有数据" />
      ) : (
        <HeatBoard
          label="各班组每小时进场人次"
          heads={(rows[0]?.hours ?? []).map((h) => h.hour)}
          rows={rows.map((r) => ({
            key: `${r.corpCode}|${r.teamSysNo}`,
            title: r.teamName ?? '',
            cells: r.hours.map((h) => ({
              text: h.inCount ? String(h.inCount) : '',
              share: h.inCount / peak,
              words: `${r.teamName ?? ''} ${h.hour} 时：进 ${h.inCount}，出 ${h.outCount}，末在场 ${h.onDuty}`,
            })),
          }))}
          onCell={(key, i) => {
            const row = rows.find((r) => `${r.corpCode}|${r.teamSysNo}` === key)
            const hour = row?.hours[i]?.hour
            if (row && hour) onHour({ corpCode: row.corpCode, teamSysNo: row.teamSysNo, name: row.teamName ?? '' }, hour, date)
          }}
        />
      )}
    </Card>
  )
}

interface TradeRow {
  workType: string
  workTypeName: string | null
  teamSysNo: string | null
  teamName: string | null
  personDays: number
  workHours: number
  inPlace: number
  rate: number | null
}

/** Teams of one trade beside each other: only they can be compared. */
function SameTrade({ rows, chosen }: { rows: readonly TradeRow[]; chosen: readonly string[] }) {
  const trade = useMemo(() => {
    const groups = [...Map.groupBy(rows, (r) => r.workType)].filter(([code]) => code !== 'manager')
    const wanted = groups.filter(([code]) => chosen.length === 0 || chosen.includes(code))
    return wanted.toSorted(
      ([, a], [, b]) => b.length - a.length || b.reduce((n, r) => n + r.inPlace, 0) - a.reduce((n, r) => n + r.inPlace, 0),
    )[0]
  }, [rows, chosen])
  const teams = useMemo(() => (trade?.[1] ?? []).toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0)), [trade])
  const option = useMemo<ChartOption>(
    () => ({
      grid: { left: 8, right: 40, top: 28, bottom: 8, containLabel: true },
      legend: { top: 0 },
      tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
      xAxis: [
        { type: 'value', max: 100, axisLabel: { formatter: '{value} %' } },
        { type: 'value', name: '小时/人天', position: 'top', splitLine: { show: false } },
      ],
      yAxis: { type: 'category', data: teams.map((t) => t.teamName ?? '') },
      series: [
        { type: 'bar', name: '出勤率', barMaxWidth: 14, data: teams.map((t) => t.rate) },
        {
          type: 'scatter',
          name: '人均日工时',
          xAxisIndex: 1,
          symbolSize: 10,
          data: teams.map((t) => (t.personDays ? Math.round((t.workHours / t.personDays) * 10) / 10 : null)),
        },
      ],
    }),
    [teams],
  )
  return (
    <Card title="同工种班组对比" remark={trade ? (trade[1][0]?.workTypeName ?? '未填工种') : undefined}>
      {teams.length === 0 ? (
        <Empty small text="没有同工种的班组" />
      ) : (
        <Chart height={Math.max(200, 60 + teams.length * 34)} label="同工种班组的出勤率与人均日工时" option={option} />
      )}
    </Card>
  )
}

function Ranking({
  query,
  units,
  onTeam,
}: {
  query: { projectCode: string; startDate: string; endDate: string; workRole: string | undefined; workType?: string }
  units: readonly UnitDays[]
  onTeam: (unit: Unit, state: Behind['state'], words: string) => void
}) {
  const go = useGo()
  const list = useListPage(teamRankList, { scope: query, inUrl: false })
  const steady = new Map(units.map((u) => [u.teamSysNo, steadiness(u.days)]))
  const unitOf = (r: { code: string; corpCode: string | null; name: string | null }): Unit => ({
    corpCode: r.corpCode,
    teamSysNo: r.code,
    name: r.name ?? '',
  })
  return (
    <Card title="排名" remark="稳定率 = 平均到场 ÷ 最多到场；只在同工种之间比较" flush className="wide att-rank">
      <DataTable
        list={list}
        rowKey="code"
        unit="个"
        name="attendance-team-rank"
        exportTitle="班组考勤统计"
        emptyHint="这段时间没有班组在场"
        columns={[
          { key: 'rank', width: 56, align: 'right', locked: true, value: (r) => r.rank },
          {
            key: 'name',
            width: 130,
            locked: true,
            value: (r) => (
              <button type="button" className="zg-bare zg-link" onClick={() => onTeam(unitOf(r), 'inPlace', '在册')}>
                {r.name}
              </button>
            ),
          },
          { key: 'corpName', width: 180, weak: true, value: (r) => r.corpName },
          { key: 'inPlace', width: 64, align: 'right', value: (r) => thousands(r.inPlace) },
          { key: 'rate', width: 84, align: 'right', value: (r) => (r.rate === null ? '--' : r.rate.toFixed(2)) },
          { key: 'steady', width: 76, align: 'right', value: (r) => steady.get(r.code)?.toFixed(0) },
          { key: 'days', width: 84, align: 'right', value: (r) => thousands(r.days) },
          { key: 'hoursADay', width: 92, align: 'right', value: (r) => r.hoursADay?.toFixed(1) },
          {
            key: 'overlong',
            width: 84,
            align: 'right',
            value: (r) => <Count n={r.overlong} onClick={() => onTeam(unitOf(r), 'overlong', '单日超过 11 小时')} />,
          },
          { key: 'correctedPercent', width: 92, align: 'right', value: (r) => r.correctedPercent?.toFixed(1) },
          { key: 'latePercent', width: 92, align: 'right', value: (r) => r.latePercent?.toFixed(1) },
        ]}
        actions={(r) => [
          { label: '月表', onClick: () => go('/attendance', { unit: `${r.corpCode ?? ''}|${r.code}`, month: query.endDate.slice(0, 7) }) },
          { label: '当日', onClick: () => go('/checkingList', { corpCode: r.corpCode ?? '', teamSysNo: r.code, date: query.endDate }) },
        ]}
      />
    </Card>
  )
}
