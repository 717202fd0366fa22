import { listRoles } from '@zhugong/contract/access/endpoints'
import { replaceRole, roleHolders } from '@zhugong/contract/access/role-work'
import { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { fieldsOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import { MembershipDrawer } from './membership-drawer.tsx'
import type { Role } from './role-words.ts'

const body = z.object({ replaceBy: z.string({ error: '请选择替换为哪个角色' }) })
const { Field } = fieldsOf<z.infer<typeof body>>()

/** Deletes a role in use; its holders must get another role first. */
export function ReplaceDrawer({ role, onClose }: { role: Role; onClose: () => void }) {
  const act = useAct(replaceRole, { success: '角色已删除，使用者已改为新的角色' })
  const holders = useCall(roleHolders, { params: { id: role.id } }, { quiet: true })
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true })
  const others = (roles.data?.list ?? []).filter((one) => one.id !== role.id && one.groupsType === role.groupsType)
  return (
    <MembershipDrawer
      act={act}
      schema={body}
      title="删除角色"
      remark={role.name}
      saveText="替换并删除"
      input={(given) => ({ params: { id: role.id }, query: body.parse(given) })}
      onClose={onClose}
    >
      <Notice tone="warning">
        {holders.data
          ? `${holders.data.users} 人在用：${holders.data.people.map((one) => one.name).join('、')}`
          : `${role.userCount} 人在用`}
      </Notice>
      <Field name="replaceBy" label="他们改为" help="有效期沿用；您须持有新角色的全部权限">
        <Choice options={others.map((one) => ({ value: one.id, label: one.name }))} loading={roles.isPending} />
      </Field>
    </MembershipDrawer>
  )
}
