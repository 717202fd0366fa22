import { PlusOutlined } from '@ant-design/icons'
import {
  type AdminGrant,
  adminList,
  createAdmin,
  formerRoles,
  grantStatuses,
  grantStatusName,
  groupsBelow,
  isGrantOn,
  listAdmins,
  resetAdmin,
  switchAdmin,
  updateAdmin,
} from '@zhugong/contract/access/admins'
import { groupTypeName, groupTypeOptions } from '@zhugong/contract/access/group-types'
import { searchUser } from '@zhugong/contract/access/users'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { askReason } from '#kit/ask.ts'
import { call, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { formOf } from '#kit/form-of.ts'
import { useHistory } from '#kit/history.tsx'
import { showFailure } from '#kit/http.ts'
import { Choice } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OpeningWizard } from '../onboarding/public.tsx'
import { isOver, LastDay } from './last-day.tsx'
import { MembershipDrawer } from './membership-drawer.tsx'
import { PendingJoins } from './pending-joins.tsx'
import { SecretNote } from './secret-note.tsx'

const { Field, useValue } = formOf(createAdmin, updateAdmin, resetAdmin, switchAdmin)

type Open = { what: 'new'; groupId?: string } | { what: 'edit' | 'hand' | 'reset'; grant: AdminGrant }

/** State of a grant. `status` is inverted (1 = disabled); an expired grant is shown as ended whatever its `status`. */
const GrantStatus = ({ status, deadline }: Pick<AdminGrant, 'status' | 'deadline'>) =>
  isGrantOn(status) && isOver(deadline) ? (
    <Tag tone="danger">已到期</Tag>
  ) : (
    <Tag tone={isGrantOn(status) ? 'fine' : 'neutral'} icon={false}>
      {grantStatusName(status)}
    </Tag>
  )

