import { listOpenings } from '@zhugong/contract/onboarding/openings'
import { Button } from 'antd'
import { Can } from '#kit/can.tsx'
import { useGo } from '#kit/page.tsx'

/** Opens a customer with his first administrator, whose invitation is sent by the wizard: for every page on which somebody looks for that. */
export function OpeningWizard() {
  const go = useGo()
  return (
    <Can call={listOpenings}>
      <Button onClick={() => go('/projectOpening')}>开通向导（含首位管理员邀请）</Button>
    </Can>
  )
}
