import { listApprovals } from '@zhugong/contract/home/endpoints'
import { type ApprovalRow, actOnApproval } from '@zhugong/contract/workflow/endpoints'
import { useMemo, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { BatchPass } from './batch-pass.tsx'

const mostDecided = 200

/** Items that wait for the user in the active group and need neither a signature nor a choice, by item id. */
export function useDecidedHere(): ReadonlyMap<string, ApprovalRow> {
  const may = useCan(actOnApproval)
  const { data } = useCall(listApprovals, { query: { box: 'todo', size: mostDecided } }, { quiet: true, enabled: may })
  return useMemo(() => new Map((data?.list ?? []).filter((row) => row.batch).map((row) => [row.id, row])), [data])
}

/** Buttons in a row: approve after showing the item, refuse with a reason. */
export function DecideHere({ row }: { row: ApprovalRow }) {
  const [submitted, setSubmitted] = useState(false)
  const act = useAct(actOnApproval, { success: '已驳回', refreshes: [listApprovals] })
  const reject = async () => {
    const opinion = await askReason(`驳回 ${row.title}`, '驳回原因')
    if (opinion !== undefined) await act.run({ params: { id: row.id }, body: { result: 'reject', opinion, version: row.version } })
  }
  return (
    <>
      <button type="button" className="zg-bare zg-link" onClick={() => setSubmitted(true)}>
        同意
      </button>
      {row.actions.includes('reject') && (
        <button type="button" className="zg-bare zg-link" disabled={act.running} onClick={() => void reject()}>
          驳回
        </button>
      )}
      {submitted && <BatchPass rows={[row]} onClose={() => setSubmitted(false)} />}
    </>
  )
}
