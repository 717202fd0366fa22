import { UserAddOutlined } from '@ant-design/icons'
import {
  addGroupUser,
  addToRole,
  changeRoles,
  extendMembers,
  type GroupUser,
  groupRoleStat,
  groupUserList,
  removeFromRole,
  removeGroupUser,
  roleSources,
  updateGroupUser,
} from '@zhugong/contract/access/group-roles'
import { createTempRole } from '@zhugong/contract/access/role-work'
import { getUser } from '@zhugong/contract/access/users'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useMe } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { lastDayOf, useDelegationWords } from './delegation-words.ts'
import { ExtendDrawer } from './extend-drawer.tsx'
import { LastDay } from './last-day.tsx'
import { MembershipDrawer } from './membership-drawer.tsx'
import { PendingJoins, requestedWords } from './pending-joins.tsx'
import { RightsDrawer } from './rights-drawer.tsx'
import { NewTempDrawer } from './temp-role-drawer.tsx'

const { Field } = formOf(addGroupUser, updateGroupUser, changeRoles, addToRole)

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'rights'; person: GroupUser }
  | { what: 'roles' | 'extra' | 'temporary' | 'extend'; people: readonly GroupUser[]; done: () => void }

const views = { administrator: '管理员', temporary: '临时角色', without: '无角色人员', ending: '7 日内到期' } as const
type View = keyof typeof views
const isView = (key: string): key is View => key in views

