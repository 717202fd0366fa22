import { permissionModules } from '@zhugong/contract/access/codes'
import { groupRoleStat } from '@zhugong/contract/access/group-roles'
import { groupTypeName, groupTypeOptions } from '@zhugong/contract/access/group-types'
import { listSight, setSight } from '@zhugong/contract/access/sight'
import { seeingSources, seenProjects, seerList, usersByProject } from '@zhugong/contract/access/users'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, ErrorPanel, Known, Notice, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { showFailure } from '#kit/http.ts'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { saveText } from './save-text.ts'
import { MayChangeSight, SightDrawer, SightRules, type SightStart } from './sight-drawer.tsx'
import { useOwnChoices } from './temp-role-drawer.tsx'
import './access.css'

const ways = [
  { value: 'person', label: '按人员' },
  { value: 'role', label: '按角色' },
  { value: 'project', label: '按项目' },
]
const sourceName = (source: string): string => seeingSources.find((one) => one.value === source)?.label ?? '不可见'

/** Visibility of projects: who can see a project and why, and what a person can see. */
export default function VisiblePage() {
  const [way, setWay] = useState('person')
  const [chosen, setChosen] = useState<Readonly<Record<string, string | undefined>>>({})
  const choices = useOwnChoices()
  const stat = useCall(groupRoleStat, {}, { quiet: true })
  const roles = (stat.data?.roles ?? []).map((one) => ({ value: one.id, label: one.name }))
  const options = way === 'person' ? choices.people : way === 'role' ? roles : choices.projects
  const id = chosen[way] ?? options[0]?.value
  return (
    <PageShell remark="看得见哪些项目与模块；能做什么由角色决定">
      <Card>
        <div className="acc-row">
          <Segmented aria-label="查看方式" value={way} options={ways} onChange={setWay} />
          <div className="acc-pick">
            <Choice
              aria-label="查看对象"
              clear={false}
              value={id}
              options={options}
              loading={choices.loading}
              onChange={(next) => setChosen({ ...chosen, [way]: next })}
            />
          </div>
        </div>
      </Card>
      {id === undefined ? (
        <Known of={[...choices.asked, stat]}>
          <Empty hint="本组还没有可选的对象" />
        </Known>
      ) : way === 'project' ? (
        <Seers key={id} projectCode={id} name={options.find((one) => one.value === id)?.label ?? id} />
      ) : (
        <Seen
          key={id}
          who={way === 'person' ? { memberId: id } : { roleId: id }}
          name={options.find((one) => one.value === id)?.label ?? ''}
        />
      )}
    </PageShell>
  )
}

/** All projects of the group with whether the person or role sees each; hidden ones are listed as well. */
function Seen({ who, name }: { who: { memberId?: string; roleId?: string }; name: string }) {
  const [start, setStart] = useState<SightStart>()
  const hand = useCall(listSight, { query: { ...who, size: mostRules } }, { quiet: true })
  const { data, error, isPending, refetch } = useCall(seenProjects, { query: who }, { quiet: true })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (isPending) return <TableSkeleton rows={6} columns={4} />
  const rules = hand.data?.list ?? []
  const subject = who.memberId
    ? { kind: 'member' as const, memberId: who.memberId, name }
    : { kind: 'role' as const, roleId: who.roleId ?? '', name: `角色“${name}”` }
  const change = (one: { projectCode: string; name: string }, shows: boolean) => (
    <MayChangeSight>
      <Button type="link" size="small" onClick={() => setStart({ subject, projectCode: one.projectCode, projectName: one.name, shows })}>
        {shows ? '增加' : '移除'}
      </Button>
    </MayChangeSight>
  )
  const areas = [...Map.groupBy(data, (one) => one.areaName)]
  const seen = data.filter((one) => one.modules.length > 0)
  return (
    <>
      <Notice tone={seen.length ? 'info' : 'warning'}>
        可见 {seen.length} / {data.length} 个项目
        {seen.length === 0 && '：没有在生效的角色'}
      </Notice>
      {start && <SightDrawer start={start} onClose={() => setStart(undefined)} />}
      {rules.length > 0 && (
        <Card title="手工增减" remark="移除优先于任何来源；增加只及其角色已有的权限">
          <SightRules rules={rules} of="subject" />
        </Card>
      )}
      {areas.map(([area, projects]) => (
        <Card key={area} title={area} remark={`${projects.length} 个项目`}>
          <ul className="acc-list">
            {projects.map((one) => {
              const edits = one.modules.filter((m) => m.may === 'edit').map((m) => m.name)
              const views = one.modules.filter((m) => m.may === 'view').map((m) => m.name)
              return (
                <li key={one.projectCode}>
                  {one.name} <span className="acc-code">{one.projectCode}</span>
                  {one.modules.length === 0 ? (
                    <Tag tone="danger">{isRemoved(rules, one.projectCode) ? '手工移除' : '不可见'}</Tag>
                  ) : (
                    <Tag tone={edits.length ? 'fine' : 'neutral'}>{edits.length ? '可见' : '只读'}</Tag>
                  )}
                  {change(one, one.modules.length === 0)}
                  <span className="why">
                    来源：{sourceName(one.source)}
                    {one.until && `，至 ${one.until}`}
                    {edits.length > 0 && `；可办理 ${edits.join('、')}`}
                    {views.length > 0 && `；只读 ${views.join('、')}`}
                    {one.modules.length === 0 && one.source === 'none' && who.memberId && (
                      <>
                        {' '}
                        <Link to="/system/jurisdiction">给他角色</Link>
                      </>
                    )}
                    {one.source === 'role' && who.roleId && (
                      <>
                        {' '}
                        <Link to={hrefOf('/system/jurisdictionSet', { roleId: who.roleId })}>改关联项目</Link>
                      </>
                    )}
                  </span>
                </li>
              )
            })}
          </ul>
        </Card>
      ))}
    </>
  )
}

