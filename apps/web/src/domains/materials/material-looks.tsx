import {
  CheckOutlined,
  CloseCircleOutlined,
  EditOutlined,
  ExperimentOutlined,
  ExportOutlined,
  ImportOutlined,
  SendOutlined,
} from '@ant-design/icons'
import { colors } from '#kit/colors.ts'
import type { CourseLooks } from '#kit/course.tsx'

/** How the steps of a batch are drawn in its history. */
export const courseLooks: CourseLooks = {
  receive: { icon: <ImportOutlined />, color: colors.primary },
  accept: { icon: <CheckOutlined />, color: colors.fine },
  sample: { icon: <ExperimentOutlined />, color: colors.primary },
  send: { icon: <SendOutlined />, color: colors.primary },
  report: { icon: <CheckOutlined />, color: colors.fine },
  use: { icon: <ExportOutlined />, color: colors.text2 },
  correct: { icon: <EditOutlined />, color: colors.warning },
  block: { icon: <CloseCircleOutlined />, color: colors.danger },
  withdraw: { icon: <ExportOutlined />, color: colors.danger },
}
