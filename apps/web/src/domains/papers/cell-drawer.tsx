import { cellStates } from '@zhugong/contract/papers/catalogue'
import { changePaper, createQualityPaper, type PaperEntry, readQualityCell, removePaper } from '@zhugong/contract/papers/quality'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Empty, Known, Notice, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { type CellKey, cellTones, Files, LateTag } from './paper-words.tsx'
import { LinkRecord, NewVersion, UploadPaper } from './quality-forms.tsx'

const standTones = { done: 'fine', waiting: 'warning', noted: 'neutral' } as const

/** What is in one cell: papers, and records that filed themselves. */
export function CellDrawer({ projectCode, cell, onClose }: { projectCode: string; cell: CellKey; onClose: () => void }) {
  const read = useCall(readQualityCell, { query: { projectCode, ...cell } }, { quiet: true, staleMs: 0 })
  const [doing, setDoing] = useState<'upload' | 'link'>()
  const d = read.data
  const title = d ? `${d.workName} ${d.placeName} · ${d.columnName}` : '资料'
  return (
    <PageDrawer open size={720} title={title} onClose={onClose}>
      <Known of={read}>
        {d && (
          <div className="zg-stack-12">
            <div className="zg-row zg-middle">
              <Tag tone={cellTones[d.state]}>{cellStates[d.state]}</Tag>
              <span className="zg-2">{d.list.length} 份资料与记录</span>
              <span className="zg-end zg-row">
                <Can call={createQualityPaper} at={{ projectCode }}>
                  <Button onClick={() => setDoing('link')}>关联记录</Button>
                  <Button type="primary" onClick={() => setDoing('upload')}>
                    上传资料
                  </Button>
                </Can>
              </span>
            </div>
            {d.list.length === 0 && <Empty small text="还没有资料" hint="上传资料，或关联已有的验收、实测与材料记录" />}
            {d.list.map((one) => (
              <Entry key={one.linkId ?? one.id} entry={one} projectCode={projectCode} />
            ))}
          </div>
        )}
      </Known>
      {doing === 'upload' && <UploadPaper projectCode={projectCode} cell={cell} onClose={() => setDoing(undefined)} />}
      {doing === 'link' && <LinkRecord projectCode={projectCode} cell={cell} onClose={() => setDoing(undefined)} />}
    </PageDrawer>
  )
}

function Entry({ entry, projectCode }: { entry: PaperEntry; projectCode: string }) {
  const { id, version } = entry
  const [adding, setAdding] = useState(false)
  const act = useAct(changePaper, { success: '已办理' })
  const remove = useAct(removePaper, { success: '已撤回' })
  const query = { projectCode }
  const may = (action: string) => entry.actions.some((one) => one.action === action)
  const run = (body: Parameters<typeof act.run>[0]['body']) => act.run({ params: { id }, query, body })
  const sendBack = async () => {
    const reason = await askReason(`退回 ${entry.name}`, '退回原因')
    if (reason) await run({ action: 'return', version, reason })
  }
  const take = async () => {
    const consequence = entry.linkId ? '只取消关联，记录本身不变。' : '撤回后文件不再出现在资料库。'
    if (await confirmDanger({ thing: `撤回 ${entry.name}`, consequence, verb: '撤回' }))
      await remove.run({ params: { id: entry.linkId ?? id }, query })
  }
  return (
    <section className="paper-entry" aria-label={entry.name}>
      <header className="zg-row zg-middle">
        {entry.link ? <Link to={entry.link}>{entry.name}</Link> : <b>{entry.name}</b>}
        <Tag tone={standTones[entry.stands]}>{entry.stateName}</Tag>
        {entry.late && <LateTag />}
        <span className="zg-end zg-row">
          {may('approve') && (
            <Button type="primary" size="small" loading={act.running} onClick={() => void run({ action: 'approve', version, opinion: '' })}>
              审核通过
            </Button>
          )}
          {may('return') && (
            <Button size="small" onClick={() => void sendBack()}>
              退回
            </Button>
          )}
          {may('submit') && (
            <Button type="primary" size="small" loading={act.running} onClick={() => void run({ action: 'submit', version })}>
              提交监理审核
            </Button>
          )}
          {may('newVersion') && (
            <Button size="small" onClick={() => setAdding(true)}>
              新版本
            </Button>
          )}
          {entry.removable && (
            <Button size="small" danger onClick={() => void take()}>
              {entry.linkId ? '取消关联' : '撤回'}
            </Button>
          )}
        </span>
      </header>
      <p className="zg-2">
        {[
          entry.linkId ? `关联：${entry.sourceName}` : entry.sourceName,
          entry.date ?? '--',
          entry.signer,
          entry.source ? undefined : `第 ${entry.versionNo} 版`,
        ]
          .filter(Boolean)
          .join('　')}
      </p>
      {entry.reason && <Notice tone="warning">退回原因：{entry.reason}</Notice>}
      <Files files={entry.files} />
      {entry.earlier.map((one) => (
        <div key={one.versionNo} className="zg-2">
          第 {one.versionNo} 版　{one.byName}　{one.at.slice(0, 16)}
          <Files files={one.files} />
        </div>
      ))}
      {adding && <NewVersion projectCode={projectCode} entry={entry} onClose={() => setAdding(false)} />}
    </section>
  )
}
