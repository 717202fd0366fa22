import { PlusOutlined } from '@ant-design/icons'
import { createUser, listAudit, switchUser, userList } from '@zhugong/contract/access/endpoints'
import { extendMembers } from '@zhugong/contract/access/group-roles'
import { groupTypeName, groupTypeOptions } from '@zhugong/contract/access/group-types'
import { endSessions, getUser, resetFactor, resetPassword, unlockUser, updateUser, userFigures } from '@zhugong/contract/access/users'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { EnableTag, enableOptions } from '#kit/enable.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useHistory } from '#kit/history.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useMe } from '#kit/me.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OpeningWizard } from '../onboarding/public.tsx'
import { type Account, DoingsDrawer, EditAccountDrawer, NewAccountDrawer } from './account-drawers.tsx'
import { ExtendDrawer } from './extend-drawer.tsx'
import { LastDay } from './last-day.tsx'
import { RightsDrawer } from './rights-drawer.tsx'
import { SecretNote } from './secret-note.tsx'

type Open =
  | { what: 'new' }
  | { what: 'edit' | 'rights' | 'doings'; account: Account }
  | { what: 'extend'; memberIds: readonly string[]; done: () => void }

const yesNo = (yes: string, no: string) => [
  { value: '1', label: yes },
  { value: '0', label: no },
]
const mostAtOnce = 100

/** Accounts and what each may do: explains why a person cannot sign in or sees too much. */
export default function AccountPage() {
  const list = useListPage(userList, { defaultSort: '-createTime', defaultSize: 10 })
  const figures = useCall(userFigures, {}, { quiet: true })
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const ownGroup = useMe((me) => me.info?.groupId ?? null)
  const dicts = useDicts('dataScope')
  const acts = useAccountActs(setSecret)
  const history = useHistory()
  const f = figures.data
  const columns: ColumnOf<typeof userList>[] = [
    { key: 'account', width: 130, locked: true, sort: true, filter: 'text', value: (u) => u.account },
    { key: 'name', width: 100, locked: true, sort: true, filter: 'text', value: (u) => u.name },
    { key: 'phone', width: 120, filter: 'text', value: (u) => u.phone },
    { key: 'groups', width: 180, filter: 'text', filterKey: 'groupName', value: (u) => u.groups.map((one) => one.groupName).join('、') },
    {
      key: 'groupsType',
      width: 100,
      filter: 'multi',
      options: groupTypeOptions,
      value: (u) => [...new Set(u.groups.map((one) => groupTypeName(one.groupsType)))].join('、'),
    },
    {
      key: 'roles',
      keeps: true,
      width: 180,
      filter: 'text',
      filterKey: 'roleName',
      value: (u) => <Roles account={u} />,
    },
    {
      key: 'dataScope',
      width: 110,
      hidden: true,
      filter: 'single',
      options: dicts.options('dataScope'),
      value: (u) => [...new Set(u.groups.map((one) => dicts.name('dataScope', one.dataScope)))].join('、'),
    },
    { key: 'expireDate', keeps: true, width: 110, filter: 'date-range', value: (u) => <LastDay day={u.expireDate} /> },
    {
      key: 'lastLogin',
      keeps: true,
      width: 160,
      sort: true,
      filter: 'date-range',
      value: (u) => u.lastLogin ?? <span className="zg-2">从未登录</span>,
    },
    {
      key: 'secondFactor',
      width: 96,
      hidden: true,
      filter: 'single',
      options: yesNo('已开启', '未开启'),
      value: (u) => (u.secondFactor ? '已开启' : '未开启'),
    },
    {
      key: 'locked',
      keeps: true,
      width: 96,
      filter: 'single',
      options: yesNo('锁定中', '未锁定'),
      value: (u) => u.lockedUntil && <Tag tone="warning">至 {u.lockedUntil.slice(11, 16)}</Tag>,
    },
    {
      key: 'enable',
      keeps: true,
      width: 88,
      filter: 'single',
      options: enableOptions,
      value: (u) => <EnableTag enable={u.enable} />,
    },
    { key: 'createTime', width: 160, hidden: true, sort: true, filter: 'date-range', value: (u) => u.createTime },
  ]
  const close = () => setOpen(undefined)
  return (
    <ListShell
      actions={
        <>
          <Can call={createUser}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
              新增账号
            </Button>
          </Can>
          <OpeningWizard />
        </>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '账号总数', value: thousands(f?.total), unit: '个', href: '/accountList' },
            {
              label: '90 天未登录',
              value: thousands(f?.dormant),
              unit: '个',
              remark: '核对是否已离开',
              tone: f?.dormant ? 'warning' : undefined,
              href: '/accountList?state=dormant',
            },
            {
              label: '锁定中',
              value: thousands(f?.locked),
              unit: '个',
              tone: f?.locked ? 'danger' : undefined,
              href: '/accountList?state=locked',
            },
            { label: '未改初始密码', value: thousands(f?.initial), unit: '个', href: '/accountList?state=initial' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'name', placeholder: '姓名' }}
        filterWords={{
          state: { title: '关注', words: { dormant: '90 天未登录', locked: '锁定中', initial: '未改初始密码', endless: '长期有效' } },
        }}
        onRow={(u) => setOpen({ what: 'rights', account: u })}
        selection={{
          unit: '个',
          actions: (rows: readonly Account[], done: () => void) => (
            <>
              <Can call={extendMembers}>
                <ExtendButton rows={rows} groupId={ownGroup} onClick={(memberIds) => setOpen({ what: 'extend', memberIds, done })} />
              </Can>
              <Can call={switchUser}>
                <Button danger onClick={() => void acts.stopAll(rows.slice(0, mostAtOnce)).then((did) => did && done())}>
                  批量停用
                </Button>
              </Can>
            </>
          ),
        }}
        actions={(u) => [
          { label: '有效权限', needs: getUser, onClick: () => setOpen({ what: 'rights', account: u }) },
          { label: '修改', needs: updateUser, onClick: () => setOpen({ what: 'edit', account: u }) },
          u.lockedUntil !== null && { label: '解锁', needs: unlockUser, onClick: () => acts.unlock(u) },
          { label: '重置密码', needs: resetPassword, danger: true, onClick: () => acts.reset(u) },
          u.secondFactor && { label: '重置动态口令', needs: resetFactor, danger: true, onClick: () => void acts.factor(u) },
          { label: '强制下线', needs: endSessions, danger: true, onClick: () => acts.out(u) },
          { label: isOn(u.enable) ? '停用' : '启用', needs: switchUser, danger: isOn(u.enable), onClick: () => acts.flip(u) },
          { label: '登录与操作', needs: listAudit, onClick: () => setOpen({ what: 'doings', account: u }) },
          history.row({ kind: 'user', object: u.id, name: u.name }),
        ]}
      />
      {open?.what === 'new' && <NewAccountDrawer onMade={(made) => setSecret(made.password)} onClose={close} />}
      {open?.what === 'edit' && <EditAccountDrawer account={open.account} groupId={ownGroup} onClose={close} />}
      {open?.what === 'doings' && <DoingsDrawer account={open.account} onClose={close} />}
      {open?.what === 'rights' && (
        <RightsDrawer userId={open.account.id} name={open.account.name} groups={open.account.groups} onClose={close} />
      )}
      {open?.what === 'extend' && <ExtendDrawer memberIds={open.memberIds} onDone={open.done} onClose={close} />}
      {history.drawer}
      <SecretNote title="新密码" secret={secret} onClose={() => setSecret(undefined)} />
    </ListShell>
  )
}

