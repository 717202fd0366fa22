import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listPassages } from '@zhugong/contract/monitoring/gateway/passages'
import { markPassages } from '@zhugong/contract/monitoring/record-fixes'
import { Button } from 'antd'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { PageModal } from '#kit/overlay.tsx'
import { usePage } from '#kit/page.tsx'
import './gateway.css'
import { commandOf, type KeyMark, keyMarks, reasonOf } from './passage-keys.ts'

type Passage = OutputFor<typeof listPassages>['list'][number]

const linesIn = (box: RefObject<HTMLElement | null>) => [
  ...(box.current?.querySelectorAll<HTMLElement>('tr[data-row-key],div.ant-table-row[data-row-key]') ?? []),
]
const elsewhere = 'input:not([type=checkbox]),textarea,select,[contenteditable=true],[role=dialog],[role=menu],[role=listbox],[role=slider]'

/** Review of doubtful passages by keyboard. Keys typed in input fields are ignored. */
export function PassageKeyBar({ box, rows }: { box: RefObject<HTMLElement | null>; rows: readonly Passage[] }) {
  const { active } = usePage()
  const [helping, setHelping] = useState(false)
  const [said, setSaid] = useState('')
  // Index to focus after the marked row has left the list.
  const next = useRef<number>(undefined)
  const marking = useRef<{ plateNo: string; mark: KeyMark }>(undefined)
  const act = useAct(markPassages, {
    success: false,
    refreshes: [listPassages],
    onDone: ({ done, failed }) => {
      const { plateNo, mark } = marking.current ?? {}
      setSaid(done > 0 ? `${plateNo} 已标记${mark?.label}` : `${plateNo} 未标记：${failed[0]?.reason ?? ''}`)
    },
  })
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || act.running) return
    if (event.target instanceof Element && event.target.closest(elsewhere)) return
    const command = commandOf(event.key)
    if (!command) return
    if (command.kind === 'help') return setHelping(true)
    const lines = linesIn(box)
    const at = lines.indexOf(document.activeElement?.closest('[data-row-key]') as HTMLElement)
    if (command.kind === 'step') {
      // The table itself handles arrow keys.
      if (event.key.startsWith('Arrow')) return
      event.preventDefault()
      lines[Math.min(lines.length - 1, Math.max(0, at < 0 ? 0 : at + command.by))]?.focus()
      return
    }
    const row = rows.find((one) => one.id === lines[at]?.dataset.rowKey)
    if (!row) return setSaid('先用 J、K 选中一行')
    next.current = at
    marking.current = { plateNo: row.plateNo, mark: command.mark }
    void act.run({
      query: { projectCode: row.projectCode },
      body: { rows: [{ id: row.id, version: row.version }], ...command.mark.mark, reason: reasonOf(command.mark) },
    })
  }
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    if (!active) return
    const on = (event: KeyboardEvent) => latest.current(event)
    window.addEventListener('keydown', on)
    return () => window.removeEventListener('keydown', on)
  }, [active])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page of rows is what is waited for
  useEffect(() => {
    const at = next.current
    if (at === undefined) return
    next.current = undefined
    const lines = linesIn(box)
    lines[Math.min(at, lines.length - 1)]?.focus()
  }, [rows])
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setHelping(true)}>
        快捷键 ?
      </Button>
      <span className="zg-2" role="status">
        {said || 'J、K 移动，数字键标记'}
      </span>
      <PageModal open={helping} width={380} title="待核快捷键" footer={null} onCancel={() => setHelping(false)}>
        <dl className="gate-keys">
          <dt>
            <kbd>J</kbd> <kbd>K</kbd> <kbd>↓</kbd> <kbd>↑</kbd>
          </dt>
          <dd>下一行、上一行</dd>
          <dt>
            <kbd>Enter</kbd>
          </dt>
          <dd>看通行详情</dd>
          {keyMarks.map((one) => (
            <div key={one.key}>
              <dt>
                <kbd>{one.key}</kbd>
              </dt>
              <dd>{one.label}</dd>
            </div>
          ))}
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>打开这张表</dd>
        </dl>
        <p className="zg-2">标记写入该车的更正记录，原值保留；在输入框内打字时不起作用。</p>
      </PageModal>
    </>
  )
}