/** Administrators of each group, since when, and the groups without one. */
export default function AdminPage() {
  const list = useListPage(adminList, { defaultSort: '-createTime', defaultSize: 10 })
  const figures = useCall(listAdmins, { query: { size: 1 } }, { quiet: true })
  const dicts = useDicts('roleScope')
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const flip = useAct(switchAdmin, { success: false })
  const history = useHistory()
  const f = figures.data?.figures
  const columns: ColumnOf<typeof adminList>[] = [
    {
      key: 'userName',
      width: 100,
      locked: true,
      sort: true,
      filter: 'text',
      value: (a) => a.userName ?? <Tag tone="danger">无管理员</Tag>,
    },
    { key: 'account', width: 130, filter: 'text', value: (a) => a.account },
    { key: 'phone', width: 120, value: (a) => a.phone },
    { key: 'groupName', width: 200, locked: true, sort: true, filter: 'text', value: (a) => a.groupName },
    { key: 'groupsType', width: 96, filter: 'multi', options: groupTypeOptions, value: (a) => groupTypeName(a.groupsType) },
    {
      key: 'roleScope',
      width: 130,
      filter: 'multi',
      options: dicts.options('roleScope').slice(0, 4),
      value: (a) => dicts.name('roleScope', a.roleScope),
    },
    { key: 'deadline', keeps: true, width: 110, sort: true, filter: 'date-range', value: (a) => a.id && <LastDay day={a.deadline} /> },
    { key: 'grantBy', width: 100, filter: 'text', value: (a) => a.grantBy },
    { key: 'lastLogin', keeps: true, width: 160, sort: true, filter: 'date-range', value: (a) => a.lastLogin },
    {
      key: 'secondFactor',
      width: 96,
      filter: 'single',
      options: [
        { value: '1', label: '已开启' },
        { value: '0', label: '未开启' },
      ],
      value: (a) => a.id && (a.secondFactor ? '已开启' : <span className="tone-warning">未开启</span>),
    },
    {
      key: 'status',
      keeps: true,
      width: 80,
      filter: 'single',
      options: grantStatuses,
      value: (a) => a.id && <GrantStatus status={a.status} deadline={a.deadline} />,
    },
    { key: 'createTime', width: 160, hidden: true, sort: true, value: (a) => a.createTime },
  ]
  const turn = async (a: AdminGrant) => {
    const on = isGrantOn(a.status)
    const reason = on ? await askReason(`停用 ${a.groupName} 的管理员 ${a.userName}`, '停用原因') : ''
    if (reason === undefined || !a.id) return
    await flip.run({ params: { id: a.id }, query: { status: on ? '1' : '0' }, body: { reason } })
  }
  const close = () => setOpen(undefined)
  return (
    <ListShell
      actions={
        <>
          <PendingJoins />
          <Can call={createAdmin}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'new' })}>
              新增管理员
            </Button>
          </Can>
          <OpeningWizard />
        </>
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            { label: '管理员', value: f?.people, unit: '人' },
            {
              label: '无管理员的组',
              value: f?.without,
              unit: '个',
              remark: '无人能维护其账号',
              tone: f?.without ? 'danger' : undefined,
              href: '/administratorList?view=none',
            },
            {
              label: '30 日内到期',
              value: f?.ending,
              unit: '个',
              tone: f?.ending ? 'warning' : undefined,
              href: '/administratorList?view=ending',
            },
            { label: '已停用', value: f?.stopped, unit: '个', href: '/administratorList?status=1' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(a) => a.id ?? a.groupId}
        unit="个"
        search={{ key: 'groupName', placeholder: '管理的组' }}
        filterWords={{ view: { title: '关注', words: { none: '无管理员的组', ending: '30 日内到期' } } }}
        emptyHint="每个组至少要有一位管理员"
        actions={(a) =>
          a.id === null
            ? [
                { label: '指定', needs: createAdmin, onClick: () => setOpen({ what: 'new', groupId: a.groupId }) },
                { label: '重置管理员', needs: resetAdmin, onClick: () => setOpen({ what: 'reset', grant: a }) },
              ]
            : [
                { label: '修改', needs: updateAdmin, onClick: () => setOpen({ what: 'edit', grant: a }) },
                {
                  label: isGrantOn(a.status) ? '停用' : '启用',
                  danger: isGrantOn(a.status),
                  needs: switchAdmin,
                  disabled: isGrantOn(a.status) && a.last && '本组最后一位管理员，不能停用',
                  onClick: () => turn(a),
                },
                { label: '更换管理员', needs: switchAdmin, onClick: () => setOpen({ what: 'hand', grant: a }) },
                { label: '重置管理员', needs: resetAdmin, onClick: () => setOpen({ what: 'reset', grant: a }) },
                history.row({ kind: 'adminGrant', object: a.id, name: `${a.groupName} 管理员 ${a.userName ?? ''}` }),
              ]
        }
      />
      {open?.what === 'new' && <NewAdminDrawer groupId={open.groupId} onClose={close} />}
      {open?.what === 'edit' && <EditAdminDrawer grant={open.grant} onClose={close} />}
      {open?.what === 'hand' && <HandOverDrawer grant={open.grant} onClose={close} />}
      {open?.what === 'reset' && <ResetDrawer grant={open.grant} onSecret={setSecret} onClose={close} />}
      {history.drawer}
      <SecretNote title="管理员已重置" secret={secret} onClose={() => setSecret(undefined)} />
    </ListShell>
  )
}

