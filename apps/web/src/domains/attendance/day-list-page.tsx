import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { type DailyRow, dailyCounts, dailyList } from '@zhugong/contract/attendance/days'
import { dayResults } from '@zhugong/contract/attendance/facts'
import { createFix } from '@zhugong/contract/attendance/fix-endpoints'
import { liveGatePass } from '@zhugong/contract/telemetry/topics'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Face } from '#domains/personnel/public.tsx'
import { refresh, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { minuteOfDay, thousands } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useLive } from '#kit/live.ts'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import type { SideNode } from '#kit/side-node.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import { DayAccount } from './day-account.tsx'
import { rateWords } from './day-words.ts'
import { FixDrawer, type FixWanted } from './fix-drawer.tsx'
import { usePageParams } from './page-params.ts'
import { dayWords, shiftDate } from './sheet-mark.ts'
import { DayBar, DayWords } from './words.tsx'
import './attendance.css'

const resultOptions = Object.entries(dayResults).map(([value, label]) => ({ value, label }))
const roleOptions = [
  { value: '20', label: '建筑工人' },
  { value: '10', label: '管理人员' },
]
/** Minimum interval between refetches while gates report passages. */
const refreshAfterMs = 3_000

const chips = [
  { value: '', label: '全部' },
  { value: 'wrong', label: '异常' },
  { value: 'absent', label: '未到' },
  { value: 'due', label: '应到' },
  { value: 'came', label: '实到' },
  { value: 'entered', label: '出勤' },
  { value: 'inside', label: '现在场内' },
  { value: 'keyAbsent', label: '关键岗位未到' },
] as const

