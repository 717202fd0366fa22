import { createAdmin } from '@zhugong/contract/access/admins'
import { createUser, listRoles } from '@zhugong/contract/access/endpoints'
import { addToRole } from '@zhugong/contract/access/group-roles'
import { createTempRole } from '@zhugong/contract/access/role-work'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { FormDrawer, type FormDrawerProps } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, LongText } from '#kit/inputs.tsx'

const { Field } = formOf(createUser, createAdmin, createTempRole, addToRole)

/** Roles that the caller's group can give. */
function useGivableRoles() {
  const may = useCan(listRoles)
  const roles = useCall(listRoles, { query: { size: 200 } }, { quiet: true, enabled: may })
  return { options: (roles.data?.list ?? []).map((one) => ({ value: one.id, label: one.name })), loading: may && roles.isPending }
}

interface RoleFieldProps {
  /** `roleId` is one role, `roleIds` several. */
  name: 'roleId' | 'roleIds'
  label: string
  help?: string
  required?: boolean
}
function RoleField({ name, ...field }: RoleFieldProps) {
  const roles = useGivableRoles()
  return (
    <Field name={name} {...field}>
      {name === 'roleId' ? <Choice {...roles} /> : <Choices {...roles} />}
    </Field>
  )
}

interface MembershipProps<In, Out> extends Omit<FormDrawerProps<In, Out>, 'open' | 'narrow' | 'width' | 'children'> {
  /** Fields above role, end date and reason, usually the person. */
  children?: React.ReactNode
  role?: RoleFieldProps | undefined
  until?: { name: 'expireDate' | 'deadline' | 'endTime'; label?: string; help?: string } | undefined
  reason?: boolean
}

/** Shared form to give or change a membership: person, role, end date and reason. */
export function MembershipDrawer<In, Out>({ children, role, until, reason = false, ...drawer }: MembershipProps<In, Out>) {
  return (
    <FormDrawer {...drawer} open narrow width={420}>
      {children}
      {role && <RoleField {...role} />}
      {until && (
        <Field name={until.name} label={until.label ?? '有效期至'} help={until.help}>
          <DayInput />
        </Field>
      )}
      {reason && (
        <Field name="reason" label="原因">
          <LongText />
        </Field>
      )}
    </FormDrawer>
  )
}
