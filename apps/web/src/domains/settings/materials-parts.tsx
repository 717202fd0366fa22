import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listMaterials, type MaterialRow } from '@zhugong/contract/settings/materials'
import { useCall } from '#kit/call.ts'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'

export type Stage = OutputFor<typeof listMaterials>['stages'][number]

const tones: Record<string, Tone> = { missing: 'danger', later: 'neutral', '0': 'running', '1': 'warning', '2': 'fine', '3': 'danger' }

/** State of a document, with a remark if it expires soon. */
export function MaterialTag({ row }: { row: MaterialRow }) {
  return (
    <>
      <Tag tone={tones[row.state] ?? 'neutral'}>{row.stateName}</Tag>
      {row.due && <Tag tone={row.due === 'ended' ? 'danger' : 'warning'}>{row.due === 'ended' ? '已过期' : '将过期'}</Tag>}
      {row.notNeeded !== null && <Tag icon={false}>不适用</Tag>}
    </>
  )
}

export const FileLinks = ({ files }: { files: readonly string[] }) =>
  files.map((href, at) => (
    <a key={href} href={href} target="_blank" rel="noreferrer">
      附件 {at + 1}
    </a>
  ))

export function useMaterials() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || chosen
  const read = useCall(listMaterials, { query: { projectCode } }, { quiet: true, staleMs: 0, enabled: projectCode !== '*' })
  return { projectCode, ...read }
}
