import { getRectify } from '@zhugong/contract/rectify/calls'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { RectifyHandling } from './rectify-handling.tsx'
import { RectifyProblems } from './rectify-problems.tsx'
import { type ReplyExtra, ReplyForm } from './reply-form.tsx'
import { VerdictForm } from './verdict-form.tsx'

export { RectifyStateTag } from './rectify-words.tsx'
export type { ReplyExtra } from './reply-form.tsx'

/** A notice, also without network. */
export const useNotice = (id: string) =>
  useCall(getRectify, { params: { id } }, { quiet: true, staleMs: 0, offline: true, enabled: id !== '' })

/** Problems of a notice on the page of the record it comes from: with the form of the caller's step where it is his turn. */
export function NoticeProblems({ id, extra }: { id: string; extra?: ReplyExtra }) {
  const { data: file, error, refetch } = useNotice(id)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!file) return <DetailSkeleton />
  const may = (action: string) => file.actions.some((one) => one.action === action)
  if (may('reply')) return <ReplyForm file={file} extra={extra} />
  if (may('jlPass') || may('recheckPass')) return <VerdictForm file={file} by={may('jlPass') ? 'supervisor' : 'issuer'} />
  return <RectifyProblems file={file} />
}

/** What the caller may do with a notice now, beside its problems. */
export function NoticeHandling({ id }: { id: string }) {
  const { data: file } = useNotice(id)
  return file ? <RectifyHandling file={file} /> : null
}
