import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { declaredNames } from '@zhugong/contract/prevention/codes'
import { listDeclarations, listHealthy } from '@zhugong/contract/prevention/endpoints'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Empty, FigureStrip, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { day, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import type { Column } from '#kit/table-columns.tsx'
import { degrees, HiddenHealth } from './words.tsx'
import './prevention.css'

type Declaration = OutputFor<typeof listDeclarations>['list'][number]
type Person = OutputFor<typeof listHealthy>['list'][number]
const tones: Readonly<Record<string, Tone>> = { '1': 'fine', '2': 'warning', '3': 'danger' }
const stateOptions = Object.entries(declaredNames).map(([value, label]) => ({ value, label }))
const tabs = [
  { value: 'declared', label: '健康申报' },
  { value: 'people', label: '人员台账' },
]

/** Symptom declarations, absences, and state of the site. */
export default function EpidemicPage() {
  const projectCode = useProjectCode()
  if (projectCode === '*') return <ProjectPicker why="健康信息按项目查看" />
  return <Epidemic projectCode={projectCode} />
}

function Epidemic({ projectCode }: { projectCode: string }) {
  const query = usePageQuery()
  const { path } = usePage()
  const go = useGo()
  const tab = query.get('tab') ?? 'declared'
  const [contact, setContact] = useState<Person>()
  const { data } = useCall(listDeclarations, { query: { projectCode, size: 1 } }, { quiet: true, keepPrevious: true })
  const switcher = <Segmented value={tab} options={tabs} onChange={(next) => go(path, { tab: String(next) }, { replace: true })} />
  const mode = data?.mode
  return (
    <ListShell
      remark="一人的健康档案在人员档案，这里看全场"
      titleActions={<Button onClick={() => go('/tempAlarmSet')}>{mode?.on ? '关闭防疫模式' : '开启防疫模式'}</Button>}
      strip={
        <FigureStrip
          loading={!data}
          items={[
            {
              label: '防疫模式',
              value: mode?.on ? '开' : '关',
              tone: mode?.on ? 'warning' : undefined,
              remark: mode?.on ? mode.reason : '不要求申报，不追测',
            },
            {
              label: '今日已申报',
              value: thousands(data?.figures.declared),
              unit: '人',
              remark: mode?.on ? `应申报 ${thousands(data?.figures.due)} 人` : undefined,
            },
            { label: '需观察', value: thousands(data?.figures.watch), unit: '人', tone: data?.figures.watch ? 'warning' : undefined },
            { label: '异常', value: thousands(data?.figures.unwell), unit: '人', tone: data?.figures.unwell ? 'danger' : undefined },
          ]}
        />
      }
      above={
        <>
          {mode?.on && (
            <Notice tone="warning">
              防疫模式自 {time(mode.since)} 由 {mode.by ?? '系统'} 开启{mode.until ? `，至 ${mode.until}` : ''}：{mode.reason}
            </Notice>
          )}
          {data && !data.health && <HiddenHealth />}
        </>
      }
    >
      {data?.health === false ? (
        <Empty text="健康信息只对健康管理人员开放" hint="上方为全场汇总；查看明细可向本组管理员申请“查看健康信息”" />
      ) : tab === 'declared' ? (
        <Declarations projectCode={projectCode} switcher={switcher} />
      ) : (
        <People projectCode={projectCode} switcher={switcher} onContact={setContact} />
      )}
      <PageDrawer
        open={contact !== undefined}
        size={640}
        title={contact ? `${contact.name} 的接触人员` : ''}
        onClose={() => setContact(undefined)}
      >
        {contact && <Contacts projectCode={projectCode} workerId={contact.workerId} />}
      </PageDrawer>
    </ListShell>
  )
}

const nameColumn = <Row extends { workerId: string; name: string }>(): Column<Row> => ({
  key: 'name',
  title: '姓名',
  width: 92,
  filter: 'text',
  locked: true,
  value: (r) => <Link to={hrefOf('/personnelSystem/info/virusProtect', { id: r.workerId })}>{r.name}</Link>,
})

function Declarations({ projectCode, switcher }: { projectCode: string; switcher: React.ReactNode }) {
  const list = useListPage(listDeclarations, {
    scope: useMemo(() => ({ projectCode }), [projectCode]),
    own: useMemo(() => ['tab'], []),
  })
  const columns: Column<Declaration>[] = [
    nameColumn<Declaration>(),
    { key: 'teamName', title: '班组', width: 110, value: (r) => r.teamName },
    { key: 'corpName', title: '单位', width: 150, value: (r) => r.corpName },
    {
      key: 'state',
      title: '结果',
      width: 96,
      filter: 'multi',
      options: stateOptions,
      value: (r) => (
        <Tag tone={tones[r.state] ?? 'neutral'} icon={false}>
          {r.stateName}
        </Tag>
      ),
    },
    { key: 'temperature', title: '体温 °C', width: 84, align: 'right', value: (r) => degrees(r.temperature) },
    { key: 'symptoms', title: '症状', width: 160, value: (r) => r.symptoms },
    { key: 'trip', title: '行程', width: 160, value: (r) => r.trip },
    { key: 'declared', title: '申报时间', width: 152, filter: 'date-range', value: (r) => time(r.time) },
    { key: 'by', title: '登记人', width: 84, value: (r) => r.by },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="条"
      name="epidemic-declarations"
      toolbar={switcher}
      search={{ key: 'name', placeholder: '姓名' }}
      emptyHint="没有申报；在人员档案的健康页登记申报后出现在这里"
    />
  )
}

function People({
  projectCode,
  switcher,
  onContact,
}: {
  projectCode: string
  switcher: React.ReactNode
  onContact: (person: Person) => void
}) {
  const dicts = useDicts('healthStatus')
  const list = useListPage(listHealthy, { scope: useMemo(() => ({ projectCode }), [projectCode]), own: useMemo(() => ['tab'], []) })
  const columns: Column<Person>[] = [
    nameColumn<Person>(),
    { key: 'teamName', title: '班组', width: 110, value: (r) => r.teamName },
    { key: 'corpName', title: '单位', width: 150, value: (r) => r.corpName },
    {
      key: 'healthStatus',
      title: '健康状况',
      width: 120,
      filter: 'multi',
      options: dicts.options('healthStatus'),
      value: (r) => r.healthStatusName,
    },
    { key: 'doses', title: '疫苗', width: 110, value: (r) => (r.doses ? `${r.doses} 剂，${r.lastDose ?? ''}` : '未登记') },
    { key: 'examDate', title: '体检', width: 104, value: (r) => r.examDate },
    { key: 'lastDeclared', title: '最近申报', width: 152, value: (r) => time(r.lastDeclared) },
    {
      key: 'state',
      title: '申报结果',
      width: 96,
      value: (r) =>
        r.state && (
          <Tag tone={tones[r.state] ?? 'neutral'} icon={false}>
            {declaredNames[r.state]}
          </Tag>
        ),
    },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="人"
      name="epidemic-people"
      toolbar={switcher}
      search={{ key: 'name', placeholder: '姓名' }}
      emptyHint="还没有登记健康信息的人员"
      actions={(r) => [{ label: '接触人员', onClick: () => onContact(r) }]}
    />
  )
}

/** Contacts of a person by team and room; every access is audited. */
function Contacts({ projectCode, workerId }: { projectCode: string; workerId: string }) {
  const list = useListPage(listHealthy, {
    scope: useMemo(() => ({ projectCode, contactOf: workerId }), [projectCode, workerId]),
    inUrl: false,
  })
  const columns: Column<Person>[] = [
    nameColumn<Person>(),
    { key: 'teamName', title: '班组', width: 110, value: (r) => r.teamName },
    { key: 'days', title: '同班组同日在场', width: 120, align: 'right', value: (r) => (r.days === null ? null : `${r.days} 天`) },
    { key: 'state', title: '申报结果', width: 96, value: (r) => r.state && declaredNames[r.state] },
  ]
  return (
    <>
      <Notice tone="info">近 14 天（至 {day(Date.now())}）与此人同班组同日在场的人员；每次打开都记入访问记录</Notice>
      <div className="pv-table">
        <DataTable list={list} columns={columns} unit="人" name="epidemic-contacts" emptyHint="没有同班组同日在场的人员" />
      </div>
    </>
  )
}
