import { CheckOutlined, EditOutlined, SendOutlined } from '@ant-design/icons'
import type { LogLine } from '@zhugong/contract/kit/process'
import { colors } from '#kit/colors.ts'
import type { Step } from '#kit/work-item.tsx'

const icons: Readonly<Record<string, React.ReactNode>> = { create: <EditOutlined />, issue: <SendOutlined />, lock: <CheckOutlined /> }

/** The history of a campaign as steps of the line. */
export const stepsOf = (lines: readonly LogLine[]): Step[] =>
  lines.map(({ id, at, action, label, byName, groupName, opinion }) => ({
    id,
    time: at,
    icon: icons[action] ?? <CheckOutlined />,
    color: colors.primary,
    title: label,
    lines: [{ text: `${byName}（${groupName}）`, bad: false }, ...(opinion ? [{ text: opinion, bad: false }] : [])],
  }))
