import { PlusOutlined } from '@ant-design/icons'
import { createRole, removeRole, roleList } from '@zhugong/contract/access/endpoints'
import { groupTypeName, groupTypeOptions, groupTypes } from '@zhugong/contract/access/group-types'
import { createTempRole, endTempRole, replaceRole, type TempRole, tempRoleList, updateTempRole } from '@zhugong/contract/access/role-work'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Notice, Tag } from '#kit/feedback.tsx'
import { useHistory } from '#kit/history.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CompareDrawer } from './compare-drawer.tsx'
import { lastDayOf } from './delegation-words.ts'
import { ReplaceDrawer } from './replace-drawer.tsx'
import type { Role } from './role-words.ts'
import { ExtendTempDrawer, NewTempDrawer, TempState, tempStateOptions, useEndTemp } from './temp-role-drawer.tsx'

const tabs = [
  { value: 'template', label: '角色模板' },
  { value: 'group', label: '组内角色' },
  { value: 'temporary', label: '临时角色' },
]

/** Roles, how they differ and who has them. */
export default function RoleListPage() {
  const given = new URLSearchParams(usePage().search).get('tab') ?? 'template'
  const tab = tabs.some((one) => one.value === given) ? given : 'template'
  const go = useGo()
  const above = (
    <>
      <Segmented
        aria-label="角色种类"
        value={tab}
        options={tabs}
        onChange={(next) => go('/rolePermissionList', { tab: next }, { replace: true })}
      />
      <Notice tone="info">一个人的权限是其各角色权限的合集；每项权限只在含有它的那些角色的范围内有效，不取最宽的角色</Notice>
    </>
  )
  return tab === 'temporary' ? <Temporary above={above} /> : <Roles key={tab} view={tab === 'group' ? 'group' : 'template'} above={above} />
}

function Roles({ view, above }: { view: 'template' | 'group'; above: React.ReactNode }) {
  const list = useListPage(roleList, { scope: { view }, own: ['tab'], defaultSort: '-updateTime', defaultSize: 10 })
  const go = useGo()
  const dicts = useDicts('roleScope', 'dataScope')
  const isPlatform = useGroupType() === groupTypes.platform
  const [compared, setCompared] = useState<readonly Role[]>()
  const [replaced, setReplaced] = useState<Role>()
  const remove = useAct(removeRole, { success: '角色已删除' })
  const history = useHistory()
  const edits = view === 'template' ? '/rolePermissionEdit' : '/system/jurisdictionSet'
  const columns: ColumnOf<typeof roleList>[] = [
    {
      key: 'name',
      width: 150,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => (
        <>
          {r.name} {r.administrator && <Tag tone="warning">管理员</Tag>}
        </>
      ),
    },
    ...(view === 'template'
      ? [
          {
            key: 'roleScope' as const,
            width: 130,
            filter: 'multi' as const,
            options: dicts.options('roleScope').slice(0, 4),
            value: (r: Role) => dicts.name('roleScope', r.roleScope),
          },
        ]
      : [
          { key: 'groupName' as const, width: 180, filter: 'text' as const, value: (r: Role) => r.groupName },
          { key: 'templateName' as const, width: 120, value: (r: Role) => r.templateName },
          {
            key: 'drift' as const,
            width: 110,
            align: 'right' as const,
            filter: 'single' as const,
            options: [
              { value: '1', label: '有差异' },
              { value: '0', label: '一致' },
            ],
            value: (r: Role) => (r.templateName === null ? '--' : r.drift ? <span className="tone-warning">{r.drift} 项</span> : '一致'),
          },
        ]),
    { key: 'groupsType', width: 96, filter: 'single', options: groupTypeOptions, value: (r) => groupTypeName(r.groupsType) },
    { key: 'dataScope', width: 110, value: (r) => dicts.name('dataScope', r.dataScope) },
    { key: 'functionCount', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.functionCount },
    { key: 'userCount', width: 88, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.userCount },
    {
      key: 'narrowed',
      width: 104,
      align: 'right',
      filter: 'single',
      options: [
        { value: '1', label: '有收窄' },
        { value: '0', label: '无收窄' },
      ],
      value: (r) => r.narrowed || null,
    },
    {
      key: 'builtIn',
      width: 80,
      filter: 'single',
      options: [
        { value: '1', label: '内置' },
        { value: '0', label: '自建' },
      ],
      value: (r) => (r.builtIn ? '内置' : '自建'),
    },
    { key: 'updateTime', width: 160, sort: true, filter: 'date-range', value: (r) => r.updateTime },
  ]
  const drop = (r: Role) =>
    r.userCount > 0
      ? setReplaced(r)
      : void remove.afterRequesting(
          { thing: `删除角色 ${r.name}`, consequence: '没有人使用此角色，删除后不能恢复。', verb: '删除角色', keep: '保留' },
          { params: { id: r.id } },
        )
  const mayChange = (r: Role) => !r.builtIn && (isPlatform ? view === 'template' : r.groupName !== null)
  return (
    <ListShell
      above={above}
      actions={
        <Can call={createRole}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(edits, { new: '1' })}>
            新增角色
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        name={`role-${view}`}
        unit="个"
        search={{ key: 'name', placeholder: '角色' }}
        onRow={(r) => go(edits, { roleId: r.id })}
        selection={{
          unit: '个',
          actions: (rows) => (
            <Button
              disabled={rows.length !== 2}
              title={rows.length === 2 ? undefined : '选两个角色来比较'}
              onClick={() => setCompared(rows)}
            >
              比较
            </Button>
          ),
        }}
        actions={(r) => [
          { label: mayChange(r) ? '编辑' : '查看', href: hrefOf(edits, { roleId: r.id }) },
          { label: '复制', needs: createRole, href: hrefOf(edits, { copyOf: r.id }) },
          history.row({ kind: 'role', object: r.id, name: r.name }),
          mayChange(r) && { label: '删除', danger: true, needs: r.userCount > 0 ? replaceRole : removeRole, onClick: () => drop(r) },
        ]}
      />
      {history.drawer}
      {compared && <CompareDrawer roles={compared} onClose={() => setCompared(undefined)} />}
      {replaced && <ReplaceDrawer role={replaced} onClose={() => setReplaced(undefined)} />}
    </ListShell>
  )
}