export default function DayListPage() {
  const projectCode = useProjectCode()
  const { active } = usePage()
  const [params, setParams] = usePageParams()
  const requested = params.get('date') ?? undefined
  const corpCode = params.get('corpCode') ?? undefined
  const teamSysNo = params.get('teamSysNo') ?? undefined
  const chip = params.get('chip') ?? ''
  const scope = useMemo(
    () => ({
      projectCode,
      date: requested || undefined,
      corpCode: corpCode || undefined,
      teamSysNo: teamSysNo || undefined,
      chip: chip ? (chip as 'wrong') : undefined,
    }),
    [projectCode, requested, corpCode, teamSysNo, chip],
  )
  const own = useMemo(() => ['date', 'corpCode', 'teamSysNo', 'chip'], [])
  const list = useListPage(dailyList, { scope, own })
  const counts = useCall(dailyCounts, { query: { projectCode, date: requested || undefined } }, { keepPrevious: true, quiet: true })
  const [shown, setShown] = useState<DailyRow>()
  const [wanted, setWanted] = useState<FixWanted>()
  const { data } = counts
  const date = data?.date ?? requested
  useRefreshByGates(active && data?.running === true && projectCode !== '*' ? projectCode : undefined)

  const many = projectCode === '*'
  const nodes = useMemo(() => unitNodes(data?.units ?? [], many), [data?.units, many])
  const selected = corpCode ? `${corpCode}|${teamSysNo ?? ''}` : undefined
  return (
    <ListShell
      remark={date ? dayRemark(date, data) : undefined}
      titleActions={
        <span className="att-dates">
          <Button
            aria-label="前一天"
            icon={<LeftOutlined />}
            disabled={!date}
            onClick={() => date && setParams({ date: shiftDate(date, -1) })}
          />
          <DayInput value={date ?? null} onChange={(next) => setParams({ date: next })} />
          <Button
            aria-label="后一天"
            icon={<RightOutlined />}
            disabled={!date || data?.running}
            onClick={() => date && setParams({ date: shiftDate(date, 1) })}
          />
          <Button onClick={() => setParams({ date: undefined })}>今天</Button>
          {!many && date && (
            <Can call={createFix}>
              <Button onClick={() => setWanted({ kind: 'stopDay', projectCode, who: '全项目', date })}>标记停工日</Button>
            </Can>
          )}
        </span>
      }
      left={
        <SidePanel
          title="单位 / 班组"
          nodes={nodes}
          all={{ title: '全部', count: data ? data.attended : undefined }}
          selected={selected}
          searchPlaceholder="搜索班组"
          onSelect={(key) => {
            const [corp, team] = key?.split('|') ?? []
            setParams({ corpCode: corp, teamSysNo: team })
          }}
          footer={data ? `应到 ${data.expected} 人，实到 ${data.attended} 人` : undefined}
        />
      }
      strip={
        <FigureStrip
          loading={!data}
          items={[
            {
              label: '应到',
              value: thousands(data?.expected),
              unit: '人',
              href: hrefOf('/checkingList', { chip: 'due', date: requested }),
              remark: data ? `当日在册 ${data.inPlace} 人` : undefined,
            },
            {
              label: '实到',
              value: thousands(data?.attended),
              unit: '人',
              href: hrefOf('/checkingList', { chip: 'came', date: requested }),
              remark: rateWords(data),
            },
            {
              label: '现在场内',
              value: data?.running ? thousands(data.inside) : '--',
              unit: '人',
              href: data?.running ? hrefOf('/checkingList', { chip: 'inside' }) : undefined,
              remark: data?.running ? '末次通行为入场' : undefined,
            },
            {
              label: '异常待处理',
              value: thousands(data?.wrong),
              unit: '人',
              tone: data && data.wrong > 0 ? 'warning' : undefined,
              href: hrefOf('/checkingList', { chip: 'wrong', date: requested, corpCode, teamSysNo }),
              remark: data ? `应到未到 ${data.absent} 人${data.quarantined ? `，待核记录 ${data.quarantined} 条` : ''}` : undefined,
            },
          ]}
        />
      }
      above={
        data?.running && data.silentGates.length > 0 ? (
          <Notice tone="warning">
            {data.silentGates
              .map((g) => `${many ? `${g.projectName ?? ''} ` : ''}${g.name}${g.since ? `自 ${minuteOfDay(g.since)} ` : ''}离线`)
              .join('，')}
            ，数据可能未到齐，恢复后自动补传。
          </Notice>
        ) : undefined
      }
    >
      <DataTable
        list={list}
        unit="人"
        exportTitle="日考勤"
        search={{ key: 'name', placeholder: '姓名' }}
        toolbar={
          <Segmented
            value={chip}
            options={chips.map((c) => ({
              ...c,
              label: withCount(
                c.label,
                data && c.value ? { ...data, due: data.expected, came: data.attended, entered: data.came }[c.value] : undefined,
              ),
            }))}
            onChange={(value) => setParams({ chip: value })}
          />
        }
        onRow={setShown}
        selection={{
          unit: '人',
          actions: (rows) =>
            !many &&
            date && (
              <Can call={createFix}>
                {(['add', 'leave'] as const).map((kind) => (
                  <Button
                    key={kind}
                    onClick={() =>
                      setWanted({
                        kind,
                        projectCode,
                        workerIds: rows.map((r) => r.workerId),
                        who: rows.length === 1 ? (rows[0]?.name ?? '') : `${rows.length} 人，同一原因`,
                        date,
                        wholeDay: rows.every((r) => r.recordCount === 0 && !r.fixing),
                      })
                    }
                  >
                    {kind === 'add' ? '补卡申请' : '登记请假'}
                  </Button>
                ))}
              </Can>
            ),
        }}
        emptyHint="当日没有符合条件的在场人员；可换一天，或检查闸机是否在线"
        columns={[
          {
            key: 'name',
            filter: 'text',
            sort: true,
            width: 104,
            locked: true,
            value: (r) => (
              <span className="per-face-name">
                <Face src={r.photo} size={20} />
                <Link
                  to={hrefOf('/SingleAttendance', { workerId: r.workerId, month: date?.slice(0, 7) })}
                  onClick={(event) => event.stopPropagation()}
                >
                  {r.name}
                </Link>
              </span>
            ),
          },
          { key: 'projectName', width: 140, hidden: !many, value: (r) => r.projectName },
          { key: 'teamName', width: 96, value: (r) => r.teamName },
          { key: 'corpName', width: 120, weak: true, value: (r) => r.corpName },
          {
            key: 'workType',
            filterKey: 'workRole',
            filter: 'single',
            options: roleOptions,
            width: 96,
            value: (r) => r.workTypeName,
          },
          { key: 'firstIn', sort: true, width: 84, value: (r) => minuteOfDay(r.firstIn) },
          {
            key: 'lastOut',
            sort: true,
            width: 96,
            value: (r) =>
              r.lastOut ? `${r.lastOut.slice(0, 10) > r.date ? '次日 ' : ''}${minuteOfDay(r.lastOut)}` : r.inside ? '场内' : '--',
          },
          {
            key: 'workHours',
            filter: 'numeric-range',
            sort: true,
            align: 'right',
            width: 76,
            value: (r) => (r.recordCount && !(r.pending && r.workHours === 0) ? r.workHours.toFixed(1) : '--'),
          },
          {
            key: 'results',
            filter: 'multi',
            options: resultOptions,
            width: 148,
            value: (r) => <DayWords row={r} rest={data?.rest} />,
          },
          { key: 'bar', width: 140, value: (r) => <DayBar spans={r.bar} /> },
          {
            key: 'recordCount',
            filter: 'numeric-range',
            sort: true,
            align: 'right',
            width: 76,
            value: (r) => r.recordCount,
          },
        ]}
      />
      <PageDrawer
        open={shown !== undefined}
        title={shown ? `${shown.name} ${dayWords(shown.date)}` : ''}
        onClose={() => setShown(undefined)}
        extra={
          shown && (
            <Link to={hrefOf('/CheckingDetail', { projectCode: shown.projectCode, workerId: shown.workerId, date: shown.date })}>
              考勤详情
            </Link>
          )
        }
      >
        {shown && <DayAccount day={{ projectCode: shown.projectCode, workerId: shown.workerId, date: shown.date }} name={shown.name} />}
      </PageDrawer>
      {wanted && <FixDrawer wanted={wanted} onClose={() => setWanted(undefined)} />}
    </ListShell>
  )
}

