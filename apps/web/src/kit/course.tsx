import { EditOutlined } from '@ant-design/icons'
import type { LogLine } from '@zhugong/contract/kit/process'
import type { ReactNode } from 'react'
import { colors } from './colors.ts'
import { Timeline } from './work-item.tsx'

export type CourseLooks = Readonly<Record<string, { icon: ReactNode; color: string }>>

interface CourseProps {
  lines: readonly LogLine[]
  /** Actions that stand out. */
  bad?: readonly string[]
  /** Icon and colour by action, where the default does not say enough. */
  looks?: CourseLooks
}

/** The history of a record. */
export function Course({ lines, bad = [], looks }: CourseProps) {
  const lookOf = (action: string) =>
    looks?.[action] ?? { icon: <EditOutlined />, color: bad.includes(action) ? colors.danger : looks ? colors.text2 : colors.primary }
  return (
    <Timeline
      steps={lines.map((one) => ({
        id: one.id,
        time: one.at,
        ...lookOf(one.action),
        title: one.label,
        lines: [
          { text: [one.byName, one.groupName].filter(Boolean).join(' · '), bad: false },
          ...(one.opinion ? [{ text: one.opinion, bad: bad.includes(one.action) }] : []),
        ],
      }))}
    />
  )
}