function Temporary({ above }: { above: React.ReactNode }) {
  const list = useListPage(tempRoleList, { own: ['tab'], defaultSize: 10 })
  const [open, setOpen] = useState<'new' | TempRole>()
  const end = useEndTemp()
  const history = useHistory()
  const columns: ColumnOf<typeof tempRoleList>[] = [
    { key: 'name', width: 140, locked: true, sort: true, filter: 'text', value: (t) => t.name },
    { key: 'groupName', width: 160, value: (t) => t.groupName },
    { key: 'people', width: 160, filter: 'text', filterKey: 'person', value: (t) => t.people.join('、') },
    { key: 'projects', width: 180, value: (t) => (t.projects === null ? '本组全部' : t.projectNames.join('、')) },
    { key: 'startTime', width: 104, sort: true, value: (t) => t.startTime.slice(0, 10) },
    { key: 'endTime', width: 150, sort: true, filter: 'date-range', value: (t) => lastDayOf(t.endTime) },
    { key: 'reason', width: 180, value: (t) => t.reason },
    { key: 'state', width: 92, filter: 'multi', options: tempStateOptions, value: (t) => <TempState state={t.state} /> },
    { key: 'grantBy', width: 96, value: (t) => t.grantBy },
  ]
  return (
    <ListShell
      above={above}
      actions={
        <Can call={createTempRole}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen('new')}>
            授予临时角色
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        name="temp-role"
        unit="个"
        search={{ key: 'name', placeholder: '名称' }}
        emptyHint="短期检查、代班用临时角色，到期自动收回"
        actions={(t) => [
          t.state !== 'over' && { label: '延期', needs: updateTempRole, onClick: () => setOpen(t) },
          t.state !== 'over' && { label: '现在结束', danger: true, needs: endTempRole, onClick: () => end(t) },
          history.row({ kind: 'tempRole', object: t.id, name: t.name }),
        ]}
      />
      {history.drawer}
      {open === 'new' && <NewTempDrawer onClose={() => setOpen(undefined)} />}
      {open && open !== 'new' && <ExtendTempDrawer role={open} onClose={() => setOpen(undefined)} />}
    </ListShell>
  )
}
