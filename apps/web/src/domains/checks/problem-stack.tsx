import { majorLevel } from '@zhugong/contract/rectify/moves'
import { Button } from 'antd'
import { Card, Tag } from '#kit/feedback.tsx'
import { FieldThumb } from '#kit/field/field-photos.tsx'
import type { Problem } from './problem-editor.tsx'

interface StackProps {
  problems: readonly Problem[]
  /** The server's messages by field. */
  wrong: Readonly<Record<string, string>>
  onChange: (at: number) => void
  onRemove: (at: number) => void
}

/** The problems of a round that have been written, each to be changed or taken out. */
export function ProblemStack({ problems, wrong, onChange, onRemove }: StackProps) {
  if (problems.length === 0) return null
  return (
    <Card title="本次检查的问题" remark={`${problems.length} 个问题`}>
      <ol className="check-stack">
        {problems.map((one, i) => (
          <Kept
            key={`${one.description}${one.photos?.[0] ?? i}`}
            problem={one}
            fault={faultOf(wrong, i)}
            onChange={() => onChange(i)}
            onRemove={() => onRemove(i)}
          />
        ))}
      </ol>
    </Card>
  )
}

/** The server's message about one problem of the stack. */
const faultOf = (wrong: Readonly<Record<string, string>>, i: number): string | undefined =>
  Object.entries(wrong).find(([field]) => field.startsWith(`problems.${i}.`))?.[1]

function Kept({
  problem,
  fault,
  onChange,
  onRemove,
}: {
  problem: Problem
  fault: string | undefined
  onChange: () => void
  onRemove: () => void
}) {
  return (
    <li data-wrong={fault ? '' : undefined}>
      <FieldThumb address={problem.photos[0]} name={problem.description} />
      <div>
        <p>{problem.description}</p>
        <p className="zg-2">
          {problem.part} · 期限 {problem.deadline}
          {problem.person ? ` · ${problem.person}` : ''}
        </p>
        {problem.dangerLevel === majorLevel && <Tag tone="danger">重大</Tag>}
        {problem.mended && <Tag tone="fine">当场改正</Tag>}
        {(problem.voices?.length ?? 0) > 0 && <Tag icon={false}>录音 {problem.voices?.length} 段</Tag>}
        {fault && <p className="tone-danger">{fault}</p>}
      </div>
      <span className="zg-row zg-gap-6">
        <Button onClick={onChange}>修改</Button>
        <Button danger onClick={onRemove}>
          删除
        </Button>
      </span>
    </li>
  )
}
