import { getDelegation } from '@zhugong/contract/access/group-roles'
import { longestTemporaryDays } from '@zhugong/contract/access/role-work'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { day } from '#kit/format.ts'

/** Last valid day of a temporary role. `endTime` is an instant in Beijing time: midnight after that day, unless the role was ended early. */
export const lastDayOf = (endTime: string): string => day(Date.parse(`${endTime.replace(' ', 'T')}+08:00`) - 1)

/** Hints on defaults and limits from the group's delegation rules; neutral hints where the caller cannot read the rules. */
export function useDelegationWords() {
  const may = useCan(getDelegation)
  const { data } = useCall(getDelegation, {}, { quiet: true, enabled: may, staleMs: 60_000 })
  const rules = data?.inForce
  const days = rules?.defaultDays
  return {
    usualEnd: !rules ? '不选按本组授权设置的默认期限' : days ? `不选按本组规定为 ${days} 天` : '不选为长期',
    usualEndOfNew: !rules ? '新增的角色按本组授权设置的默认期限' : days ? `新增的角色按本组规定为 ${days} 天` : '',
    usualRole: !rules
      ? '不选则用授权设置中的默认角色'
      : rules.defaultRoleId
        ? `不选则为“${data?.roles.find((one) => one.id === rules.defaultRoleId)?.name ?? '默认角色'}”`
        : '本组没有默认角色，请选择',
    temporary: rules && !rules.temporary ? '本组的授权规则不允许临时角色' : undefined,
    mostDays: rules ? `最长 ${Math.min(longestTemporaryDays, rules.temporaryDays)} 天` : '最长天数以本组授权设置为准',
  }
}
