import type { CellState, PaperColumn } from '@zhugong/contract/papers/catalogue'
import type { DutyState } from '@zhugong/contract/papers/duties'
import { type ReactNode, useEffect } from 'react'
import { Tag } from '#kit/feedback.tsx'
import { useMe, useProjectCode } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import { usePref } from '#kit/pref-state.ts'
import { ProjectPicker } from '#kit/project-picker.tsx'

export interface CellKey {
  placeId: string
  work: string
  column: PaperColumn
}

export const paths = { quality: '/useMonitor2', safety: '/useMonitor3' } as const
/** What the server stores in one piece or in parts. */
export const acceptedFiles = '.pdf,.doc,.docx,.xls,.xlsx,.jpg,.jpeg,.png,.webp,.zip,.dwg,.mp4'
export const maxFileMb = 500

export const cellTones: Readonly<Record<CellState, 'fine' | 'danger' | 'warning' | 'neutral'>> = {
  full: 'fine',
  missing: 'danger',
  waiting: 'warning',
  none: 'neutral',
}
export const dutyTones: Readonly<Record<DutyState, 'fine' | 'danger' | 'warning' | 'neutral' | 'running'>> = {
  filed: 'fine',
  open: 'running',
  overdue: 'danger',
  ending: 'warning',
  exempt: 'neutral',
}

export const LateTag = () => <Tag tone="warning">后补</Tag>

const kept = 8
const usedProjects = 'papers:projects'

/** A library is of one project. While all projects are chosen, the user picks one, the last used first; a to-do names it. */
export function OneProject({ why, children }: { why: string; children: (projectCode: string) => ReactNode }) {
  const requested = usePageQuery().get('project')
  const chosen = useProjectCode()
  const projectCode = chosen === '*' && requested ? requested : chosen
  const userId = useMe((me) => me.info?.id)
  const [used, setUsed] = usePref<string[]>(`${usedProjects}:${userId ?? ''}`, [])
  useEffect(() => {
    if (projectCode !== '*' && used[0] !== projectCode) setUsed([projectCode, ...used.filter((one) => one !== projectCode)].slice(0, kept))
  }, [projectCode, used, setUsed])
  return projectCode === '*' ? <ProjectPicker why={why} first={used} /> : children(projectCode)
}

export function Files({ files }: { files: readonly { url: string; name: string }[] }) {
  if (files.length === 0) return null
  return (
    <ul className="paper-files">
      {files.map((one) => (
        <li key={one.url}>
          <a href={one.url} target="_blank" rel="noreferrer">
            {one.name}
          </a>
        </li>
      ))}
    </ul>
  )
}
