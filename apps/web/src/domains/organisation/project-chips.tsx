import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import type { projectCounts } from '@zhugong/contract/organisation/projects'

const chips = [
  ['', '全部', 'total'],
  ['building', '在建', 'building'],
  ['stopped', '停工', 'stopped'],
  ['toStart', '待开工确认', 'toStart'],
  ['noSuperviseNo', '无监督登记', 'noSuperviseNo'],
  ['noFence', '无电子围栏', 'noFence'],
  ['silent', '7 日无考勤', 'silent'],
] as const

interface ProjectChipsProps {
  counts: OutputFor<typeof projectCounts> | undefined
  chosen: string | undefined
  choose: (chip: string | undefined) => void
}

/** Chips for the most used filters, each with its count. */
export function ProjectChips({ counts, chosen, choose }: ProjectChipsProps) {
  return (
    <div className="org-chips" role="tablist" aria-label="项目分组">
      {chips.map(([value, label, key]) => {
        const on = (chosen ?? '') === value
        const count = counts?.[key]
        const wrong = ['noSuperviseNo', 'noFence', 'silent', 'stopped'].includes(value) && Boolean(count)
        return (
          <button
            key={label}
            type="button"
            role="tab"
            aria-selected={on}
            className={`zg-bare ${on ? 'on' : ''}`}
            onClick={() => choose(value || undefined)}
          >
            {label} <b className={wrong ? 'tone-danger' : ''}>{count ?? '--'}</b>
          </button>
        )
      })}
    </div>
  )
}
