import type { LogLine } from '@zhugong/contract/kit/process'
import type { WorkStage } from '@zhugong/contract/works/calls'
import type { WorkAction } from '@zhugong/contract/works/moves'
import { formatInstant } from '#kit/clock'
import { missingFor, type Work } from './missing.ts'

interface Step {
  key: string
  title: string
  /** States in which the work stands at this stage. */
  at: readonly string[]
  /** Actions that end the stage. */
  ends: readonly (WorkAction | 'create')[]
  /** The action whose missing items are shown while the work stands here. */
  asks?: WorkAction
  files: (row: Work) => readonly (string | null)[]
}

const steps: readonly Step[] = [
  { key: 'known', title: '识别', at: ['0'], ends: ['create'], files: () => [] },
  { key: 'plan', title: '方案', at: ['1'], ends: ['submit'], asks: 'submit', files: (row) => row.planFiles },
  { key: 'audit', title: '审核', at: ['2'], ends: ['pass'], asks: 'pass', files: () => [] },
  {
    key: 'review',
    title: '论证',
    at: ['3', '4'],
    ends: ['review', 'passRevised'],
    files: (row) => [row.reviewReport, ...row.revisionFiles],
  },
  { key: 'disclosure', title: '交底', at: ['5'], ends: ['start'], asks: 'start', files: (row) => [...row.warnPhotos, ...row.monitorFiles] },
  { key: 'work', title: '实施', at: ['6'], ends: ['finish'], asks: 'finish', files: () => [] },
  { key: 'accept', title: '验收', at: ['7'], ends: ['accept'], asks: 'accept', files: (row) => row.acceptPhotos },
  { key: 'close', title: '销项', at: ['8'], ends: ['close'], files: () => [] },
]

/** The rail of a work: each stage with who ended it, when, its papers, and what it still lacks. `links`: addresses of files. */
export function stagesOf(row: Work, timeline: readonly LogLine[], links: (files: readonly string[]) => string[]): WorkStage[] {
  const here = row.state === '9' ? steps.length : steps.findIndex((one) => one.at.includes(row.state))
  return steps.map(({ key, title, ends, asks, files }, i) => {
    const last =
      i < here || (i === 0 && here === 0) ? timeline.filter((one) => ends.some((action) => action === one.action)).at(-1) : undefined
    const skipped = key === 'review' && !row.overScale && here > i
    return {
      key,
      title,
      state: skipped ? 'skipped' : i < here ? 'done' : i === here ? 'now' : 'ahead',
      byName: last?.byName ?? null,
      at: last ? formatInstant(last.at) : null,
      files: links(files(row).filter((id): id is string => id !== null)),
      missing: i === here && asks ? missingFor(row, asks).map((one) => one.text) : [],
    }
  })
}