function NewAdminDrawer({ groupId, onClose }: { groupId: string | undefined; onClose: () => void }) {
  const act = useAct(createAdmin, {
    success: ({ pending }) => (pending ? '此人不是该组成员，已发出邀请，由其本人在“个人设置”接受后任职' : '管理员已任命'),
  })
  const groups = useCall(groupsBelow, { query: {} }, { quiet: true })
  const options = (groups.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${groupTypeName(one.groupsType)}）` }))
  return (
    <MembershipDrawer
      act={act}
      title="新增管理员"
      initial={{ groupId }}
      input={(body) => ({ body })}
      until={{ name: 'deadline', help: '不选为长期；不能长于您自己的权限期限' }}
      reason
      onClose={onClose}
    >
      <Field name="groupId" label="管理的组">
        <Choice options={options} loading={groups.isPending} />
      </Field>
      <Field name="account" label="账号" help="须填写完整账号，不能是您自己；不是该组成员的，由其本人接受后任职">
        <Input autoComplete="off" />
      </Field>
    </MembershipDrawer>
  )
}

function EditAdminDrawer({ grant, onClose }: { grant: AdminGrant; onClose: () => void }) {
  const act = useAct(updateAdmin)
  return (
    <MembershipDrawer
      act={act}
      title="修改授权"
      remark={`${grant.userName} · ${grant.groupName}`}
      initial={{ deadline: grant.deadline ?? undefined, reason: grant.reason, version: grant.version }}
      input={(body) => ({ params: { id: grant.id ?? '' }, body: { ...body, version: grant.version } })}
      until={{ name: 'deadline', help: '不选为长期' }}
      reason
      onClose={onClose}
    />
  )
}

const handBody = z.object({
  account: z.string({ error: '请填写接手的账号' }).trim().min(1, '请填写接手的账号'),
  former: z.enum(['others', 'role', 'none']).default('others'),
  formerRoleId: z.string().optional(),
  reason: z.string().max(200).default(''),
})
const formerWays = [
  { value: 'others', label: '其余角色不变' },
  { value: 'role', label: '只任一个普通角色' },
  { value: 'none', label: '不保留任何角色' },
]

function FormerRole({ grant }: { grant: AdminGrant }) {
  const former = useValue('former')
  const roles = useCall(formerRoles, { params: { id: grant.id ?? '' } }, { quiet: true, enabled: former === 'role' })
  if (former !== 'role') return null
  return (
    <Field name="formerRoleId" label="普通角色" required help="有效期沿用原授权">
      <Choice
        loading={roles.isPending}
        options={(roles.data?.list ?? []).map((one) => ({ value: one.id, label: one.held ? `${one.name}（现有）` : one.name }))}
      />
    </Field>
  )
}

/** Transfers the grant unchanged to another account, which is looked up by its exact name first. */
function HandOverDrawer({ grant, onClose }: { grant: AdminGrant; onClose: () => void }) {
  const act = useAct(switchAdmin, { success: '管理员已更换' })
  const run: typeof act.run = async (given, options) => {
    const account = String((given?.query as { account?: string } | undefined)?.account ?? '')
    try {
      const next = await call(searchUser, { query: { account } })
      return await act.run({ params: { id: grant.id ?? '' }, query: { userId: next.id }, body: given?.body ?? {} }, options)
    } catch (error) {
      showFailure(error)
      return undefined
    }
  }
  return (
    <MembershipDrawer
      act={{ ...act, run }}
      schema={handBody}
      title="更换管理员"
      remark={`${grant.userName} · ${grant.groupName}`}
      saveText="更换"
      initial={{ former: 'others' }}
      input={(body) => {
        const { account, ...given } = body as {
          account: string
          reason?: string
          former?: 'others' | 'role' | 'none'
          formerRoleId?: string
        }
        return { params: { id: grant.id ?? '' }, query: { account } as object, body: given }
      }}
      reason
      onClose={onClose}
    >
      <Field name="account" label="接手的账号" help="须是该组成员；授权与有效期原样转给他">
        <Input autoComplete="off" />
      </Field>
      <Field name="former" label={`${grant.userName ?? '原管理员'}以后`}>
        <Choice clear={false} options={formerWays} />
      </Field>
      <FormerRole grant={grant} />
    </MembershipDrawer>
  )
}

function ResetDrawer({ grant, onSecret, onClose }: { grant: AdminGrant; onSecret: (secret: string) => void; onClose: () => void }) {
  const act = useAct(resetAdmin, { success: ({ name }) => `${name} 已是管理员`, onDone: (data) => onSecret(data.password) })
  return (
    <MembershipDrawer
      act={act}
      title="重置管理员"
      remark={grant.groupName}
      saveText="重置"
      initial={{ groupId: grant.groupId, account: grant.account ?? undefined }}
      input={(body) => ({ body: { ...body, groupId: grant.groupId } })}
      reason
      onClose={onClose}
    >
      <Field name="account" label="账号" help="只在该组已没有可用管理员时办理，且须是该组自己开立的账号；密码随之重置，只显示一次">
        <Input autoComplete="off" />
      </Field>
    </MembershipDrawer>
  )
}
