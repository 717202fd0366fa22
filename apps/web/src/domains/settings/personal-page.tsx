import { getMyAccount } from '@zhugong/contract/identity/my-account'
import { getMyPerson } from '@zhugong/contract/settings/my-person'
import { useCall } from '#kit/call.ts'
import { DetailShell } from '#kit/detail-shell.tsx'
import { Tag } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'

const tabs = '/system/personal'

/** The user's own account and data. */
export default function PersonalPage() {
  const account = useCall(getMyAccount, {}, { quiet: true, staleMs: 15_000 })
  const file = useCall(getMyPerson, {}, { quiet: true, staleMs: 15_000 })
  // Both answers fill the head; shown one after the other they would move what is below.
  const me = file.isPending ? undefined : account.data
  const person = file.data?.person
  const group = me?.groups.find((one) => one.current)
  return (
    <DetailShell
      title="个人设置"
      loading={account.isPending || file.isPending}
      error={account.error ?? file.error}
      retry={() => Promise.all([account.refetch(), file.refetch()])}
      tags={
        me && (
          <>
            {person?.photo && <Thumb src={person.photo} name={me.name} width={32} height={40} />}
            <b>{me.name}</b>
            <Tag tone={person ? 'fine' : 'neutral'}>{person ? '已关联实名档案' : '未关联实名档案'}</Tag>
          </>
        )
      }
      facts={
        me
          ? [
              { label: '账号', value: me.account },
              { label: '当前机构', value: group?.name },
              { label: '角色', value: group?.roles.map((role) => role.name).join('、') },
              {
                label: '动态口令',
                value: me.secondFactor.on ? '已启用' : '未启用',
                tone: me.secondFactor.on ? ('fine' as const) : undefined,
              },
            ]
          : []
      }
      side={[
        { path: `${tabs}/user`, title: '用户信息' },
        {
          path: `${tabs}/certificate`,
          title: '个人证书',
          count: person?.counts.certificates,
          warning: (person?.counts.ending ?? 0) > 0,
        },
        { path: `${tabs}/record`, title: '从业记录', count: person?.counts.records },
        { path: `${tabs}/poorRecord`, title: '不良记录', count: person?.counts.bad, warning: (person?.counts.bad ?? 0) > 0 },
        { path: `${tabs}/contract`, title: '个人合同', count: person?.counts.contracts },
        { path: `${tabs}/material`, title: '个人资料' },
        { path: `${tabs}/request`, title: '我的申请', count: person?.counts.requests },
      ]}
    />
  )
}
