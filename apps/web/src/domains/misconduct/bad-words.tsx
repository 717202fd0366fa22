import type { BadActionRow, BadEffect, BadLikeness } from '@zhugong/contract/misconduct/calls'
import { badStates } from '@zhugong/contract/misconduct/codes'
import { Link } from 'react-router'
import { Card, Tag, type Tone } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'danger',
  3: 'neutral',
  4: 'running',
  5: 'fine',
  6: 'neutral',
  7: 'neutral',
}
type Stated = Pick<BadActionRow, 'state' | 'stateName' | 'system'> & { publishStart?: string | null }

/** The state of a record; a decided one is published only after its receipt. */
export function BadStateTag({ row }: { row: Stated }) {
  const unpublished = row.state === badStates.decided && row.publishStart === null
  return (
    <>
      <Tag tone={tones[row.state]}>{unpublished ? '已认定（待签收）' : row.stateName}</Tag>
      {row.system && row.state === badStates.draft && <Tag tone="running">系统建议</Tag>}
    </>
  )
}

const levelTones: Readonly<Record<string, Tone>> = { 1: 'neutral', 2: 'warning', 3: 'danger' }
export const LevelTag = ({ level, name }: { level: string; name: string }) => <Tag tone={levelTones[level]}>{name}</Tag>

/** What the record does to the points of its target. */
export function EffectCard({ effect, remark }: { effect: BadEffect; remark?: string | undefined }) {
  const { label, before, after, notes } = effect
  return (
    <Card title="影响" remark={remark}>
      <p className="bad-points">
        <span className="zg-2">{label}</span> <b className="zg-num">{before ?? '--'}</b> <span aria-hidden="true">→</span>{' '}
        <b className="zg-num tone-danger">{after ?? '--'}</b>
      </p>
      <ul className="zg-work-lines">
        {notes.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Card>
  )
}

/** Records that may be about the same fact. */
export function LikesCard({ likes }: { likes: readonly BadLikeness[] }) {
  if (likes.length === 0) return null
  return (
    <Card title="可能是同一事实" remark={`${likes.length} 份`}>
      <ul className="zg-work-lines">
        {likes.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf('/misconductDetails', { id: one.id })}>{one.code ?? '草稿'}</Link> {one.occurrenceDate} {one.typeName}（
            {one.stateName}）
            <br />
            <span className="zg-2">{one.fact}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
