import { groupTypes } from '@zhugong/contract/access/group-types'
import { useGroupType } from '#kit/me.ts'
import { NoticeForm } from './notice-form.tsx'
import { RectifyPage } from './rectify-work.tsx'

/** For an authority: a notice that does not come from a check. For the site: the answer to a notice. */
export default function RegulatorEditPage() {
  const isAuthority = useGroupType() === groupTypes.government
  if (isAuthority) return <NoticeForm title="下发整改" sourceType="01" list="/safetySupervisionRectification/list" />
  return <RectifyPage from={{ path: '/safetySupervisionRectification/list', name: '监管整改' }} />
}
