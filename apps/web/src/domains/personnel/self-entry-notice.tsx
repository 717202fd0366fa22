import { decideSelfEntry, selfEntryDoor } from '@zhugong/contract/personnel/self-entry'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'

/** Notice above the list of people: number of waiting self-registrations. */
export function SelfEntryNotice({ projectCode }: { projectCode: string }) {
  const mayDecide = useCan(decideSelfEntry)
  const { data } = useCall(selfEntryDoor, { query: { projectCode } }, { quiet: true, enabled: mayDecide, staleMs: 30_000 })
  if (!mayDecide || !data?.waiting) return null
  return (
    <Notice tone="warning" actions={<Link to="/selfEntry?state=waiting">去审核</Link>}>
      {data.waiting} 人自助登记待审核
    </Notice>
  )
}
