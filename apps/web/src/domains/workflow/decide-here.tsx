import { listApprovals } from '@zhugong/contract/home/endpoints'
import { type ApprovalRow, actOnApproval } from '@zhugong/contract/workflow/endpoints'
import { useMemo, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { BatchPass } from './batch-pass.tsx'

const mostDecided = 200

/** What waits for one in the active group and can be decided without opening it: no signature, nothing to be chosen. By the item's id. */
export function useDecidedHere(): ReadonlyMap<string, ApprovalRow> {
  const may = useCan(actOnApproval)
  const { data } = useCall(listApprovals, { query: { box: 'todo', size: mostDecided } }, { quiet: true, enabled: may })
  return useMemo(() => new Map((data?.list ?? []).filter((row) => row.batch).map((row) => [row.id, row])), [data])
}

/** Agrees after showing what is agreed to, refuses with a reason. */
export function DecideHere({ row }: { row: ApprovalRow }) {
  const [asked, setAsked] = useState(false)
  const act = useAct(actOnApproval, { success: '已驳回', refreshes: [listApprovals] })
  const reject = async () => {
    const opinion = await askReason(`驳回 ${row.title}`, '驳回原因')
    if (opinion !== undefined) await act.run({ params: { id: row.id }, body: { result: 'reject', opinion, version: row.version } })
  }
  return (
    <>
      <button type="button" className="zg-bare zg-link" onClick={() => setAsked(true)}>
        同意
      </button>
      {row.actions.includes('reject') && (
        <button type="button" className="zg-bare zg-link" disabled={act.running} onClick={() => void reject()}>
          驳回
        </button>
      )}
      {asked && <BatchPass rows={[row]} onClose={() => setAsked(false)} />}
    </>
  )
}
