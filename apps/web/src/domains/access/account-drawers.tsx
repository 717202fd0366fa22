import { createUser, listAudit, type user } from '@zhugong/contract/access/endpoints'
import { updateUser } from '@zhugong/contract/access/users'
import { Input } from 'antd'
import type { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { formOf } from '#kit/form-of.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { useDelegationWords } from './delegation-words.ts'
import { MembershipDrawer } from './membership-drawer.tsx'

const { Field } = formOf(createUser, updateUser)

export type Account = z.output<typeof user>

export function NewAccountDrawer({ onMade, onClose }: { onMade: (made: { password: string }) => void; onClose: () => void }) {
  const words = useDelegationWords()
  return (
    <MembershipDrawer
      act={useAct(createUser, { success: '账号已新增', onDone: onMade })}
      schema={createUser.schemas.body}
      title="新增账号"
      input={(body) => ({ body })}
      role={{ name: 'roleIds', label: '角色' }}
      until={{ name: 'expireDate', help: `${words.usualEnd}；不能长于您自己的权限期限` }}
      onClose={onClose}
    >
      <Field name="account" label="账号" help="4-32 位字母、数字、点、横线或下划线，以字母开头">
        <Input autoComplete="off" />
      </Field>
      <Field name="name" label="姓名">
        <Input autoComplete="off" />
      </Field>
    </MembershipDrawer>
  )
}

export function EditAccountDrawer({ account, groupId, onClose }: { account: Account; groupId: string | null; onClose: () => void }) {
  const own = account.groups.find((one) => one.groupId === groupId)
  const words = useDelegationWords()
  return (
    <MembershipDrawer
      act={useAct(updateUser, { success: '账号已修改' })}
      schema={updateUser.schemas.body}
      title="修改账号"
      remark={account.account}
      initial={{ name: account.name, expireDate: own?.deadline ?? undefined, roleIds: own?.roles.map((role) => role.id) }}
      input={(body) => ({ params: { id: account.id }, body: { ...body, roleIds: own ? body.roleIds : undefined } })}
      role={own && { name: 'roleIds', label: `在 ${own.groupName} 的角色` }}
      until={own && { name: 'expireDate', help: ['不选为长期', words.usualEndOfNew].filter(Boolean).join('；') }}
      onClose={onClose}
    >
      <Field name="name" label="姓名" help={account.groups.length > 1 ? '该账号属于多个机构，姓名由平台修改' : undefined}>
        <Input />
      </Field>
    </MembershipDrawer>
  )
}

const rowsShown = 50

/** Sign-ins and actions of an account, newest first. */
export function DoingsDrawer({ account, onClose }: { account: Account; onClose: () => void }) {
  const { data, error, isPending, refetch } = useCall(listAudit, { query: { account: account.account, size: rowsShown } }, { quiet: true })
  return (
    <PageDrawer open title={`${account.name} 的登录与操作`} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : isPending ? (
        <TableSkeleton rows={8} columns={3} />
      ) : data.list.length === 0 ? (
        <Empty text="没有记录" />
      ) : (
        <ul className="acc-list">
          {data.list.map((row) => (
            <li key={row.id}>
              {row.at} {row.summary} {row.result !== 'ok' && <Tag tone="danger">未成功</Tag>}
              <span className="why">
                {row.groupName || '--'} · {row.ip}
              </span>
            </li>
          ))}
        </ul>
      )}
    </PageDrawer>
  )
}
