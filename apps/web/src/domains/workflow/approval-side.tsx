import { getApproval } from '@zhugong/contract/workflow/endpoints'
import { refresh, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { ApprovalCourse } from './approval-course.tsx'
import { ApprovalHandling } from './approval-handling.tsx'
import './workflow.css'

const everyMs = 15_000

/** Deciding beside the thing itself, where its own page shows it: what this person may do, and its course. */
export function ApprovalSide({ itemId, onDone }: { itemId: string; onDone: () => void }) {
  const { data, error, refetch } = useCall(getApproval, { params: { id: itemId } }, { quiet: true, everyMs })
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  // The page around it shows the thing itself, which is decided by now.
  const done = () => {
    refresh()
    onDone()
  }
  return (
    <>
      <ApprovalHandling key={`${data.id}${data.version}`} file={data} onNext={done} />
      <ApprovalCourse file={data} />
    </>
  )
}