function Roles({ account }: { account: Account }) {
  const names = account.groups.flatMap((one) => one.roles.map((role) => role.name))
  const temporary = account.groups.reduce((sum, one) => sum + one.temporary, 0)
  return (
    <>
      {names.join('、') || <span className="tone-warning">无角色</span>}
      {temporary > 0 && <Tag tone="running">临时 {temporary}</Tag>}
    </>
  )
}

interface ExtendButtonProps {
  rows: readonly Account[]
  groupId: string | null
  onClick: (memberIds: readonly string[]) => void
}
/** Extends only memberships in the caller's own group; each group decides the end date of its own members. */
function ExtendButton({ rows, groupId, onClick }: ExtendButtonProps) {
  const own = rows.flatMap((one) => one.groups.filter((group) => group.groupId === groupId).map((group) => group.id))
  return (
    <Button
      disabled={own.length === 0}
      title={own.length === 0 ? '所选账号不在本组，有效期由其所在的机构维护' : undefined}
      onClick={() => onClick(own)}
    >
      批量延期{own.length > 0 && own.length < rows.length ? `（本组 ${own.length} 个）` : ''}
    </Button>
  )
}

/** Actions on one account. Those that take something away ask for confirmation. */
function useAccountActs(onSecret: (secret: string) => void) {
  const flip = useAct(switchUser, { success: false })
  const unlock = useAct(unlockUser, { success: '已解除锁定' })
  const out = useAct(endSessions, { success: ({ ended }) => `已退出 ${ended} 处登录` })
  const reset = useAct(resetPassword, { success: '密码已重置', onDone: (data) => onSecret(data.password) })
  const factor = useAct(resetFactor, { success: '动态口令已移除，已通知本人' })
  return {
    factor: async (u: Account) => {
      const reason = await askReason(`移除 ${u.name} 的动态口令，原因会告知本人`, '原因')
      if (reason) await factor.run({ body: { id: u.id, reason } })
    },
    unlock: (u: Account) => unlock.run({ body: { id: u.id } }),
    out: (u: Account) =>
      out.afterRequesting(
        {
          thing: `让 ${u.name} 下线`,
          consequence: '他在各处的登录立即结束，未保存的内容会丢失；可以重新登录。',
          verb: '强制下线',
          keep: '不下线',
        },
        { body: { id: u.id } },
      ),
    reset: (u: Account) =>
      reset.afterRequesting(
        {
          thing: `重置 ${u.name} 的密码`,
          consequence: '原密码立即失效，各处登录结束；新密码只显示一次。',
          verb: '重置密码',
          keep: '保留原密码',
        },
        { body: { id: u.id } },
      ),
    flip: async (u: Account) => {
      const reason = isOn(u.enable) ? await askReason(`停用账号 ${u.name}`, '停用原因') : ''
      if (reason === undefined) return
      await flip.run({ body: { id: u.id, status: turned(u.enable), reason } })
    },
    stopAll: async (rows: readonly Account[]) => {
      const reason = await askReason(`停用 ${rows.length} 个账号`, '停用原因')
      if (reason === undefined) return false
      for (const u of rows.filter((one) => isOn(one.enable))) await flip.run({ body: { id: u.id, status: turned(u.enable), reason } })
      return true
    },
  }
}
