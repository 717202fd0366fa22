import { permissionName } from '@zhugong/contract/access/codes'
import { type FunctionNode, narrowRole, roleGroups } from '@zhugong/contract/access/role-work'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choices, LongText } from '#kit/inputs.tsx'

const { Field } = formOf(narrowRole)

interface NarrowingProps {
  roleId: string
  functions: readonly FunctionNode[]
}

/** The groups that use a role, and the codes removed from it in each group. Narrowing can only remove codes. */
export function Narrowing({ roleId, functions }: NarrowingProps) {
  const { data, error, isPending, refetch } = useCall(roleGroups, { query: { roleId } }, { quiet: true })
  const [groupId, setGroupId] = useState<string>()
  const act = useAct(narrowRole, { success: '已收窄，几秒内生效' })
  const group = data?.groups.find((one) => one.groupId === groupId)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (isPending) return <TableSkeleton rows={5} columns={3} />
  return (
    <Card title="使用此角色的组" remark={`${data.groups.length} 个；收窄只在该组内取消权限，不影响其他组`}>
      {data.groups.length === 0 && <Empty small text="还没有组使用此角色" />}
      <ul className="acc-list">
        {data.groups.map((one) => (
          <li key={one.groupId}>
            {one.groupName} <span className="acc-code">{one.userCount} 人</span>
            {one.taken.length > 0 && <Tag tone="warning">已收窄 {one.taken.length} 项</Tag>}
            <Can call={narrowRole}>
              <Button type="link" size="small" onClick={() => setGroupId(one.groupId)}>
                收窄
              </Button>
            </Can>
            {one.taken.length > 0 && (
              <span className="why">
                {one.taken.map(permissionName).join('、')}；{one.reason}（{one.updateBy ?? '--'} {one.updateTime ?? ''}）
              </span>
            )}
          </li>
        ))}
      </ul>
      {group && (
        <FormDrawer
          open
          narrow
          width={480}
          act={act}
          title="组内收窄"
          remark={group.groupName}
          initial={{ roleId, groupId: group.groupId, codes: group.taken, reason: group.reason || undefined, version: group.version }}
          input={(body) => ({ body: { ...body, codes: body.codes ?? [], roleId, groupId: group.groupId, version: group.version } })}
          onClose={() => setGroupId(undefined)}
        >
          <Field name="codes" label="在该组取消的权限" help={`${group.userCount} 人随之失去；清空即全部恢复`} required={false}>
            <Choices
              options={data.codes.map((code) => ({
                value: code,
                label: functions.find((one) => one.code === code)?.name ?? permissionName(code),
              }))}
            />
          </Field>
          <Field name="reason" label="原因">
            <LongText />
          </Field>
        </FormDrawer>
      )}
    </Card>
  )
}
