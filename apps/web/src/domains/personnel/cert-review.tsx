import type { CertStockRow } from '@zhugong/contract/personnel/certificate-model'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { auditCert } from '@zhugong/contract/personnel/papers'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct } from '#kit/call.ts'
import { Empty, Pairs } from '#kit/feedback.tsx'
import { daysLeft } from '#kit/format.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { Thumb } from '#kit/viewers.tsx'

/** Reviews certificates one by one beside their scans: J next, K previous, A approve, R reject with a reason. */
export function CertReview({ rows, first, onClose }: { rows: readonly CertStockRow[]; first: string; onClose: () => void }) {
  // Snapshot of the list: decided rows leave the list behind, but the order here must not change.
  const [queue] = useState(() => [...rows])
  const [at, setAt] = useState(
    Math.max(
      0,
      queue.findIndex((row) => row.id === first),
    ),
  )
  const [done, setDone] = useState<Readonly<Record<string, '1' | '2'>>>({})
  const act = useAct(auditCert, { success: false })
  const row = queue[at]
  const move = (step: number) => setAt((now) => Math.min(queue.length - 1, Math.max(0, now + step)))
  const decide = async (result: '1' | '2') => {
    if (!row || done[row.id] || act.running) return
    const opinion = result === auditStates.refused ? await askReason(`驳回 ${row.name} 的${row.title}`, '驳回意见') : ''
    if (opinion === undefined) return
    if (!(await act.run({ body: { id: row.id, result, opinion } }))) return
    setDone((now) => ({ ...now, [row.id]: result }))
    move(1)
  }
  const keys = useRef<Record<string, () => void>>({})
  keys.current = { j: () => move(1), k: () => move(-1), a: () => void decide('1'), r: () => void decide('2') }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return
      keys.current[event.key.toLowerCase()]?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  const verdict = row && done[row.id]
  return (
    <PageDrawer
      open
      size={720}
      title={`审核证书 ${queue.length ? at + 1 : 0} / ${queue.length}`}
      onClose={onClose}
      footer={
        <div className="per-review-foot">
          <Button disabled={at === 0} onClick={() => move(-1)}>
            上一本（K）
          </Button>
          <Button disabled={at >= queue.length - 1} onClick={() => move(1)}>
            下一本（J）
          </Button>
          <span className="right">
            <Button danger disabled={!row || Boolean(verdict)} onClick={() => void decide('2')}>
              驳回（R）
            </Button>
            <Button type="primary" loading={act.running} disabled={!row || Boolean(verdict)} onClick={() => void decide('1')}>
              通过（A）
            </Button>
          </span>
        </div>
      }
    >
      {!row ? (
        <Empty text="没有待审核的证书" />
      ) : (
        <div className="per-review">
          <div className="pictures">
            {row.files.length === 0 ? (
              <Empty text="未上传照片" />
            ) : (
              row.files.map((file, i) => <Thumb key={file} src={file} name={`${row.title} ${i + 1}`} width={320} height={220} />)
            )}
          </div>
          <div>
            {verdict && (
              <div className={verdict === auditStates.passed ? 'tone-fine' : 'tone-danger'}>
                {verdict === auditStates.passed ? '已通过' : '已驳回'}
              </div>
            )}
            <Pairs
              items={[
                { label: '姓名', value: row.name },
                { label: '工种或岗位', value: row.workTypeName },
                { label: '班组', value: row.teamName },
                { label: '证书', value: row.title, wide: true },
                { label: '类型', value: [row.certTypeName, row.specialTypeName].filter(Boolean).join(' · ') },
                { label: '编号', value: row.certNo },
                { label: '发证机关', value: row.grantOrg, wide: true },
                { label: '发证日期', value: row.issueDate },
                { label: '有效期至', value: row.validEnd ? `${row.validEnd}，${daysLeft(row.validEnd)}` : '长期' },
                { label: '录入时间', value: row.updateTime ?? row.createTime },
              ]}
            />
          </div>
        </div>
      )}
    </PageDrawer>
  )
}
