import { quarantineReasons } from '@zhugong/contract/attendance/facts'
import { type RecordRow, recordCounts, recordList } from '@zhugong/contract/attendance/records'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, FigureStrip, Tag } from '#kit/feedback.tsx'
import { ShareBar } from '#kit/filled.tsx'
import { thousands, time, timeOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Ledger } from './ledger-panel.tsx'
import { usePageParams } from './page-params.ts'
import { RecordFacts } from './record-facts.tsx'
import './attendance.css'

const tabs = [
  { value: 'all', label: '通行流水' },
  { value: 'waiting', label: '待核时间' },
  { value: 'stranger', label: '陌生人' },
  { value: 'suspicious', label: '可疑' },
  { value: 'ledger', label: '防篡改台账' },
]
const quarantineOptions = Object.entries(quarantineReasons).map(([value, label]) => ({ value, label }))
const directionOptions = [
  { value: '01', label: '入场' },
  { value: '02', label: '出场' },
]

/** Raw records of the gates and proof that they are unchanged. Records cannot be edited. */
export default function RecordPage() {
  const projectCode = useProjectCode()
  const [params, setParams] = usePageParams()
  const tab = params.get('tab') ?? 'all'
  const counts = useCall(recordCounts, { query: { projectCode } }, { quiet: true, keepPrevious: true, everyMs: 60_000 })
  const { data } = counts
  const switcher = (
    <Segmented
      value={tab}
      options={tabs.map((t) => ({ ...t, label: withCount(t, data) }))}
      onChange={(value) => setParams({ tab: value === 'all' ? undefined : String(value), no: undefined })}
    />
  )
  return (
    <ListShell
      remark="设备怎样上报就怎样保存，任何人都不能修改；更正另记一条"
      strip={
        <FigureStrip
          loading={!data}
          items={[
            { label: '今日通行', value: thousands(data?.total), unit: '次', remark: data ? `${thousands(data.people)} 人` : undefined },
            { label: '补传', value: thousands(data?.late), unit: '条', remark: '到达晚于通行 10 分钟以上' },
            {
              label: '可疑',
              value: thousands(data?.suspicious),
              unit: '条',
              tone: data?.suspicious ? 'warning' : undefined,
              remark: '比对分低于阈值，照常计入',
            },
            {
              label: '待核时间',
              value: thousands(data?.waiting),
              unit: '条',
              tone: data?.waiting ? 'warning' : undefined,
              remark: '设备时钟不对或过早，暂不计入',
              href: hrefOf('/checkRecord', { tab: 'waiting' }),
            },
          ]}
        />
      }
      above={tab === 'all' && data && data.total > 0 ? <DayOfGates data={data} /> : undefined}
    >
      {tab === 'ledger' ? (
        <Card flush className="att-ledger">
          <div className="zg-toolbar">{switcher}</div>
          <Ledger projectCode={projectCode} no={params.get('no') ?? undefined} />
        </Card>
      ) : (
        <Records key={tab} tab={tab} projectCode={projectCode} switcher={switcher} />
      )}
    </ListShell>
  )
}

interface Counts {
  waiting: number
  suspicious: number
  stranger: number
}
const withCount = (tab: { value: string; label: string }, data: Counts | undefined) => {
  const n = data && (tab.value === 'waiting' ? data.waiting : undefined)
  return n ? `${tab.label} ${n}` : tab.label
}

