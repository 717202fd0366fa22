import { EditOutlined } from '@ant-design/icons'
import type { LogLine } from '@zhugong/contract/kit/process'
import { colors } from '#kit/colors.ts'
import type { Step } from '#kit/work-item.tsx'

const bad: ReadonlySet<string> = new Set(['reject', 'suspend', 'remove', 'refuse', 'cancel'])
const good: ReadonlySet<string> = new Set(['pass', 'accept', 'resume', 'renew', 'finish'])

/** The history of a file or an activity as steps of a time line. */
export const expertSteps = (lines: readonly LogLine[]): Step[] =>
  lines.map((one) => ({
    id: one.id,
    time: one.at,
    icon: <EditOutlined />,
    color: bad.has(one.action) ? colors.danger : good.has(one.action) ? colors.fine : colors.primary,
    title: one.label,
    lines: [
      { text: [one.byName, one.groupName].filter(Boolean).join(' · '), bad: false },
      ...(one.opinion ? [{ text: one.opinion, bad: false }] : []),
    ],
  }))
