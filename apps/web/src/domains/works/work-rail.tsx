import type { WorkDetail } from '@zhugong/contract/works/calls'
import { Card } from '#kit/feedback.tsx'
import { Papers } from '#kit/papers.tsx'

const words = { done: '已完成', now: '进行中', ahead: '未到', skipped: '不需要' } as const

/** The stages of a work in order: who ended each, when, and what the present one still lacks. */
export function WorkRail({ file }: { file: WorkDetail }) {
  return (
    <Card title="阶段">
      <ol className="work-rail">
        {file.stages.map((one) => (
          <li key={one.key} data-state={one.state} aria-current={one.state === 'now' ? 'step' : undefined}>
            <b>{one.title}</b>
            <span className="zg-2">{one.byName ?? words[one.state]}</span>
            {one.at && <span className="zg-2 zg-num">{one.at.slice(0, 16)}</span>}
            {one.missing.map((text) => (
              <small key={text} className="tone-danger">
                {text}
              </small>
            ))}
            {one.files.length > 0 && <Papers files={one.files} name={one.title} />}
          </li>
        ))}
      </ol>
    </Card>
  )
}
