import { checkAccount } from '@zhugong/contract/labour/stays'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Notice } from '#kit/feedback.tsx'

/** Problems of a person's wage account, found before the bank rejects a payment. */
export function AccountCheck({ id }: { id: string }) {
  const may = useCan(checkAccount)
  const read = useCall(checkAccount, { query: { id } }, { quiet: true, enabled: may })
  if (!read.data) return null
  return read.data.ok ? <Notice tone="fine">账户齐全，一人一卡。</Notice> : <Notice tone="warning">{read.data.problems.join('；')}</Notice>
}
