import { BellOutlined } from '@ant-design/icons'
import { listHomeAlerts } from '@zhugong/contract/home/endpoints'
import { listMessages, readMessages } from '@zhugong/contract/notify/endpoints'
import { Popover, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, ErrorPanel, RiskBadge, TableSkeleton } from '#kit/feedback.tsx'
import { countCap, isRiskLevel, time } from '#kit/format.ts'

const shown = 30
const tasksEveryMs = 60_000
/** Short interval: the sender of a message may be waiting for a reply. */
const messagesEveryMs = 20_000

/** The bell: open tasks and unread messages. */
export function Alerts({ onOpen }: { onOpen: (path: string) => void }) {
  const [open, setOpen] = useState(false)
  const [view, setView] = useState<'tasks' | 'messages'>('tasks')
  const tasks = useCall(listHomeAlerts, { query: {} }, { quiet: true, everyMs: tasksEveryMs, staleMs: 30_000 })
  const messages = useCall(listMessages, { query: { size: shown } }, { quiet: true, everyMs: messagesEveryMs, staleMs: 10_000 })
  const read = useAct(readMessages, { success: false, refreshes: [listMessages] })
  const unread = messages.data?.counts.unread
  // A call without data is not counted.
  const entries = [tasks.data?.total, unread].filter((n) => n !== undefined)
  const total = entries.reduce((n, one) => n + one, 0)
  const follow = (link: string) => {
    setOpen(false)
    onOpen(link)
  }
  const taskList = tasks.error ? (
    <ErrorPanel error={tasks.error} retry={tasks.refetch} />
  ) : !tasks.data ? (
    <TableSkeleton rows={3} columns={1} />
  ) : tasks.data.list.length === 0 ? (
    <Empty small text="没有待办" />
  ) : (
    tasks.data.list.slice(0, shown).map((one) => (
      <div key={one.id} className="item">
        {isRiskLevel(one.level) ? <RiskBadge level={one.level} word={false} /> : <span className="dot" />}
        <div className="zg-shrink">
          <div className="title">{one.title}</div>
          <div className="zg-2 zg-small">{[one.time ? time(one.time, '') : '', one.reason].filter(Boolean).join('，')}</div>
        </div>
        {one.link && (
          <button type="button" className="zg-bare zg-link" onClick={() => follow(one.link)}>
            {one.action ?? '查看'}
          </button>
        )}
      </div>
    ))
  )
  const messageList = messages.error ? (
    <ErrorPanel error={messages.error} retry={messages.refetch} />
  ) : !messages.data ? (
    <TableSkeleton rows={3} columns={1} />
  ) : messages.data.list.length === 0 ? (
    <Empty small text="没有消息" />
  ) : (
    messages.data.list.map((one) => (
      <div key={one.id} className={one.read ? 'item read' : 'item'}>
        {isRiskLevel(one.level) ? <RiskBadge level={one.level} word={false} /> : <span className="dot" />}
        <div className="zg-shrink">
          <div className="title">{one.title}</div>
          <div className="zg-2 text">{one.text}</div>
          <div className="zg-2 zg-small">{time(one.time, '')}</div>
        </div>
        {(one.link || !one.read) && (
          <button
            type="button"
            className="zg-bare zg-link"
            onClick={() => {
              if (!one.read) void read.run({ body: { ids: [one.id] } })
              if (one.link) follow(one.link)
            }}
          >
            {one.link ? '查看' : '已读'}
          </button>
        )}
      </div>
    ))
  )
  const content = (
    <div className="app-alerts">
      <Segmented
        block
        value={view}
        onChange={setView}
        options={[
          { value: 'tasks', label: `待办 ${tasks.data?.total ?? '--'}` },
          { value: 'messages', label: `消息 ${unread ?? '--'}` },
        ]}
      />
      <div className="list">{view === 'tasks' ? taskList : messageList}</div>
      <div className="foot">
        <span className="zg-2">一级告警不受静默限制</span>
        {view === 'tasks' ? (
          <Link to="/workbench" onClick={() => setOpen(false)}>
            全部
          </Link>
        ) : (
          <button
            type="button"
            className="zg-bare zg-link"
            disabled={!unread || read.running}
            onClick={() => void read.run({ body: { all: true } })}
          >
            全部已读
          </button>
        )}
      </div>
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" open={open} onOpenChange={setOpen} content={content}>
      <button type="button" className="zg-bare icon" aria-label={`待办与消息，${countCap(total)} 条`}>
        <BellOutlined />
        {total > 0 && <span className="count">{countCap(total)}</span>}
      </button>
    </Popover>
  )
}
