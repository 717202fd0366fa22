import { listOpenings } from '@zhugong/contract/onboarding/openings'
import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { useGo } from '#kit/page.tsx'

/** Link to the wizard that creates a customer and invites its first administrator; for pages where users look for it. */
export function OpeningWizard() {
  const go = useGo()
  return (
    <Can call={listOpenings}>
      <Button onClick={() => go('/projectOpening')}>开通向导（含首位管理员邀请）</Button>
    </Can>
  )
}