const mostRules = 500
const isRemoved = (rules: readonly { projectCode: string; shows: boolean; over: boolean }[], code: string): boolean =>
  rules.some((one) => one.projectCode === code && !one.shows && !one.over)

/** People who can see a project: members of the caller's group, or of every group for the platform. */
function Seers({ projectCode, name }: { projectCode: string; name: string }) {
  const [start, setStart] = useState<SightStart>()
  const [saving, setSaving] = useState(false)
  const hand = useCall(listSight, { query: { projectCode, size: mostRules } }, { quiet: true })
  const list = useListPage(seerList, { scope: { projectCode }, inUrl: false })
  const all = useCall(usersByProject, { query: { projectCode, size: 1 } }, { quiet: true })
  const save = async () => {
    setSaving(true)
    try {
      await saveSeers(list.query, projectCode, name)
    } catch (error) {
      showFailure(error)
    }
    setSaving(false)
  }
  return (
    <>
      {start && <SightDrawer start={start} onClose={() => setStart(undefined)} />}
      <Card
        title="手工增减"
        remark="移除优先于任何来源"
        actions={
          <MayChangeSight>
            <Button
              onClick={() => setStart({ subject: { kind: 'party', name: '参建类型' }, projectCode, projectName: name, shows: false })}
            >
              对参建类型隐藏模块
            </Button>
          </MayChangeSight>
        }
      >
        <SightRules rules={hand.data?.list ?? []} of="project" />
      </Card>
      <Card
        title={all.data ? `${all.data.total} 人能看到此项目` : '能看到此项目的人'}
        remark={all.data?.sources.map((one) => `${sourceName(one.source)} ${one.people}`).join('，')}
        actions={
          list.total > 0 && (
            <Button loading={saving} onClick={() => void save()}>
              导出名单
            </Button>
          )
        }
        flush
        className="acc-seers"
      >
        <DataTable
          list={list}
          name="visible-seers"
          rowKey="memberId"
          unit="人"
          search={{ key: 'userName', placeholder: '姓名' }}
          emptyHint="本组没有人能看到此项目"
          columns={seerColumns}
          actions={(one) => [
            {
              label: '移除',
              needs: setSight,
              onClick: () =>
                setStart({
                  subject: { kind: 'member', memberId: one.memberId, name: one.userName },
                  projectCode,
                  projectName: name,
                  shows: false,
                }),
            },
          ]}
        />
      </Card>
    </>
  )
}

const seerColumns: ColumnOf<typeof seerList>[] = [
  { key: 'userName', width: 100, locked: true, sort: true, filter: 'text', value: (one) => one.userName },
  { key: 'groupName', width: 160, sort: true, filter: 'text', value: (one) => one.groupName },
  { key: 'groupsType', width: 90, filter: 'multi', options: groupTypeOptions, value: (one) => groupTypeName(one.groupsType) },
  {
    key: 'source',
    width: 108,
    filter: 'multi',
    options: seeingSources,
    value: (one) => <Tag tone={one.source === 'temporary' ? 'running' : 'neutral'}>{sourceName(one.source)}</Tag>,
  },
  {
    key: 'modules',
    width: 180,
    filter: 'multi',
    options: permissionModules.map((one) => ({ value: one.name, label: one.name })),
    value: (one) => one.modules.join('、'),
  },
  { key: 'until', width: 110, sort: true, filter: 'date-range', value: (one) => one.until },
  { key: 'lastSeen', width: 150, sort: true, filter: 'date-range', value: (one) => one.lastSeen },
]

/** Exports all rows of the filtered list to a file, reading page by page. */
async function saveSeers(query: Readonly<Record<string, unknown>>, projectCode: string, name: string): Promise<void> {
  const rows: string[][] = []
  for (let page = 1; ; page++) {
    const { list, total } = await call(usersByProject, { query: { ...query, projectCode, page, size: seersAPage } })
    for (const one of list)
      rows.push([
        one.userName,
        one.groupName,
        groupTypeName(one.groupsType),
        sourceName(one.source),
        one.modules.join('、'),
        one.until ?? '',
        one.lastSeen ?? '',
      ])
    if (list.length === 0 || rows.length >= total) break
  }
  saveText(`${name}可见人员.csv`, [Object.values(seerList.columns), ...rows])
}
const seersAPage = 500
