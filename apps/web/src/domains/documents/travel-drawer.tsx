import { changeTravel, getTravel, type TravelStop, urgeTravel, zipTravel } from '@zhugong/contract/documents/travel'
import { stopStates } from '@zhugong/contract/documents/travel-moves'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { callBlob, saveBlob, showFailure, useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { DetailSkeleton, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { ForwardSheet, SubmitSheet } from './travel-forms.tsx'
import './documents.css'

const query = { projectCode: '*' }
interface FileLink {
  url: string
  name: string
}

/** A paper as its issuer, or as one of its recipients sees it. */
export function TravelDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useCall(getTravel, { params: { id }, query }, { quiet: true })
  const [doing, setDoing] = useState<'forward' | 'submit'>()
  const act = useAct(changeTravel)
  const urge = useAct(urgeTravel, { success: ({ told }) => `已提醒 ${told} 人` })
  const d = read.data
  const pack = () => callBlob(zipTravel, { params: { id }, query }).then(saveBlob, showFailure)
  const simple = (stop: TravelStop, action: 'read' | 'accept') =>
    act.run({ params: { id: stop.id }, query, body: { action, version: stop.version } })
  const sendBack = async (stop: TravelStop) => {
    const opinion = await askReason(`退回 ${stop.toName} 的上报`, '退回原因')
    if (opinion) await act.run({ params: { id: stop.id }, query, body: { action: 'return', version: stop.version, opinion } })
  }
  const may = (stop: TravelStop, action: string) => stop.actions.some((one) => one.action === action)
  return (
    <PageDrawer open title={d?.title ?? '分级资料'} onClose={onClose}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !d ? (
        <DetailSkeleton />
      ) : (
        <div className="zg-stack-12">
          <Pairs
            items={[
              { label: '下发单位', value: d.fromName },
              { label: '下发时间', value: d.issueTime },
              { label: '办理要求', value: d.requirementName },
              { label: '截止日期', value: d.deadline ?? '--' },
              { label: '应报材料', value: d.required.join('、') || '--', wide: true },
              { label: '内容', value: d.content ?? '--', wide: true },
              { label: '附件', value: <Files files={d.files} />, wide: true },
            ]}
          />
          {d.own && (
            <section className="doc-stop" aria-label="我的办理">
              <header className="zg-row zg-middle">
                <h3>我的办理</h3>
                <Tag tone={d.own.late ? 'danger' : 'running'}>{d.own.stateName}</Tag>
                <span className="zg-end zg-row">
                  {may(d.own, 'read') && (
                    <Button type="primary" loading={act.running} onClick={() => d.own && void simple(d.own, 'read')}>
                      签阅
                    </Button>
                  )}
                  {may(d.own, 'forward') && <Button onClick={() => setDoing('forward')}>转发</Button>}
                  {may(d.own, 'submit') && (
                    <Button type="primary" onClick={() => setDoing('submit')}>
                      上报
                    </Button>
                  )}
                </span>
              </header>
              {d.own.remark && <p>上级说明：{d.own.remark}</p>}
              <Rounds stop={d.own} />
              <Course lines={d.own.timeline} />
            </section>
          )}
          {d.below.length > 0 && (
            <section aria-label="下级办理">
              <header className="zg-row zg-middle">
                <h3>下级办理</h3>
                <span className="zg-2">{d.progress.map((one) => `${one.name} ${one.done}/${one.all}`).join('，')}</span>
                <span className="zg-end zg-row">
                  {d.canUrge && (
                    <Button
                      loading={urge.running}
                      disabled={d.urgedUntil !== null}
                      title={d.urgedUntil ? `${d.urgedUntil.slice(11, 16)} 之后可以再次催办` : undefined}
                      onClick={() => void urge.run({ params: { id }, query })}
                    >
                      催办
                    </Button>
                  )}
                  <Button disabled={d.below.every((one) => one.rounds.length === 0)} onClick={() => void pack()}>
                    汇总下载
                  </Button>
                </span>
              </header>
              {d.below.map((stop) => (
                <section key={stop.id} className="doc-stop" aria-label={stop.toName}>
                  <header className="zg-row zg-middle">
                    <b>{stop.toName}</b>
                    <Tag tone={stop.late ? 'danger' : stop.state === stopStates.done ? 'fine' : 'running'}>
                      {stop.late ? `${stop.stateName} 超期` : stop.stateName}
                    </Tag>
                    <span className="zg-end zg-row">
                      {may(stop, 'accept') && (
                        <Button type="primary" loading={act.running} onClick={() => void simple(stop, 'accept')}>
                          接收
                        </Button>
                      )}
                      {may(stop, 'return') && <Button onClick={() => void sendBack(stop)}>退回</Button>}
                    </span>
                  </header>
                  <Rounds stop={stop} />
                </section>
              ))}
            </section>
          )}
          {doing === 'forward' && d.own && <ForwardSheet stop={d.own} title={d.title} onClose={() => setDoing(undefined)} />}
          {doing === 'submit' && d.own && <SubmitSheet stop={d.own} required={d.required} onClose={() => setDoing(undefined)} />}
        </div>
      )}
    </PageDrawer>
  )
}

function Files({ files }: { files: readonly FileLink[] }) {
  if (files.length === 0) return <>--</>
  return (
    <ul className="doc-trail">
      {files.map((one) => (
        <li key={one.url}>
          <a href={one.url}>{one.name}</a>
        </li>
      ))}
    </ul>
  )
}

/** Every submission with its verdict, the newest first. */
function Rounds({ stop }: { stop: TravelStop }) {
  if (stop.rounds.length === 0) return null
  return (
    <ol className="doc-rounds">
      {stop.rounds.map((one) => (
        <li key={one.no}>
          第 {one.no} 次上报 · {one.byName} · {one.at.slice(0, 16)}{' '}
          {one.passed !== null && <Tag tone={one.passed ? 'fine' : 'danger'}>{one.passed ? '已接收' : `退回：${one.opinion ?? ''}`}</Tag>}
          {one.note && <p className="zg-2">{one.note}</p>}
          <Files files={one.files} />
        </li>
      ))}
    </ol>
  )
}