/** Records of the day by hour and gate; a gate that is down shows at once. */
function DayOfGates({
  data,
}: {
  data: {
    byHour: readonly { hour: string; inCount: number; outCount: number }[]
    gates: readonly { terminalCode: string; channel: string | null; count: number; late: number }[]
    byType: readonly { attendType: string; name: string | null; count: number }[]
    total: number
  }
}) {
  const peak = Math.max(1, ...data.byHour.map((h) => h.inCount + h.outCount))
  return (
    <div className="att-gates">
      <div className="hours" role="img" aria-label="今日每小时进出次数">
        {data.byHour.map((h) => (
          <span key={h.hour} title={`${h.hour} 时：进 ${h.inCount}，出 ${h.outCount}`}>
            <ShareBar part={h.outCount} whole={peak} px={36} className="out" />
            <ShareBar part={h.inCount} whole={peak} px={36} className="in" />
            <small>{Number(h.hour) % 6 === 0 ? h.hour : ''}</small>
          </span>
        ))}
      </div>
      <ul>
        {data.gates.slice(0, 6).map((g) => (
          <li key={g.terminalCode}>
            <Link to={hrefOf('/checkRecord', { terminalCode: g.terminalCode })}>{g.channel ?? g.terminalCode}</Link>
            <b>{thousands(g.count)}</b>
            {g.late > 0 && <span className="zg-2">补传 {thousands(g.late)}</span>}
          </li>
        ))}
      </ul>
      <ul>
        {data.byType.map((t) => (
          <li key={t.attendType}>
            <Link to={hrefOf('/checkRecord', { attendType: t.attendType })}>{t.name ?? t.attendType}</Link>
            <b>{((t.count / data.total) * 100).toFixed(1)} %</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

const scopes: Readonly<Record<string, { waiting?: true; stranger?: true; suspicious?: true }>> = {
  waiting: { waiting: true },
  stranger: { stranger: true },
  suspicious: { suspicious: true },
}

function Records({ tab, projectCode, switcher }: { tab: string; projectCode: string; switcher: React.ReactNode }) {
  const [shown, setShown] = useState<RecordRow>()
  const list = useListPage(recordList, {
    scope: useMemo(() => ({ projectCode, ...scopes[tab] }), [projectCode, tab]),
    own: useMemo(() => ['tab', 'no'], []),
  })
  const dicts = useDicts('attendanceType', 'attendanceSource')
  const columns: ColumnOf<typeof recordList>[] = [
    { key: 'picture', width: 44, value: (r) => r.picture && <Thumb src={r.picture} name={`${r.name} ${r.date}`} width={22} height={28} /> },
    {
      key: 'name',
      width: 104,
      filter: 'text',
      sort: true,
      locked: true,
      value: (r) =>
        r.workerId ? (
          <Link
            to={hrefOf('/SingleAttendance', { workerId: r.workerId, month: r.date.slice(0, 7) })}
            onClick={(event) => event.stopPropagation()}
          >
            {r.name}
          </Link>
        ) : (
          <Tag tone="warning">{r.name}</Tag>
        ),
    },
    { key: 'projectName', width: 150, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 100, value: (r) => r.teamName },
    { key: 'corpName', width: 140, hidden: true, value: (r) => r.corpName },
    { key: 'date', width: 152, filter: 'datetime-range', sort: true, locked: true, value: (r) => time(r.date) },
    {
      key: 'receivedAt',
      width: 116,
      filter: 'datetime-range',
      sort: true,
      value: (r) => (
        <span title={time(r.receivedAt)} className={r.late ? 'att-late' : 'zg-2'}>
          {r.receivedAt.slice(0, 10) === r.date.slice(0, 10) ? timeOfDay(r.receivedAt) : r.receivedAt.slice(5, 16)}
        </span>
      ),
    },
    { key: 'direction', width: 76, filter: 'single', options: directionOptions, value: (r) => r.directionName },
    { key: 'attendType', width: 110, filter: 'multi', options: dicts.options('attendanceType'), value: (r) => r.attendTypeName },
    { key: 'channel', width: 100, filter: 'text', value: (r) => r.channel },
    { key: 'terminalCode', width: 130, filter: 'text', weak: true, value: (r) => r.terminalCode },
    {
      key: 'sim',
      width: 80,
      align: 'right',
      filter: 'numeric-range',
      value: (r) =>
        r.sim === null ? '--' : <span className={r.flags.includes('suspicious') ? 'tone-warning' : ''}>{r.sim.toFixed(1)}</span>,
    },
    { key: 'source', width: 120, filter: 'multi', options: dicts.options('attendanceSource'), weak: true, value: (r) => r.sourceName },
    { key: 'marks', width: 130, value: (r) => <Marks row={r} /> },
    {
      key: 'quarantine',
      width: 150,
      filter: 'multi',
      options: quarantineOptions,
      hidden: tab !== 'waiting',
      value: (r) => r.quarantineText,
    },
    { key: 'seq', width: 88, align: 'right', sort: true, value: (r) => thousands(r.seq) },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        name={`attendance-records-${tab}`}
        exportTitle="考勤记录"
        toolbar={switcher}
        search={{ key: 'name', placeholder: '姓名' }}
        onRow={setShown}
        emptyHint={tab === 'waiting' ? '没有待核的记录，设备时钟都正常' : '没有符合条件的通行记录；闸机接入后实时出现'}
      />
      <PageDrawer
        open={shown !== undefined}
        size={560}
        title={shown ? `${shown.name} ${time(shown.date)}` : ''}
        onClose={() => setShown(undefined)}
      >
        {shown && <RecordFacts row={shown} />}
      </PageDrawer>
    </>
  )
}

const words: Readonly<Record<string, string>> = {
  stranger: '陌生人',
  refused: '未放行',
  notEntered: '未进场',
  exited: '已退场',
  suspicious: '可疑',
}

export function Marks({ row }: { row: RecordRow }) {
  const marks = row.flags.map((f) => words[f] ?? f)
  if (!marks.length && !row.lateData && !row.quarantine && !row.duplicated) return null
  return (
    <span className="att-results">
      {row.quarantine && (
        <Tag tone="warning" icon={false}>
          待核
        </Tag>
      )}
      {marks.map((m) => (
        <Tag key={m} tone={m === '可疑' || m === '陌生人' ? 'warning' : 'danger'} icon={false}>
          {m}
        </Tag>
      ))}
      {row.lateData && (
        <Tag tone="running" icon={false}>
          补传
        </Tag>
      )}
      {row.duplicated > 0 && <span className="zg-2">重复 {row.duplicated}</span>}
    </span>
  )
}
