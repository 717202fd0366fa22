import { teamStats } from '@zhugong/contract/attendance/stats'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { Choices } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { HoursBoard } from './hours-board.tsx'
import { type Behind, PeopleDrawer } from './people-drawer.tsx'
import { PeriodBar, usePeriod } from './stats-period.tsx'
import { unitsOf } from './stats-words.ts'
import './attendance.css'
import { most, ofUnit, queryOf, type Unit } from './stats-query.ts'
import { Board, shortPercent } from './team-board.tsx'
import { SameTrade } from './team-compare.tsx'
import { Ranking } from './team-rank.tsx'
import { ShortToday } from './team-short.tsx'

/** Attendance of teams: which are short today and how steady each is. */
export default function TeamStatsPage() {
  const [period, setParams, params] = usePeriod()
  const [behind, setBehind] = useState<Behind>()
  const trades = params.get('trades')?.split(',').filter(Boolean) ?? []
  const { projectCode, startDate, endDate, workRole } = period
  const query = { ...queryOf(period), workType: trades.join(',') || undefined }
  // One day of up to 1,000 teams exceeds a page, so the board reads all pages.
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
    .filter(({ day }) => ((day.expected - day.arrived) / day.expected) * 100 > shortPercent)
    .toSorted((a, b) => b.day.expected - b.day.arrived - (a.day.expected - a.day.arrived))
  const hours = units.reduce((n, u) => n + u.days.reduce((m, d) => m + d.workHours, 0), 0)
  const attended = units.reduce((n, u) => n + u.days.reduce((m, d) => m + d.attended, 0), 0)
  const ranks = useCall(teamStats.rank, { query: { ...query, size: most } }, { quiet: true, keepPrevious: true })
  const overlong = (ranks.data?.list ?? []).reduce((n, r) => n + r.overlong, 0)
  const open = (more: Partial<Behind> & Pick<Behind, 'title' | 'state'>) => setBehind({ scope: 'team', ...query, ...more })
  const openHour = (unit: Unit, hour: string) =>
    open({
      title: `${unit.name} ${endDate} ${hour} 时末在场`,
      state: 'inPlace',
      ...ofUnit(unit),
      date: endDate,
      hour,
      startDate: endDate,
      endDate,
    })
  if (days.error) return <ErrorPanel error={days.error} retry={days.refetch} />
  return (
    <PageShell
      remark="按天看人手；单位之间的比较在单位考勤统计"
      actions={
        <>
          <div className="zg-w-150">
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
        loading={!days.data}
        items={[
          { label: '应到班组', value: due.length, unit: '个', remark: `${endDate}，共 ${units.length} 个班组在册` },
          {
            label: `缺员超过 ${shortPercent} %`,
            value: short.length,
            unit: '个',
            tone: short.length ? 'warning' : undefined,
            remark: short[0] ? `最多 ${short[0].unit.name} 缺 ${short[0].day.expected - short[0].day.arrived} 人` : '人手齐',
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
        <HoursBoard
          call={teamStats.byHour}
          query={{ projectCode, workRole, workType: trades.join(',') || undefined, date: endDate }}
          counts="inCount"
          title="到场时间分布"
          remark="每小时进场人次；点格看该时在场的人"
          label="各班组每小时进场人次"
          onHour={openHour}
        />
        <SameTrade requested={types} rows={types.data?.list ?? []} chosen={trades} />
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