const dayRemark = (date: string, day: { running: boolean; rest: boolean } | undefined) =>
  [dayWords(date), ...(day?.rest ? ['休息日或停工，不考核'] : []), ...(day?.running ? ['当日未到日切，缺卡与缺勤日切后给出'] : [])].join(
    '，',
  )

const withCount = (label: string, count: number | undefined) => (count === undefined ? label : `${label} ${count}`)

function useRefreshByGates(projectCode: string | undefined): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(projectCode ? liveGatePass.of({ projectCode }) : undefined, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      refresh(dailyCounts)
    }, refreshAfterMs)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

interface UnitCount {
  corpCode: string
  corpName: string | null
  teamSysNo: string | null
  teamName: string | null
  projectName: string | null
  due: number
  came: number
}

/** Companies with their teams and the number of people who came. Over several sites a team name also shows its project, as names repeat. */
export function unitNodes(units: readonly UnitCount[], many: boolean): SideNode[] {
  return [...Map.groupBy(units, (u) => u.corpCode)].map(([corpCode, teams]) => ({
    key: `${corpCode}|`,
    title: teams[0]?.corpName ?? corpCode,
    count: teams.reduce((n, t) => n + t.came, 0),
    children: teams
      .filter((t) => t.teamSysNo !== null)
      .map((t) => ({
        key: `${corpCode}|${t.teamSysNo}`,
        title: [t.teamName ?? String(t.teamSysNo), ...(many && t.projectName ? [t.projectName] : [])].join(' · '),
        count: t.came,
      })),
  }))
}
