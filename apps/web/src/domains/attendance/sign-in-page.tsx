import { type RecordRow, recordCounts, signInDoubts, signInList } from '@zhugong/contract/attendance/records'
import { getSetting } from '@zhugong/contract/attendance/setting'
import { fillProject } from '@zhugong/contract/organisation/projects'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, FigureStrip, Known, Notice, Tag } from '#kit/feedback.tsx'
import { day, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { usePageParams } from './page-params.ts'
import './attendance.css'

/** Dictionary attendanceSource: signed in by phone. */
const phones = '3'
const tabs = [
  { value: '', label: '全部' },
  { value: 'waiting', label: '围栏外未计' },
  { value: 'suspicious', label: '比对可疑' },
]

/** Sign-ins by phone with their location and plausibility. The location is taken once at sign-in; nobody is tracked. */
export default function SignInPage() {
  const projectCode = useProjectCode()
  const [params, setParams] = usePageParams()
  const chip = params.get('chip') ?? ''
  const [selected, setSelected] = useState<string>()
  const go = useGo()
  const [folded, setFolded] = useState(false)
  const counts = useCall(recordCounts, { query: { projectCode, source: phones } }, { quiet: true, keepPrevious: true, everyMs: 60_000 })
  const setting = useCall(getSetting, { query: { projectCode, part: 'time' } }, { quiet: true, enabled: projectCode !== '*' })
  const list = useListPage(signInList, {
    scope: useMemo(
      () => ({
        projectCode,
        source: phones,
        waiting: chip === 'waiting' ? true : undefined,
        suspicious: chip === 'suspicious' ? true : undefined,
      }),
      [projectCode, chip],
    ),
    own: useMemo(() => ['chip'], []),
  })
  const { data } = counts
  const columns: ColumnOf<typeof signInList>[] = [
    { key: 'picture', width: 44, value: (r) => r.picture && <Thumb src={r.picture} name={`${r.name} ${r.date}`} width={22} height={28} /> },
    {
      key: 'name',
      width: 88,
      filter: 'text',
      locked: true,
      value: (r) => (r.workerId ? <Link to={hrefOf('/SingleAttendance', { workerId: r.workerId })}>{r.name}</Link> : r.name),
    },
    { key: 'projectName', width: 140, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 100, value: (r) => r.teamName ?? r.corpName },
    { key: 'date', width: 152, filter: 'datetime-range', sort: true, value: (r) => time(r.date) },
    { key: 'direction', width: 64, value: (r) => r.directionName },
    {
      key: 'place',
      width: 100,
      align: 'right',
      value: (r) => (r.fenceMetres === null ? '--' : r.fenceMetres === 0 ? '围栏内' : thousands(r.fenceMetres)),
    },
    { key: 'sim', width: 76, align: 'right', filter: 'numeric-range', value: (r) => r.sim?.toFixed(1) },
    { key: 'doubts', width: 130, value: (r) => <Doubts row={r} /> },
    {
      key: 'result',
      width: 104,
      value: (r) =>
        r.quarantine ? (
          <Tag tone="warning" icon={false}>
            {r.quarantineText}
          </Tag>
        ) : (
          <span className="tone-fine">有效</span>
        ),
    },
    { key: 'seq', width: 88, align: 'right', hidden: true, value: (r) => thousands(r.seq) },
  ]
  return (
    <ListShell
      remark="定位只在签到那一刻记录，不跟踪"
      titleActions={<Button onClick={() => setFolded(!folded)}>{folded ? '显示地图' : '收起地图'}</Button>}
      strip={
        <FigureStrip
          loading={!data}
          items={[
            { label: '今日签到人数', value: thousands(data?.people), unit: '人', remark: data ? `${thousands(data.total)} 次` : undefined },
            {
              label: '围栏外',
              value: thousands(data?.outside),
              unit: '次',
              tone: data?.outside ? 'warning' : undefined,
              remark: '保留记录，暂不计入',
            },
            {
              label: '可疑',
              value: thousands(data?.suspicious),
              unit: '次',
              tone: data?.suspicious ? 'warning' : undefined,
              remark: '比对分低于阈值',
            },
            { label: '关键岗位已签到', value: thousands(data?.keyPosts), unit: '人', remark: data?.date },
          ]}
        />
      }
      above={
        setting.data && setting.data.allowMobile === false ? (
          <Notice tone="info" actions={<Link to="/workerCheck/checkTime">考勤方式</Link>}>
            本项目未开启移动端打卡：场地有围挡和闸机的项目以闸机为准，这里只列已有的签到
          </Notice>
        ) : undefined
      }
      right={
        folded || projectCode === '*' ? undefined : (
          <Card title="签到位置" remark="点与列表相互对应" className="att-map" flush>
            <Places projectCode={projectCode} rows={list.rows} selected={selected} onSelect={setSelected} />
          </Card>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        exportTitle="签到记录"
        toolbar={<Segmented value={chip} options={tabs} onChange={(value) => setParams({ chip: String(value) || undefined })} />}
        search={{ key: 'name', placeholder: '姓名' }}
        onRow={(r) => setSelected(r.id)}
        rowClass={(r) => (r.id === selected ? 'zg-row-chosen' : '')}
        emptyHint="开启移动端打卡的项目，人员用手机签到后出现在这里"
        actions={(r) => [
          r.workerId !== null && {
            label: '当日',
            onClick: () => go('/CheckingDetail', { projectCode: r.projectCode, workerId: r.workerId ?? '', date: r.date.slice(0, 10) }),
          },
        ]}
      />
    </ListShell>
  )
}

export function Doubts({ row }: { row: RecordRow }) {
  if (row.doubts.length === 0) return <span className="zg-2">正常</span>
  return (
    <span className="att-results">
      {row.doubts.map((d) => (
        <Tag key={d} tone={d === 'sameSpot' ? 'danger' : 'warning'} icon={false}>
          {signInDoubts[d as keyof typeof signInDoubts]}
        </Tag>
      ))}
    </span>
  )
}

function Places({
  projectCode,
  rows,
  selected,
  onSelect,
}: {
  projectCode: string
  rows: readonly RecordRow[]
  selected: string | undefined
  onSelect: (id: string) => void
}) {
  const project = useCall(fillProject, { params: { projectCode } }, { quiet: true, staleMs: 600_000 })
  const rule = project.data?.areaRule
  const ring = rule && 'points' in rule ? rule.points.map((p) => [p.lng, p.lat] as const) : rule ? circle(rule.center, rule.radius) : []
  const placed = rows.flatMap((r) => (r.lng === null || r.lat === null ? [] : [{ row: r, at: [r.lng, r.lat] as const }]))
  if (placed.length === 0 && ring.length === 0)
    return (
      <Known of={project}>
        <Empty small text="没有可画的位置" hint={`${day(Date.now())} 没有签到，项目也未画围栏`} />
      </Known>
    )
  return (
    <SiteMap
      label="签到位置与项目围栏"
      height="100%"
      selected={selected}
      areas={ring.length ? [{ id: 'fence', ring, label: '项目围栏', kind: 'fence' }] : []}
      points={placed.map(({ row, at }) => ({
        id: row.id,
        at,
        state: row.quarantine ? 'alarm' : row.doubts.length ? 'warning' : 'person',
        label: row.name,
      }))}
      onPoint={onSelect}
    />
  )
}

/** Circular geofence as a ring of coordinates. */
function circle({ lng, lat }: { lng: number; lat: number }, radius: number): (readonly [number, number])[] {
  const perDegree = 111_195
  return Array.from({ length: 48 }, (_, i) => {
    const a = (i / 48) * 2 * Math.PI
    return [lng + (Math.cos(a) * radius) / (perDegree * Math.cos((lat * Math.PI) / 180)), lat + (Math.sin(a) * radius) / perDegree] as const
  })
}
