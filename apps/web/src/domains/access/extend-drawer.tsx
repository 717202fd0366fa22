import { extendMembers } from '@zhugong/contract/access/group-roles'
import { useAct } from '#kit/call.ts'
import { MembershipDrawer } from './membership-drawer.tsx'

interface ExtendProps {
  memberIds: readonly string[]
  onDone: () => void
  onClose: () => void
}

/** Extends the end date of several members of the caller's own group. */
export function ExtendDrawer({ memberIds, onDone, onClose }: ExtendProps) {
  const act = useAct(extendMembers, {
    success: ({ extended, kept }) => `已延长 ${extended} 人${kept ? `，${kept} 人的有效期本来就不早于此日` : ''}`,
    onDone,
  })
  return (
    <MembershipDrawer
      act={act}
      title="批量延期"
      remark={`${memberIds.length} 人`}
      saveText="延长"
      initial={{ memberIds: [...memberIds] }}
      input={(body) => ({ body: { ...body, memberIds: [...memberIds] } })}
      until={{ name: 'expireDate', label: '延长到', help: '不选为长期；只会延长，不会提前；不能长于您自己的权限期限，自己的须由他人延长' }}
      onClose={onClose}
    />
  )
}
