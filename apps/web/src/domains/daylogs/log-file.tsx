import { PrinterOutlined } from '@ant-design/icons'
import { returnedLog, submittedLog } from '@zhugong/contract/daylogs/moves'
import type { LogDetail } from '@zhugong/contract/daylogs/shapes'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Course } from '#kit/course.tsx'
import { usePage } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, ItemText, WorkItem } from '#kit/work-item.tsx'
import { LogComments, type Send } from './log-comments.tsx'
import { LogPaper } from './log-paper.tsx'
import { LogTag } from './log-words.tsx'

interface LogFileProps {
  file: LogDetail | undefined
  error: unknown
  retry: () => unknown
  noun: string
  /** The export of one day as a paper. */
  sheet: string
  send: Send
  busy: boolean
  side: 'reader' | 'writer'
  /** Actions of this page only. */
  actions?: readonly ItemAction[]
  /** Below the handling: the days around it. */
  aside?: ReactNode
  children?: ReactNode
}

/** A log with its comments, its history and what the caller may do. */
export function LogFile({ file, error, retry, noun, sheet, send, busy, side, actions = [], aside, children }: LogFileProps) {
  const page = usePage()
  const print = usePrint(sheet)
  const printable = file !== undefined && file.submittedAt !== null
  return (
    <WorkItem
      title={file && `${file.day} ${file.unitName ?? ''}${noun}`}
      tags={file && <LogTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName ?? file.visited.map((one) => one.name).join('、') },
              { label: '记录人', value: file.recorder },
              { label: '提交', value: file.submittedAt?.slice(0, 16) ?? '未提交' },
              { label: '问题', value: `${file.problemCount} 条` },
              { label: '批阅', value: file.openComments > 0 ? `${file.openComments} 条未回复` : `${file.commentCount} 条` },
            ]
          : []
      }
      actions={
        printable && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: sheet, exportType: 'pdf', query: { id: file.id } } })}
          >
            打印
          </Button>
        )
      }
      waiting={!file}
      error={error}
      retry={retry}
      onClose={page.close}
      side={
        file && (
          <>
            <LogHandling file={file} send={send} busy={busy} side={side} more={actions} />
            {aside}
            <Course lines={file.timeline} bad={['return']} />
          </>
        )
      }
    >
      {file && (
        <>
          <LogPaper file={file} />
          {children}
          <LogComments file={file} send={send} busy={busy} side={side} />
        </>
      )}
    </WorkItem>
  )
}

interface HandlingProps {
  file: LogDetail
  send: Send
  busy: boolean
  side: 'reader' | 'writer'
  more: readonly ItemAction[]
}
const leastReason = 5

function LogHandling({ file, send, busy, side, more }: HandlingProps) {
  const [returning, setReturning] = useState(false)
  const [opinion, setOpinion] = useState('')
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const refuse = async () => {
    if (await send({ action: 'return', opinion })) setReturning(false)
  }
  const actions: ItemAction[] = [
    ...more,
    ...(may('archive') ? [{ label: '归档', run: () => send({ action: 'archive' }) }] : []),
    ...(side === 'reader' && may('return')
      ? [{ label: returning ? '确认退回' : '退回修改', danger: true, run: returning ? refuse : () => setReturning(true) }]
      : []),
  ]
  const short = returning && opinion.trim().length > 0 && opinion.trim().length < leastReason
  return (
    <Handling remark={file.stateName} actions={actions} busy={busy} none={waitsFor(file)}>
      {returning && (
        <ItemText
          label="退回原因"
          hint="写明需要补充或更正的内容"
          value={opinion}
          onChange={setOpinion}
          problem={short ? `至少 ${leastReason} 个字` : undefined}
        />
      )}
    </Handling>
  )
}

function waitsFor({ state, openComments }: LogDetail): string {
  if (state === returnedLog) return '已退回，等待填写方修改'
  if (openComments > 0) return '等待填写方回复批阅'
  return state === submittedLog ? '已提交' : '已归档，只能追加批阅'
}