/** Members of the caller's group with their roles and end dates. */
export default function JurisdictionPage() {
  const list = useListPage(groupUserList, { defaultSize: 10 })
  const stat = useCall(groupRoleStat, {}, { quiet: true })
  const go = useGo()
  const me = useMe((state) => state.info)
  const [open, setOpen] = useState<Open>()
  const { out, leaveRole } = useRemovals()
  const history = useHistory()
  const s = stat.data
  const roleId = list.filters.roleId
  const select = (key: string | undefined) =>
    list.setFilters(
      key === undefined || key === '*'
        ? { roleId: undefined, view: undefined }
        : isView(key)
          ? { roleId: undefined, view: key }
          : { roleId: key, view: undefined },
    )
  const columns: ColumnOf<typeof groupUserList>[] = [
    { key: 'name', width: 100, locked: true, sort: true, filter: 'text', value: (m) => m.name },
    { key: 'account', width: 130, filter: 'text', value: (m) => m.account },
    { key: 'phone', width: 120, value: (m) => m.phone },
    { key: 'dept', width: 130, filter: 'text', value: (m) => m.departments.join('、') },
    { key: 'post', width: 110, filter: 'text', value: (m) => m.posts.join('、') },
    { key: 'roles', keeps: true, width: 220, value: (m) => <Roles person={m} /> },
    {
      key: 'projects',
      keeps: true,
      width: 110,
      value: (m) => (m.roles.some((one) => !one.tied) || m.roles.length === 0 ? '本组全部' : '指定项目'),
    },
    { key: 'expireDate', keeps: true, width: 110, sort: true, filter: 'date-range', value: (m) => <LastDay day={m.deadline} /> },
    {
      key: 'source',
      keeps: true,
      width: 120,
      filter: 'multi',
      options: [...roleSources],
      value: (m) => m.sources.map((one) => roleSources.find((source) => source.value === one)?.label).join('、'),
    },
    {
      key: 'lastLogin',
      keeps: true,
      width: 160,
      sort: true,
      filter: 'date-range',
      value: (m) => m.lastLogin ?? <span className="zg-2">从未登录</span>,
    },
  ]
  const close = () => setOpen(undefined)
  return (
    <ListShell
      left={
        <SidePanel
          title="本组角色"
          selected={roleId ?? list.filters.view}
          all={{ title: '全部成员', count: s?.members }}
          onSelect={select}
          // Wait for all nodes: entries below the roles would shift when the roles arrive.
          nodes={
            s
              ? [
                  ...s.roles.filter((one) => one.own || one.users > 0).map((one) => ({ key: one.id, title: one.name, count: one.users })),
                  { key: 'administrator', title: views.administrator, count: s.administrators },
                  { key: 'temporary', title: views.temporary, count: s.temporary },
                  { key: 'without', title: views.without, count: s.without },
                ]
              : []
          }
          footer={
            <Button size="small" onClick={() => go('/system/jurisdictionSet', { roleId })}>
              {roleId ? '编辑此角色' : '维护角色'}
            </Button>
          }
        />
      }
      strip={
        <FigureStrip
          loading={!stat.data}
          items={[
            { label: '成员', value: s?.members, unit: '人', href: '/system/jurisdiction' },
            {
              label: '无角色',
              value: s?.without,
              unit: '人',
              remark: '能登录但什么也做不了',
              tone: s?.without ? 'warning' : undefined,
              href: '/system/jurisdiction?view=without',
            },
            {
              label: '7 日内到期',
              value: s?.ending,
              unit: '人',
              tone: s?.ending ? 'warning' : undefined,
              href: '/system/jurisdiction?view=ending',
            },
            { label: '临时角色', value: s?.temporary, unit: '人', href: '/system/jurisdiction?view=temporary' },
          ]}
        />
      }
      actions={
        <>
          <PendingJoins />
          <Can call={createTempRole}>
            <Button onClick={() => setOpen({ what: 'temporary', people: [], done: () => undefined })}>授予临时角色</Button>
          </Can>
          <Can call={addGroupUser}>
            <Button type="primary" icon={<UserAddOutlined />} onClick={() => setOpen({ what: 'add' })}>
              添加成员
            </Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="人"
        search={{ key: 'name', placeholder: '姓名' }}
        filterWords={{
          view: { title: '关注', words: views },
          roleId: { title: '角色', words: Object.fromEntries((s?.roles ?? []).map((one) => [one.id, one.name])) },
        }}
        onRow={(m) => setOpen({ what: 'rights', person: m })}
        selection={{
          unit: '人',
          actions: (people: readonly GroupUser[], done: () => void) => (
            <>
              <Can call={changeRoles}>
                <Button onClick={() => setOpen({ what: 'roles', people, done })}>改为角色</Button>
              </Can>
              <Can call={addToRole}>
                <Button onClick={() => setOpen({ what: 'extra', people, done })}>添加角色</Button>
              </Can>
              <Can call={extendMembers}>
                <Button onClick={() => setOpen({ what: 'extend', people, done })}>延长有效期</Button>
              </Can>
              <Can call={createTempRole}>
                <Button onClick={() => setOpen({ what: 'temporary', people, done })}>临时角色</Button>
              </Can>
              {roleId && (
                <Can call={removeFromRole}>
                  <Button danger onClick={() => void leaveRole(roleId, people).then((gone) => gone && done())}>
                    移出此角色
                  </Button>
                </Can>
              )}
            </>
          ),
        }}
        actions={(m) => [
          { label: '角色与有效期', needs: updateGroupUser, onClick: () => setOpen({ what: 'edit', person: m }) },
          { label: '有效权限', needs: getUser, onClick: () => setOpen({ what: 'rights', person: m }) },
          { label: '移出本组', danger: true, needs: removeGroupUser, onClick: () => out(m) },
          history.row({ kind: 'member', object: m.id, name: m.name }),
        ]}
      />
      {open?.what === 'add' && <AddDrawer onClose={close} />}
      {open?.what === 'edit' && <EditDrawer person={open.person} onClose={close} />}
      {open?.what === 'rights' && (
        <RightsDrawer
          userId={open.person.userId}
          name={open.person.name}
          groups={me?.groupId ? [{ groupId: me.groupId, groupName: me.groupName ?? '' }] : []}
          onClose={close}
        />
      )}
      {(open?.what === 'roles' || open?.what === 'extra') && (
        <RolesDrawer what={open.what} people={open.people} onDone={open.done} onClose={close} />
      )}
      {open?.what === 'extend' && <ExtendDrawer memberIds={open.people.map((one) => one.id)} onDone={open.done} onClose={close} />}
      {history.drawer}
      {open?.what === 'temporary' && <NewTempDrawer memberIds={open.people.map((one) => one.id)} onClose={close} />}
    </ListShell>
  )
}

function Roles({ person }: { person: GroupUser }) {
  if (person.roles.length + person.temporary.length === 0) return <Tag tone="warning">无角色</Tag>
  return (
    <>
      {person.roles.map((one, i) => (
        <span key={one.id}>
          {i > 0 && '、'}
          <a href={hrefOf('/system/jurisdictionSet', { roleId: one.id })}>{one.name}</a>
          {one.deadline && <span className="acc-code">至 {one.deadline}</span>}
        </span>
      ))}
      {person.temporary.map((one) => (
        <Tag key={one.id} tone="running">
          {one.name} 至 {lastDayOf(one.endTime)}
        </Tag>
      ))}
    </>
  )
}

function useRemovals() {
  const remove = useAct(removeGroupUser, { success: '已移出本组' })
  const leave = useAct(removeFromRole, { success: '已移出角色' })
  return {
    out: (m: GroupUser) =>
      remove.afterRequesting(
        {
          thing: `把 ${m.name} 移出本组`,
          consequence: '他在本组的角色与登录立即结束；账号本身和在其他机构的身份不受影响。',
          verb: '移出本组',
          keep: '保留',
        },
        { params: { id: m.id } },
      ),
    leaveRole: (roleId: string, people: readonly GroupUser[]) =>
      leave.afterRequesting(
        {
          thing: `把 ${people.length} 人移出此角色`,
          consequence: '他们立即失去此角色给予的权限，其余角色不变。',
          verb: '移出角色',
          keep: '保留',
        },
        { body: { roleId, memberIds: people.map((one) => one.id) } },
      ),
  }
}

function AddDrawer({ onClose }: { onClose: () => void }) {
  const words = useDelegationWords()
  return (
    <MembershipDrawer
      act={useAct(addGroupUser, { success: ({ name }) => requestedWords(name) })}
      schema={addGroupUser.schemas.body}
      title="添加成员"
      input={(body) => ({ body: { ...body, roleIds: body.roleIds ?? [] } })}
      role={{ name: 'roleIds', label: '角色', required: false, help: words.usualRole }}
      until={{ name: 'expireDate', help: words.usualEnd }}
      onClose={onClose}
    >
      <Field name="account" label="账号" help="须填写完整账号；由账号本人接受后加入本组">
        <Input autoComplete="off" />
      </Field>
    </MembershipDrawer>
  )
}

function EditDrawer({ person, onClose }: { person: GroupUser; onClose: () => void }) {
  const words = useDelegationWords()
  return (
    <MembershipDrawer
      act={useAct(updateGroupUser)}
      schema={updateGroupUser.schemas.body}
      title="角色与有效期"
      remark={person.name}
      initial={{ roleIds: person.roles.map((one) => one.id), expireDate: person.deadline ?? undefined, version: person.version }}
      input={(body) => ({ params: { id: person.id }, body: { ...body, roleIds: body.roleIds ?? [], version: person.version } })}
      role={{ name: 'roleIds', label: '角色', required: false }}
      until={{ name: 'expireDate', help: ['不选为长期', words.usualEndOfNew, '自己的有效期须由他人延长'].filter(Boolean).join('；') }}
      onClose={onClose}
    />
  )
}

/** Adds a role to several members, or replaces all their roles. */
function RolesDrawer({ what, people, onDone, onClose }: RolesProps) {
  const words = useDelegationWords()
  const memberIds = people.map((one) => one.id)
  const change = useAct(changeRoles, { success: '角色已变更', onDone })
  const add = useAct(addToRole, { success: '角色已添加', onDone })
  const shared = {
    remark: `${people.length} 人`,
    initial: { memberIds },
    until: { name: 'expireDate', help: words.usualEnd },
    onClose,
  } as const
  return what === 'roles' ? (
    <MembershipDrawer
      {...shared}
      act={change}
      title="变更角色"
      input={(body) => ({ body: { ...body, memberIds } })}
      role={{ name: 'roleIds', label: '改为', help: '原有角色一并替换' }}
    />
  ) : (
    <MembershipDrawer
      {...shared}
      act={add}
      schema={addToRole.schemas.body}
      title="添加角色"
      input={(body) => ({ body: { ...body, memberIds } })}
      role={{ name: 'roleId', label: '角色', help: '原有角色不变' }}
    />
  )
}
interface RolesProps {
  what: 'roles' | 'extra'
  people: readonly GroupUser[]
  onDone: () => void
  onClose: () => void
}
